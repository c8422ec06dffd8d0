extension Publisher {
  /// Sends the number of values before the completion.
  ///
  ///     source    -a-b-c-|
  ///     .count()  -------(3|)
  ///
  /// - Demand: requests unlimited values from the upstream. The number is delivered when there is demand.
  /// - Completion and cancellation: without any value the number is 0. A failure drops it.
  /// - Threading: delivers on the thread on which the upstream delivers, or on the thread that requests demand.
  @inlinable
  public func count() -> Publishers.Count<Self> {
    Publishers.Count(upstream: self)
  }
}

extension Publishers {
  /// A publisher of the number of the upstream's values.
  @frozen
  public struct Count<Upstream: Publisher>: _DirectPublisher {
    /// The number of values.
    public typealias Output = Int

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(downstream, through: CountOperator())
    }
  }
}

extension Publishers.Count: Equatable where Upstream: Equatable {}

extension Publishers.Count: Sendable where Upstream: Sendable {}

@usableFromInline
struct CountOperator<Input, Failure: Error>: InfallibleOperator, ReducingOperator {
  @usableFromInline
  var count = 0

  @inlinable
  init() {}

  @usableFromInline
  static var name: StaticString { "Count" }

  @inlinable
  static var runsUserCode: Bool { false }

  @inlinable
  mutating func next(_ input: Input) -> OperatorResult<Int, Failure> {
    count += 1
    return .skip
  }

  @inlinable
  mutating func end(_ completion: Subscribers.Completion<Failure>) -> OperatorCompletion<Int, Failure> {
    if case .failure = completion { return .complete(completion) }
    return .emit(count)
  }
}
