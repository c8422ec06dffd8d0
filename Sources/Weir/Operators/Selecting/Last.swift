extension Publisher {
  /// Sends the last value, at the end.
  ///
  ///     source   -1-2-3-|
  ///     .last()  -------(3|)
  ///
  /// - Demand: asks for everything; the value waits for demand.
  /// - Completion and cancellation: without any value it finishes. A failure drops the value.
  /// - Threading: runs where the upstream delivers, or where the demand comes from.
  @inlinable
  public func last() -> Publishers.Last<Self> {
    Publishers.Last(upstream: self)
  }
}

extension Publishers {
  /// A publisher of the upstream's last value.
  @frozen
  public struct Last<Upstream: Publisher>: _DirectPublisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output

    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The publisher whose values these are.
    public let upstream: Upstream

    @usableFromInline
    package let place = Place()

    /// Makes the operator; the method of the same name is the usual way.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(downstream, through: LastWhereWork<_, Sure<Failure>> { _ in true }, named: "Last")
    }
  }
}

extension Publishers.Last: Equatable where Upstream: Equatable {}

extension Publishers.Last: Sendable where Upstream: Sendable {}
