public import Synchronization

/// The part of a coordinator that knows no types, and the subscription that it hands downstream.
///
/// A call through `any Subscription`, or of an override, would run generic code unspecialised. So what depends on types is a
/// function formed where they are known. Performance: what stands here is compiled once, not for each type of values.
@usableFromInline
package class CoordinatorSubscription: _Gated, Subscription, Described, InnerSubscriber {
  @usableFromInline
  enum Action {
    case request(Subscribers.Demand)
    case cancel
    /// The gate could not be left: take up what came.
    case takeUp
    /// The upstream with this number has been asked, and the gate is taken.
    case asked(Int)
  }

  @usableFromInline
  final let act: (CoordinatorSubscription, Action, inout Outgoing) -> Void

  @usableFromInline
  final let name: StaticString

  /// What was left for the gate's owner: ``LeftEvents``, once there is something.
  // Performance: without its type, so that the `deinit` of a coordinator looks no metadata up.
  @usableFromInline
  final let inbox = Locked<AnyObject?>(nil)

  /// Demand that came while the gate was taken.
  @usableFromInline
  final let waitingDemand = Atomic<UInt>(0)

  @usableFromInline
  final let cancelRequested = Atomic<Bool>(false)

  // Safety: only the owner of the gate accesses the five properties below. The gate admits one thread. Nested calls of that
  // thread reach them only during a delivery, when no access is in progress. (`CoordinatorTests`, `Reentry/flatMap`)

  /// A delivery is under way, so the machine is whole: what comes from inside may be told to it at once.
  @usableFromInline
  @exclusivity(unchecked)
  final var isDelivering = false

  /// Events that waited are being gone through: none may overtake them.
  @usableFromInline
  @exclusivity(unchecked)
  final var isTakingUp = false

  /// What the downstream has requested from inside the deliveries of this turn.
  ///
  /// The upstream that is being answered gets that as a request, because many publishers ignore what `receive(_:)` returns.
  @usableFromInline
  @exclusivity(unchecked)
  final var requestedInside = Subscribers.Demand.none

  /// Whether such a request is an answer, as in `zip` and `flatMap` of Combine.
  @usableFromInline
  final let answersRequests: Bool

  /// The number of the upstream that has sent the last value.
  @usableFromInline
  @exclusivity(unchecked)
  final var serving = 0

  @usableFromInline
  @exclusivity(unchecked)
  final var asking = Asking()

  @usableFromInline
  init(
    _ name: StaticString, answersRequests: Bool,
    act: @escaping (CoordinatorSubscription, Action, inout Outgoing) -> Void
  ) {
    self.name = name
    self.answersRequests = answersRequests
    self.act = act
  }

  @usableFromInline
  package final var description: String { name.description }

  @usableFromInline
  package var reflected: [Mirror.Child] { [] }

  // A class that inherits this requirement's default could not override it.
  @usableFromInline
  package func _outermostGate(of thread: UInt) -> _Gated? { nil }

  @usableFromInline
  package final func request(_ demand: Subscribers.Demand) {
    if demand != .none { act(.request(demand)) }
  }

  @usableFromInline
  package final func cancel() {
    if !cancelRequested.exchange(true, ordering: .acquiringAndReleasing) { act(.cancel) }
  }

  private final func act(_ action: Action) {
    var outgoing = Outgoing()
    act(self, action, &outgoing)
    send(out: &outgoing)
  }

  /// Gives the gate up although events are left.
  @usableFromInline
  final func handOver() {
    gate.offer()
    HandOver.start { [self] in
      if gate.takeOffer() { act(.takeUp) }
    }
  }

  @inlinable
  final var isCancelled: Bool { cancelRequested.load(ordering: .relaxed) }

  @usableFromInline
  enum Turn {
    /// The gate is this thread's: tell the machine, then finish the turn.
    case own
    /// A delivery further up this thread's stack goes on when it returns: tell the machine.
    case inner
    /// Leave the event for the owner.
    case later
  }

  @usableFromInline
  final func takeTurn() -> Turn {
    switch gate.enter() {
    case .entered: .own
    case .nested: isDelivering && !isTakingUp && !gate.isKnocked ? .inner : .later
    case .busy: .later
    }
  }

  /// Sends what is asked of upstreams and schedulers, with the gate open.
  @usableFromInline
  final func send(out outgoing: inout Outgoing) {
    if outgoing.isEmpty { return }
    assertNoLockIsHeld()
    while let request = outgoing.requests.popFirst() {
      request.upstream.request(request.demand)
      leaveAsking(request.number, &outgoing)
    }
    for effect in outgoing.effects { effect() }
  }

  /// Tells of a request that has returned, with the gate open.
  private final func leaveAsking(_ number: Int, _ outgoing: inout Outgoing) {
    guard case .entered = gate.enter() else { return act(self, .asked(number), &outgoing) }
    outgoing.endAsking(number, &asking)
    if !gate.leave() { act(self, .takeUp, &outgoing) }
  }

  /// Asks an upstream that has just handed over its subscription; `isFirst` if it is not being asked already.
  @usableFromInline
  final func ask(_ number: Int, _ subscription: any Subscription, for demand: Subscribers.Demand, isFirst: Bool) {
    if demand != .none { subscription.request(demand) }
    if !isFirst { return }
    var outgoing = Outgoing()
    leaveAsking(number, &outgoing)
    send(out: &outgoing)
  }
}

/// What a coordinator sends to upstreams and schedulers when its gate is open again.
@usableFromInline
struct Outgoing {
  /// The upstream that is being answered, and the answer.
  let number: Int

  @usableFromInline
  var answer = Subscribers.Demand.none

  private var answered = SubscriptionSlot()

  /// What is asked of others.
  fileprivate var requests = Fifo<UpstreamRequest>()

  @usableFromInline
  var effects: [() -> Void] = []

  @usableFromInline
  init(answering number: Int = .min) {
    self.number = number
  }

  fileprivate var isEmpty: Bool { requests.isEmpty && effects.isEmpty }

  /// Notes what is to be asked of an upstream; `requestedInside` of that is a request even to the one that is being answered.
  @usableFromInline
  mutating func ask(
    _ request: UpstreamRequest, _ asking: inout Asking, requestedInside: Subscribers.Demand = .none
  ) {
    var demand = request.demand
    if request.number == number {
      let requested = min(demand, requestedInside)
      if requested < demand { answer += demand - requested }
      answered = SubscriptionSlot(request.upstream)
      if requested == .none { return }
      demand = requested
    }
    let request = UpstreamRequest(request.number, request.upstream, demand)
    if asking.begin(request.number) { requests.append(request) } else { asking.waiting.append(request) }
  }

  /// A request has returned: what came up for that upstream meanwhile goes out next.
  @usableFromInline
  mutating func endAsking(_ number: Int, _ asking: inout Asking) {
    asking.end(number)
    if let next = asking.takeWaiting(for: number) { ask(next, &asking) }
  }

  /// Cancels an upstream, and forgets what was to be asked of it.
  @usableFromInline
  mutating func cancel(_ subscription: any Subscription, _ asking: inout Asking) {
    asking.forget(subscription)
    let cancelled = subscription.combineIdentifier
    if answered.isFull, answered.content.combineIdentifier == cancelled { answer = .none }
    if requests.isEmpty { return }
    var kept = Fifo<UpstreamRequest>()
    while let request = requests.popFirst() {
      if request.upstream.combineIdentifier == cancelled { asking.end(request.number) } else { kept.append(request) }
    }
    requests = kept
  }
}
