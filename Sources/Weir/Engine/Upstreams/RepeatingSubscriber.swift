/// Subscribes to one publisher repeatedly, for `repeated` of `WeirRx`.
///
/// The downstream's outstanding demand is requested in each round.
@usableFromInline
final class RepeatingSubscriber<Upstream: Publisher> {
  @usableFromInline
  let upstream: Upstream

  @usableFromInline
  let relay: SubscriptionArbiter<Upstream.Output, Upstream.Failure>

  /// Returns whether another round follows a completion.
  @usableFromInline
  let shouldResubscribe: (Subscribers.Completion<Upstream.Failure>) -> Bool

  @usableFromInline
  let trampoline = Trampoline()

  @inlinable
  init(
    _ upstream: Upstream, relay: SubscriptionArbiter<Upstream.Output, Upstream.Failure>,
    shouldResubscribe: @escaping (Subscribers.Completion<Upstream.Failure>) -> Bool
  ) {
    self.upstream = upstream
    self.relay = relay
    self.shouldResubscribe = shouldResubscribe
  }

  @inlinable
  func begin() {
    trampoline.run { [self] in
      if relay.link.phase.isNow(.ended) { return }
      let round = ArbitratedSubscriber(relay) { [self] (completion: Subscribers.Completion<Upstream.Failure>, relay) in
        guard shouldResubscribe(completion) else { return relay.receive(completion: completion) }
        if relay.link.detach() { relay.follow { [self] in begin() } }
      }
      upstream.attach(Downstream(round))
    }
  }
}

extension Publisher {
  /// Attaches a downstream, and again after each completion for which `shouldResubscribe` returns `true`.
  @inlinable
  package func attach(
    _ downstream: Downstream<Output, Failure>, named name: StaticString,
    shouldResubscribe: @escaping (Subscribers.Completion<Failure>) -> Bool
  ) {
    let relay = SubscriptionArbiter(name, downstream: downstream)
    RepeatingSubscriber(self, relay: relay, shouldResubscribe: shouldResubscribe).begin()
  }
}
