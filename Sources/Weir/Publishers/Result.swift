extension Result {
  /// A publisher of the value, or of the failure.
  ///
  /// - Demand: the value waits for the first request, a failure doesn't.
  /// - Completion and cancellation: finishes right after the value, or fails at once.
  /// - Threading: runs where the demand comes from.
  @inlinable
  public var publisher: Result<Success, Failure>.Publisher {
    Publisher(self)
  }

  /// A publisher that sends the value and finishes, or fails.
  ///
  ///     Result<Int, Oops>.success(1).publisher  (1|)
  @frozen
  public struct Publisher: Weir.Publisher {
    /// The value of a success.
    public typealias Output = Success

    /// What it does.
    public let result: Result<Output, Failure>

    /// Makes a publisher of a result.
    @inlinable
    public init(_ result: Result<Output, Failure>) {
      self.result = result
    }

    /// Makes a publisher of a value.
    @inlinable
    public init(_ output: Output) {
      self.init(.success(output))
    }

    /// Makes a publisher that fails.
    @inlinable
    public init(_ failure: Failure) {
      self.init(.failure(failure))
    }

    /// The value of a success.
    @inlinable
    @inline(__always)
    public var _onlyValue: Success? { try? result.get() }

    /// Attaches a subscriber.
    @inlinable
    @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      switch result {
      case .success(let output): subscriber.pull("Once", from: CollectionOfOne(output).makeIterator())
      case .failure(let error): subscriber.receive(emptyWith: .failure(error))
      }
    }
  }
}

extension Result.Publisher: Equatable where Success: Equatable, Failure: Equatable {}

extension Result.Publisher: Sendable where Success: Sendable {}
