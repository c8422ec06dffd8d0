/// Subscribes to one publisher repeatedly, for `repeated` of `WeirRx`.
///
/// The downstream's outstanding demand is requested in each round.
@usableFromInline
final class Rounds<Upstream: Publisher> {
  @usableFromInline
  let upstream: Upstream

  @usableFromInline
  let relay: SubscriptionArbiter<Upstream.Output, Upstream.Failure>

  /// Returns whether another round follows a completion.
  @usableFromInline
  let goesOn: (Subscribers.Completion<Upstream.Failure>) -> Bool

  @usableFromInline
  let trampoline = Trampoline()

  @inlinable
  init(
    _ upstream: Upstream, relay: SubscriptionArbiter<Upstream.Output, Upstream.Failure>,
    goesOn: @escaping (Subscribers.Completion<Upstream.Failure>) -> Bool
  ) {
    self.upstream = upstream
    self.relay = relay
    self.goesOn = goesOn
  }

  @inlinable
  func begin() {
    trampoline.run { [self] in
      if relay.link.phase.isNow(.ended) { return }
      let round = ArbitratedSubscriber(relay) { [self] (completion: Subscribers.Completion<Upstream.Failure>, relay) in
        guard goesOn(completion) else { return relay.receive(completion: completion) }
        if relay.link.detach() { relay.follow { [self] in begin() } }
      }
      upstream.attach(Downstream(round))
    }
  }
}

extension Publisher {
  /// Attaches a downstream, and again after each completion for which `goesOn` returns `true`.
  @inlinable
  package func attach(
    _ downstream: Downstream<Output, Failure>, named name: StaticString,
    goesOn: @escaping (Subscribers.Completion<Failure>) -> Bool
  ) {
    Rounds(self, relay: SubscriptionArbiter(name, downstream: downstream), goesOn: goesOn).begin()
  }
}
