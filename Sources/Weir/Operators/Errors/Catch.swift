// .ci/twins writes TryCatch.swift from this file.

extension Publisher {
  /// Continues with another publisher after a failure.
  ///
  ///     source                 -1-2-#
  ///     other                  -----^8-9-|
  ///     .catch { _ in other }  -1-2--8-9-|
  ///
  /// - Demand: the demand that is outstanding at the failure is requested from the replacement.
  /// - Completion and cancellation: only the first failure is caught. The replacement's completion is forwarded.
  /// - Threading: the closure runs on the thread on which the upstream delivers.
  @inlinable
  public func `catch`<P: Publisher>(_ handler: @escaping (Failure) -> P) -> Publishers.Catch<Self, P>
  where P.Output == Output {
    Publishers.Catch(upstream: self, handler: handler)
  }
}

extension Publishers {
  /// A publisher that continues with another after a failure.
  @frozen
  public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: _DirectPublisher
  where Upstream.Output == NewPublisher.Output {
    /// The output type of both publishers.
    public typealias Output = Upstream.Output

    /// The replacement's failure type.
    public typealias Failure = NewPublisher.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The closure that creates the publisher that replaces the failed one.
    public let handler: (Upstream.Failure) -> NewPublisher

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, handler: @escaping (Upstream.Failure) -> NewPublisher) {
      self.upstream = upstream
      self.handler = handler
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      let arbiter = SubscriptionArbiter("Catch", showing: { [.downstream, .demand] }, downstream: downstream)
      let first = ArbitratedSubscriber(arbiter) {
        [handler] (completion: Subscribers.Completion<Upstream.Failure>, arbiter) in
        arbiter.follow(completion, by: handler, NonThrowing<Failure>.self)
      }
      upstream.attach(first.events)
    }
  }
}

extension SubscriptionArbiter {
  /// Continues with the publisher that a closure creates from a failure.
  @inlinable
  func follow<UpstreamFailure: Error, Next: Publisher, Path: FailureMapping>(
    _ completion: Subscribers.Completion<UpstreamFailure>, by handler: (UpstreamFailure) throws -> Next,
    _ path: Path.Type
  ) where Next.Output == Output, Path.UpstreamFailure == Next.Failure, Path.Failure == Failure {
    guard case .failure(let error) = completion else { return receive(completion: .finished) }
    guard link.detach() else { return }
    let next: Next
    do {
      next = try handler(error)
    } catch {
      return receive(completion: .failure(Path.failure(thrown: error)))
    }
    if link.phase.isNow(.terminated) { return }
    follow(by: next) { (completion: Subscribers.Completion<Next.Failure>, arbiter) in
      arbiter.receive(completion: completion.mapError { Path.failure(of: $0) })
    }
  }
}
