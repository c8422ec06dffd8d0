extension Publisher {
  /// Sends the first value and finishes.
  ///
  ///     source    -(1!)
  ///     .first()  -(1|)
  ///
  /// - Demand: requests unlimited values from the upstream. The value is delivered when there is demand.
  /// - Completion and cancellation: the first value cancels the upstream. Without one the upstream's completion is
  ///   forwarded.
  /// - Threading: delivers on the thread on which the upstream delivers, or on the thread that requests demand.
  @inlinable
  public func first() -> Publishers.First<Self> {
    Publishers.First(upstream: self)
  }
}

extension Publishers {
  /// A publisher of the upstream's first value.
  @frozen
  public struct First<Upstream: Publisher>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

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
      upstream.attach(downstream, through: FirstOperator())
    }
  }
}

extension Publishers.First: Equatable where Upstream: Equatable {}

extension Publishers.First: Sendable where Upstream: Sendable {}

@usableFromInline
struct FirstOperator<Input, Failure: Error>: InfallibleOperator, ReducingOperator {
  @inlinable
  init() {}

  @usableFromInline
  static var name: StaticString { "First" }

  @inlinable
  static var runsUserCode: Bool { false }

  @inlinable
  mutating func next(_ input: Input) -> OperatorResult<Input, Failure> {
    .emitAndFinish(input)
  }
}
