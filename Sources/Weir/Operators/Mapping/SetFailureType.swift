extension Publisher where Failure == Never {
  /// Changes the type of the failure of a publisher that can't fail.
  ///
  ///     source                          -1-2-3-|
  ///     .setFailureType(to: Oops.self)  -1-2-3-|
  ///
  /// - Demand: forwarded unchanged.
  /// - Completion and cancellation: forwarded unchanged.
  /// - Threading: delivers on the thread on which the upstream delivers.
  @inlinable
  public func setFailureType<E: Error>(to failureType: E.Type) -> Publishers.SetFailureType<Self, E> {
    Publishers.SetFailureType(upstream: self)
  }
}

extension Publishers {
  /// A publisher that seems to be able to fail, so that it can meet others that are.
  @frozen
  public struct SetFailureType<Upstream: Publisher, Failure: Error>: _DirectPublisher where Upstream.Failure == Never {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The upstream publisher.
    public let upstream: Upstream

    @usableFromInline
    package let place = Place()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// The upstream's.
    @inlinable
    @inline(__always)
    public var _onlyValue: Upstream.Output? { upstream._onlyValue }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(.stateless("SetFailureType", to: downstream, end: { [end = downstream.end] _ in end(.finished) }))
    }
  }
}

extension Publishers.SetFailureType: Equatable where Upstream: Equatable {}

extension Publishers.SetFailureType {
  /// Changes the type of the failure, in the place of the change before.
  @inlinable
  public func setFailureType<E: Error>(to failure: E.Type) -> Publishers.SetFailureType<Upstream, E> {
    upstream.setFailureType(to: failure)
  }
}

extension Publishers.SetFailureType: Sendable where Upstream: Sendable {}
