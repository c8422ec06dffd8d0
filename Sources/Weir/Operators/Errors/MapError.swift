extension Publisher {
  /// Transforms the failure with a closure.
  ///
  ///     source                           -1-2-#
  ///     .mapError { _ in URLMissing() }  -1-2-#
  ///
  /// - Demand: forwarded unchanged.
  /// - Completion and cancellation: the closure transforms a failure. A normal completion and a cancellation are
  ///   forwarded unchanged.
  /// - Threading: the closure runs on the thread on which the upstream delivers.
  @inlinable
  public func mapError<E: Error>(_ transform: @escaping (Failure) -> E) -> Publishers.MapError<Self, E> {
    Publishers.MapError(upstream: self, transform)
  }
}

extension Publishers {
  /// A publisher that transforms the upstream's failure.
  @frozen
  public struct MapError<Upstream: Publisher, Failure: Error>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The upstream publisher.
    public let upstream: Upstream

    /// The closure that transforms the failure.
    public let transform: (Upstream.Failure) -> Failure

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, _ transform: @escaping (Upstream.Failure) -> Failure) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(
        .stateless(
          "MapError", to: downstream, end: { [transform, end = downstream.end] in end($0.mapError(transform)) }))
    }
  }
}
