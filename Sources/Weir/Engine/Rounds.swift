/// Subscribes to one publisher again and again: behind `repeated` of `WeirRx`.
///
/// What the downstream has asked for and not got yet is asked of each round.
@usableFromInline
final class Rounds<Upstream: Publisher> {
  @usableFromInline
  let upstream: Upstream

  @usableFromInline
  let relay: Relay<Upstream.Output, Upstream.Failure>

  /// Says after an end whether there is another round.
  @usableFromInline
  let goesOn: (Subscribers.Completion<Upstream.Failure>) -> Bool

  @usableFromInline
  let trampoline = Trampoline()

  @inlinable
  init(
    _ upstream: Upstream, relay: Relay<Upstream.Output, Upstream.Failure>,
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
      let round = Succession(relay) { [self] (completion: Subscribers.Completion<Upstream.Failure>, relay) in
        guard goesOn(completion) else { return relay.receive(completion: completion) }
        if relay.link.detach() { relay.follow { [self] in begin() } }
      }
      upstream.attach(Downstream(round))
    }
  }
}

extension Publisher {
  /// Attaches a downstream, and does it again after each end for which `goesOn` says so.
  @inlinable
  package func attach(
    _ downstream: Downstream<Output, Failure>, named name: StaticString,
    goesOn: @escaping (Subscribers.Completion<Failure>) -> Bool
  ) {
    Rounds(self, relay: Relay(name, downstream: downstream), goesOn: goesOn).begin()
  }
}
