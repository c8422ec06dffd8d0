/// Passes values on from upstreams that follow one another: behind `append`, `prepend`, `catch` and `retry`.
///
/// One upstream is live at a time, so delivery is serial without a lock. What the downstream has asked for and not got
/// yet is asked of the next upstream.
@usableFromInline
final class Relay<Output, Failure: Error> {
  @usableFromInline
  let downstream: BorrowedDownstream<Output, Failure>

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
  init(
    _ name: StaticString, showing mirrored: @escaping () -> [MirrorPart] = { [] },
    downstream: Downstream<Output, Failure>
  ) {
    link = Link(name, policy: .forward, showing: mirrored, of: downstream.face)
    self.downstream = BorrowedDownstream(downstream)
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
    case .first: downstream.functions.begin(link)
    case .next(let outstanding): if outstanding > .none { subscription.request(outstanding) }
    }
  }

  @inlinable
  @inline(__always)
  func receive(_ value: Output) -> Subscribers.Demand {
    guard isLive else { return .none }
    delivered &+= 1
    assertNoLockIsHeld()
    let more = downstream.functions.next(value)
    if more != .none { returned += more }
    return more
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    assertNoLockIsHeld()
    if link.end(cancelling: false) { downstream.functions.end(completion) }
  }
}

/// Hears one of the upstreams that follow one another; `end` decides what comes after it.
@usableFromInline
final class Succession<Input, Failure: Error, RelayFailure: Error>: Subscriber, Subscription, Described {
  @usableFromInline
  typealias End = (Subscribers.Completion<Failure>, Relay<Input, RelayFailure>) -> Void

  @usableFromInline
  let relay: Relay<Input, RelayFailure>

  @usableFromInline
  let end: End

  // Touched by the delivery of the one upstream.
  @usableFromInline
  @exclusivity(unchecked)
  var isOver = false

  @inlinable
  init(_ relay: Relay<Input, RelayFailure>, end: @escaping End) {
    self.relay = relay
    self.end = end
  }

  @usableFromInline
  var description: String { relay.link.description }

  @usableFromInline
  var reflected: [Mirror.Child] { relay.link.reflected(downstream: relay.downstream.shown) }

  @usableFromInline
  var combineIdentifier: CombineIdentifier { relay.link.combineIdentifier }

  @inlinable
  func receive(subscription: any Subscription) {
    if isOver { subscription.cancel() } else { relay.receive(subscription: subscription) }
  }

  @inlinable
  func receive(_ value: Input) -> Subscribers.Demand {
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
