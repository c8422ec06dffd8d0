/// Subscribes to one publisher repeatedly, for `repeated` of `WeirRx`.
///
/// The downstream's outstanding demand is requested in each round.
@usableFromInline
final class RepeatingSubscriber<Upstream: Publisher> {
  @usableFromInline
  let upstream: Upstream

  @usableFromInline
  let arbiter: SubscriptionArbiter<Upstream.Output, Upstream.Failure>

  /// Returns whether another round follows a completion.
  @usableFromInline
  let shouldResubscribe: (Subscribers.Completion<Upstream.Failure>) -> Bool

  @usableFromInline
  let trampoline = Trampoline()

  @inlinable
  init(
    _ upstream: Upstream, arbiter: SubscriptionArbiter<Upstream.Output, Upstream.Failure>,
    shouldResubscribe: @escaping (Subscribers.Completion<Upstream.Failure>) -> Bool
  ) {
    self.upstream = upstream
    self.arbiter = arbiter
    self.shouldResubscribe = shouldResubscribe
  }

  @inlinable
  func begin() {
    trampoline.run { [self] in
      if arbiter.link.phase.isNow(.terminated) { return }
      let round = ArbitratedSubscriber(arbiter) {
        [self] (completion: Subscribers.Completion<Upstream.Failure>, arbiter) in
        guard shouldResubscribe(completion) else { return arbiter.receive(completion: completion) }
        if arbiter.link.detach() { arbiter.follow { [self] in begin() } }
      }
      upstream.attach(round.events)
    }
  }
}

extension Publisher {
  /// Attaches a downstream, and again after each completion for which `shouldResubscribe` returns `true`.
  @inlinable
  package func attach(
    _ downstream: consuming Downstream<Output, Failure>, named name: StaticString,
    shouldResubscribe: @escaping (Subscribers.Completion<Failure>) -> Bool
  ) {
    let arbiter = SubscriptionArbiter(name, downstream: downstream)
    RepeatingSubscriber(self, arbiter: arbiter, shouldResubscribe: shouldResubscribe).begin()
  }
}
