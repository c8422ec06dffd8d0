extension Publisher {
  /// Continues with another publisher after a failure.
  ///
  ///     source     --1--2--#
  ///     other              --3--|
  ///     catch {other}--1--2---3--|
  ///
  /// - Demand: what is outstanding at the failure is asked of the other.
  /// - Completion and cancellation: only the first failure is caught; the other publisher's ends the whole.
  /// - Threading: the closure runs where the upstream delivers.
  @inlinable
  public func `catch`<P: Publisher>(_ handler: @escaping (Failure) -> P) -> Publishers.Catch<Self, P>
  where P.Output == Output {
    Publishers.Catch(upstream: self, handler: handler)
  }
}

extension Publishers {
  /// A publisher that continues with another after a failure.
  @frozen
  public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    /// The values are those of both.
    public typealias Output = Upstream.Output

    /// The failure is the second publisher's.
    public typealias Failure = NewPublisher.Failure

    /// The publisher whose failure is caught.
    public let upstream: Upstream

    /// What makes the publisher that follows.
    public let handler: (Upstream.Failure) -> NewPublisher

    /// Makes the operator; the method of the same name is the usual way.
    @inlinable
    public init(upstream: Upstream, handler: @escaping (Upstream.Failure) -> NewPublisher) {
      self.upstream = upstream
      self.handler = handler
    }

    /// Attaches a subscriber.
    @inlinable
    @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        Succession(Relay("Catch", downstream: subscriber)) {
          [handler] (completion: Subscribers.Completion<Upstream.Failure>, relay) in
          switch completion {
          case .finished:
            relay.receive(completion: .finished)
          case .failure(let error):
            guard relay.link.detach() else { return }
            let other = handler(error)
            if !relay.link.phase.isNow(.ended) { other.subscribe(Succession(relay) { $1.receive(completion: $0) }) }
          }
        })
    }
  }
}
