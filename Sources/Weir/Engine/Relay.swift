/// Passes values on from upstreams that follow one another: behind `append`, `prepend`, `catch` and `retry`.
///
/// Invariant: one upstream is attached at a time, and the next one only when no delivery is in progress. So one thread at a
/// time delivers, without a lock. What the downstream has asked for and not got yet is asked of the next upstream.
/// (`RelayTests`)
@usableFromInline
final class Relay<Downstream: Subscriber> {
  #if DEBUG
  @usableFromInline
  let liveObject = LiveObject("Relay")
  #endif

  @usableFromInline
  let downstream: Downstream

  @usableFromInline
  let link: Link

  // Safety: one thread at a time delivers: an upstream is attached when the delivery of the one before has returned,
  // and a `StrictSubscriber` stands in front of an upstream that isn't this library's. Only that thread accesses the
  // properties below. (`RelayTests`, `StrictSubscriberTests`)
  @usableFromInline
  @exclusivity(unchecked)
  var delivered = 0

  @usableFromInline
  @exclusivity(unchecked)
  var returned = Subscribers.Demand.none

  /// How many deliveries are in progress, one inside the other.
  @usableFromInline
  @exclusivity(unchecked)
  var depth = 0

  /// Attaches the next upstream, when the delivery in which the one before completed has returned.
  @usableFromInline
  @exclusivity(unchecked)
  var successor: (() -> Void)?

  /// Whether a completion goes on that comes before the first subscription, against the rules.
  @usableFromInline
  let admitsEarlyCompletion: Bool

  @inlinable
  init(
    _ name: StaticString, showing mirrored: @escaping () -> [MirrorPart] = { [] }, requestsReturnedDemand: Bool = false,
    admitsEarlyCompletion: Bool = false, downstream: Downstream
  ) {
    self.downstream = downstream
    self.admitsEarlyCompletion = admitsEarlyCompletion
    link = Link(name, policy: .forward, isRequestedInside: requestsReturnedDemand) { (mirrored(), Downstream.self) }
  }

  @inlinable
  var isLive: Bool {
    link.isLive
  }

  /// Whether a completion counts that comes now.
  @inlinable
  var admitsCompletion: Bool {
    isLive || admitsEarlyCompletion && link.phase.isNow(.waiting)
  }

  @inlinable
  func receive(subscription: any Subscription) {
    assertNoLockIsHeld()
    switch link.attach(subscription, returned: returned, delivered: delivered) {
    case .refused: break
    case .first:
      // The upstream may complete in here. The next one waits until the subscriber has returned.
      depth &+= 1
      downstream.receive(subscription: link)
      depth &-= 1
      attachSuccessor()
    case .next(let outstanding): if outstanding > .none { subscription.request(outstanding) }
    }
  }

  @inlinable
  @inline(__always)
  func receive(_ value: Downstream.Input) -> Subscribers.Demand {
    guard isLive else { return .none }
    delivered &+= 1
    assertNoLockIsHeld()
    depth &+= 1
    let more = downstream.receive(value)
    depth &-= 1
    return more == .none ? .none : passOn(more)
  }

  @inlinable
  @inline(never)
  func passOn(_ more: Subscribers.Demand) -> Subscribers.Demand {
    if link.isRequestedInside {
      link.request(more)
      return .none
    }
    returned += more
    return more
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    assertNoLockIsHeld()
    if link.end(cancelling: false, isEarly: admitsEarlyCompletion) { downstream.receive(completion: completion) }
  }

  /// The upstream has completed, and another one follows it, unless the downstream has cancelled.
  @usableFromInline
  func follow(by attach: @escaping () -> Void) {
    guard link.detach() || admitsEarlyCompletion && link.phase.isNow(.waiting) else { return }
    if depth > 0 { successor = attach } else { attach() }
  }

  /// Attaches the upstream that waits for the end of the delivery.
  @usableFromInline
  @inline(never)
  func attachSuccessor() {
    guard depth == 0, let attach = successor.take(), link.phase.isNow(.switching) else { return }
    attach()
  }
}

/// The subscriber for one of the upstreams that follow one another; `end` decides what comes after it.
@usableFromInline
final class Succession<Downstream: Subscriber, Failure: Error>: _GuardedSubscriber, Subscription, Described {
  @usableFromInline
  typealias Input = Downstream.Input

  #if DEBUG
  @usableFromInline
  let liveObject = LiveObject("Succession")
  #endif

  @usableFromInline
  let relay: Relay<Downstream>

  @usableFromInline
  let end: (Subscribers.Completion<Failure>, Relay<Downstream>) -> Void

  // Safety: only the thread that delivers for the one upstream accesses it, see `Relay`. (`RelayTests`,
  // `StrictSubscriberTests`)
  @usableFromInline
  @exclusivity(unchecked)
  var isOver = false

  @inlinable
  init(
    _ relay: Relay<Downstream>, end: @escaping (Subscribers.Completion<Failure>, Relay<Downstream>) -> Void
  ) {
    self.relay = relay
    self.end = end
  }

  @inlinable
  var _gates: AnyObject? { relay.downstream._gates }

  @usableFromInline
  var description: String { relay.link.description }

  @usableFromInline
  var reflected: [Mirror.Child] { relay.link.reflected(downstream: relay.downstream) }

  @usableFromInline
  var combineIdentifier: CombineIdentifier { relay.link.combineIdentifier }

  @inlinable
  func receive(subscription: any Subscription) {
    if isOver { subscription.cancel() } else { relay.receive(subscription: subscription) }
  }

  @inlinable
  func receive(_ value: Downstream.Input) -> Subscribers.Demand {
    if isOver { return .none }
    let more = relay.receive(value)
    guard isOver else { return more }
    // This upstream completed in the delivery. The next one is asked for what the delivery has brought.
    relay.attachSuccessor()
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    if isOver || !relay.admitsCompletion { return Reports.late(completion) }
    isOver = true
    end(completion, relay)
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    relay.link.request(demand)
  }

  @usableFromInline
  func cancel() {
    relay.link.cancel()
  }
}
