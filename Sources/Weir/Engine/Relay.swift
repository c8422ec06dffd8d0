/// Passes values on from upstreams that follow one another: behind `append`, `prepend`, `catch` and `retry`.
///
/// One upstream is live at a time, so delivery is serial without a lock. What the downstream has asked for and not got
/// yet is asked of the next upstream.
@usableFromInline
final class Relay<Downstream: Subscriber> {
  @usableFromInline
  let downstream: Downstream

  @usableFromInline
  let link: Link

  // Touched by the delivery alone, which the upstream that is live keeps serial.
  @usableFromInline
  @exclusivity(unchecked)
  var delivered = 0

  @usableFromInline
  @exclusivity(unchecked)
  var returned = Subscribers.Demand.none

  @inlinable
  init(_ name: StaticString, showing mirrored: @escaping () -> [MirrorPart] = { [] }, downstream: Downstream) {
    self.downstream = downstream
    link = Link(name, policy: .forward) { (mirrored(), Downstream.self) }
  }

  @inlinable
  var isLive: Bool {
    link.isLive
  }

  @inlinable
  func receive(subscription: any Subscription) {
    assertNoLockIsHeld()
    switch link.attach(subscription, returned: returned, delivered: delivered) {
    case .refused: break
    case .first: downstream.receive(subscription: link)
    case .next(let outstanding): if outstanding > .none { subscription.request(outstanding) }
    }
  }

  @inlinable
  @inline(__always)
  func receive(_ value: Downstream.Input) -> Subscribers.Demand {
    guard isLive else { return .none }
    delivered &+= 1
    assertNoLockIsHeld()
    let more = downstream.receive(value)
    if more != .none { returned += more }
    return more
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    assertNoLockIsHeld()
    if link.end(cancelling: false) { downstream.receive(completion: completion) }
  }
}

/// The subscriber for one of the upstreams that follow one another; `end` decides what comes after it.
@usableFromInline
final class Succession<Downstream: Subscriber, Failure: Error>: Subscriber, Subscription, Described {
  @usableFromInline
  typealias Input = Downstream.Input

  @usableFromInline
  let relay: Relay<Downstream>

  @usableFromInline
  let end: (Subscribers.Completion<Failure>, Relay<Downstream>) -> Void

  // Touched by the delivery of the one upstream.
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
    // It ended inside the delivery, so it can't answer this demand any more.
    if more != .none { relay.link.forward(returned: more) }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    if isOver || !relay.isLive { return Reports.late(completion) }
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
