extension Publisher {
  /// Drops the first values.
  ///
  ///     source         -1-2-3!
  ///     asked          3
  ///     demand         1
  ///     .dropFirst(2)  -----3!
  ///
  /// - Demand: requests `count` additional values. Requests are forwarded unchanged.
  /// - Completion and cancellation: forwarded unchanged.
  /// - Threading: delivers on the thread on which the upstream delivers.
  @inlinable
  public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> {
    Publishers.Drop(upstream: self, count: count)
  }
}

extension Publishers {
  /// A publisher of the values after the first few.
  @frozen
  public struct Drop<Upstream: Publisher>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The number of values to drop.
    public let count: Int

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, count: Int) {
      self.upstream = upstream
      self.count = count
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(downstream, through: DropOperator(count))
    }
  }
}

extension Publishers.Drop: Equatable where Upstream: Equatable {}

extension Publishers.Drop: Sendable where Upstream: Sendable {}

@usableFromInline
struct DropOperator<Input, Failure: Error>: ForwardingOperator {
  @usableFromInline
  var remaining: Int

  @inlinable
  init(_ count: Int) {
    require(count >= 0, "dropFirst(_:) requires a count of 0 or more.")
    remaining = count
  }

  @usableFromInline
  static var name: StaticString { "Drop" }

  @inlinable
  static var early: EarlyEvents { EarlyEvents(subscription: true, values: true, completion: true) }

  @inlinable
  static var runsUserCode: Bool { false }

  @inlinable
  var policy: OperatorSubscription.Policy { .forwardAfter(remaining) }

  @inlinable
  var demandForSkipped: Subscribers.Demand { .none }

  @inlinable
  mutating func next(_ input: Input) -> OperatorResult<Input, Failure> {
    if remaining == 0 { return .emit(input) }
    remaining -= 1
    return .skip
  }
}
