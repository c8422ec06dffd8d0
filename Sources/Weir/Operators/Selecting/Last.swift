extension Publisher {
  /// Sends the last value before the completion.
  ///
  ///     source   -1-2-3-|
  ///     .last()  -------(3|)
  ///
  /// - Demand: requests unlimited values from the upstream. The value is delivered when there is demand.
  /// - Completion and cancellation: without any value the publisher only finishes. A failure drops the value.
  /// - Threading: delivers on the thread on which the upstream delivers, or on the thread that requests demand.
  @inlinable
  public func last() -> Publishers.Last<Self> {
    Publishers.Last(upstream: self)
  }
}

extension Publishers {
  /// A publisher of the upstream's last value.
  @frozen
  public struct Last<Upstream: Publisher>: _DirectPublisher {
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
      upstream.attach(downstream, through: LastWhereOperator<_, NonThrowing<Failure>> { _ in true }, named: "Last")
    }
  }
}

extension Publishers.Last: Equatable where Upstream: Equatable {}

extension Publishers.Last: Sendable where Upstream: Sendable {}
