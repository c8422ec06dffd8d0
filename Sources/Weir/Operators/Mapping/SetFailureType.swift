extension Publisher where Failure == Never {
  /// Changes the failure type of a publisher that never fails.
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
  /// A publisher with another failure type, so that it can be combined with publishers that can fail.
  @frozen
  public struct SetFailureType<Upstream: Publisher, Failure: Error>: _DirectPublisher where Upstream.Failure == Never {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The upstream publisher.
    public let upstream: Upstream

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// The upstream's scalar value, if it has one.
    @inlinable
    @inline(__always)
    public var _scalarValue: Upstream.Output? { upstream._scalarValue }

    /// Whether the upstream can be scalar.
    @inlinable
    @inline(__always)
    public var _mayBeScalar: Bool { upstream._mayBeScalar }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(.stateless("SetFailureType", to: downstream, end: { [end = downstream.end] _ in end(.finished) }))
    }
  }
}

extension Publishers.SetFailureType: Equatable where Upstream: Equatable {}

extension Publishers.SetFailureType {
  /// Replaces the previous change of the failure type.
  @inlinable
  public func setFailureType<E: Error>(to failure: E.Type) -> Publishers.SetFailureType<Upstream, E> {
    upstream.setFailureType(to: failure)
  }
}

extension Publishers.SetFailureType: Sendable where Upstream: Sendable {}
