extension Publisher {
  /// Continues with another publisher after a failure, or fails with the error that the closure throws.
  ///
  ///     source             -1-2-#
  ///     other              -----^8-9-|
  ///     .tryCatch(handle)  -1-2--8-9-|
  ///
  /// - Demand: the demand that is outstanding at the failure is requested from the replacement.
  /// - Completion and cancellation: only the first failure is caught. An error that the closure throws becomes the
  ///   failure. Otherwise the replacement's completion is forwarded.
  /// - Threading: the closure runs on the thread on which the upstream delivers.
  @inlinable
  public func tryCatch<P: Publisher>(_ handler: @escaping (Failure) throws -> P) -> Publishers.TryCatch<Self, P>
  where P.Output == Output {
    Publishers.TryCatch(upstream: self, handler: handler)
  }
}

extension Publishers {
  /// A publisher that continues with another after a failure, or fails with the error that a closure throws.
  @frozen
  public struct TryCatch<Upstream: Publisher, NewPublisher: Publisher>: _DirectPublisher
  where Upstream.Output == NewPublisher.Output {
    /// The output type of both publishers.
    public typealias Output = Upstream.Output

    /// Any error that the closure throws or the replacement fails with.
    public typealias Failure = any Error

    /// The upstream publisher.
    public let upstream: Upstream

    /// The closure that creates the publisher that replaces the failed one.
    public let handler: (Upstream.Failure) throws -> NewPublisher

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, handler: @escaping (Upstream.Failure) throws -> NewPublisher) {
      self.upstream = upstream
      self.handler = handler
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      let arbiter = SubscriptionArbiter("TryCatch", showing: { [.downstream, .demand] }, downstream: downstream)
      let first = ArbitratedSubscriber(arbiter) {
        [handler] (completion: Subscribers.Completion<Upstream.Failure>, arbiter) in
        arbiter.follow(completion, by: handler, Throwing<NewPublisher.Failure>.self)
      }
      upstream.attach(Downstream(first))
    }
  }
}
