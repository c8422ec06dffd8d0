extension Result {
  /// A publisher of the value or the failure.
  ///
  /// - Demand: the value is delivered at the first request. A failure needs no demand.
  /// - Completion and cancellation: finishes immediately after the value, or fails on subscription.
  /// - Threading: delivers the value on the thread that requests demand, and a completion without a value on the thread
  ///   that subscribes.
  @inlinable
  public var publisher: Result<Success, Failure>.Publisher {
    Publisher(self)
  }

  /// A publisher that sends the value and finishes, or fails.
  ///
  ///     Result<Int, Oops>.success(1).publisher  (1|)
  @frozen
  public struct Publisher: _DirectPublisher {
    /// The success type.
    public typealias Output = Success

    /// The result to send.
    public let result: Result<Output, Failure>

    /// Creates a publisher of a result.
    @inlinable
    public init(_ result: Result<Output, Failure>) {
      self.result = result
    }

    /// Creates a publisher of a value.
    @inlinable
    public init(_ output: Output) {
      self.init(.success(output))
    }

    /// Creates a publisher that fails.
    @inlinable
    public init(_ failure: Failure) {
      self.init(.failure(failure))
    }

    /// The value of a success.
    @inlinable
    @inline(__always)
    public var _scalarValue: Success? { try? result.get() }

    /// It is scalar if it is a success.
    @inlinable
    @inline(__always)
    public var _mayBeScalar: Bool { true }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      switch result {
      case .success(let output): Downstream.pull("Once", value: output, to: downstream)
      case .failure(let error): Downstream.complete(downstream, with: .failure(error))
      }
    }
  }
}

extension Result.Publisher: Equatable where Success: Equatable, Failure: Equatable {}

extension Result.Publisher: Sendable where Success: Sendable {}
