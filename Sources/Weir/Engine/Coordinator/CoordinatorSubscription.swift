public import Synchronization

/// The part of a coordinator without type parameters, and the subscription that it sends downstream.
///
/// Performance: this class is compiled once, not for each type of values. A call through `any Subscription`, or of an
/// override, would run unspecialized generic code. So the typed parts are functions that are created where the types
/// are known.
@usableFromInline
package class CoordinatorSubscription: _Gated, Subscription, OperatorReflectable, OperatorSubscriber {
  @usableFromInline
  enum Action {
    case request(Subscribers.Demand)
    case cancel
    /// Drain the pending events, because the gate could not be released.
    case drainInbox
    /// A request to the upstream with this number has returned, and the gate is taken.
    case requestReturned(Int, maker: Int)
  }

  /// Performs an action with the types of the coordinator, which this class doesn't know.
  @usableFromInline
  final let act: (CoordinatorSubscription, Action, inout DeferredActions) -> Void

  @usableFromInline
  final let name: StaticString

  /// The events that are enqueued for the gate's owner: a ``EnqueuedEvents``, or `nil` if there are none.
  // Performance: untyped, so that the `deinit` of a coordinator looks up no metadata.
  @usableFromInline
  final let inbox = Locked<AnyObject?>(nil)

  /// Demand that was requested while the gate was taken.
  @usableFromInline
  final let waitingDemand = Atomic<UInt>(0)

  @usableFromInline
  final let cancelRequested = Atomic<Bool>(false)

  // Safety: only the owner of the gate accesses the six properties below. The gate admits one thread. Nested calls of
  // that thread access them only during a delivery, when no access is in progress. (`CoordinatorTests`,
  // `Reentry/flatMap`)

  /// True during a delivery of the subscription or a value, except while the machine is called.
  ///
  /// The machine's state is consistent then. So nested requests are passed to it, and also signals and completions, if no
  /// event is pending. Nested values and subscriptions are enqueued.
  @usableFromInline
  @exclusivity(unchecked)
  final var isDelivering = false

  /// True while the inbox is being drained.
  ///
  /// New events are enqueued behind it, to preserve their order.
  @usableFromInline
  @exclusivity(unchecked)
  final var isDraining = false

  /// Whether the machine has received something in a delivery after which ``CoordinatorMachine/next()`` decides.
  @usableFromInline
  @exclusivity(unchecked)
  final var isUndecided = false

  /// The demand that the downstream has requested inside the deliveries of this turn.
  ///
  /// It is requested from the upstream whose event is being handled, rather than returned to it, because many
  /// publishers ignore the result of `receive(_:)`.
  @usableFromInline
  @exclusivity(unchecked)
  final var requestedInside = Subscribers.Demand.none

  /// Whether such demand is returned nevertheless, as in Combine's `zip` and `flatMap`.
  @usableFromInline
  final let answersRequests: Bool

  /// The number of the upstream whose value entered the gate last; an enqueued value doesn't change it.
  @usableFromInline
  @exclusivity(unchecked)
  final var serving = 0

  /// The requests to upstreams that have not returned.
  @usableFromInline
  @exclusivity(unchecked)
  final var inFlight = InFlightRequests()

  @usableFromInline
  init(
    _ name: StaticString, answersRequests: Bool,
    act: @escaping (CoordinatorSubscription, Action, inout DeferredActions) -> Void
  ) {
    self.name = name
    self.answersRequests = answersRequests
    self.act = act
  }

  @usableFromInline
  package final var description: String { name.description }

  @usableFromInline
  package var mirrorChildren: [Mirror.Child] { [] }

  // Declared here, because a class that inherits this requirement's default could not override it.
  @usableFromInline
  package func _outermostGate(of thread: UInt) -> _Gated? { nil }

  @usableFromInline
  package final func request(_ demand: Subscribers.Demand) {
    if demand != .none { performAction(.request(demand)) }
  }

  @usableFromInline
  package final func cancel() {
    if !cancelRequested.exchange(true, ordering: .acquiringAndReleasing) { performAction(.cancel) }
  }

  private final func performAction(_ action: Action) {
    var outgoing = DeferredActions()
    act(self, action, &outgoing)
    send(out: &outgoing)
  }

  /// Releases the gate although events are pending.
  @usableFromInline
  final func handOver() {
    gate.offer()
    HandOver.start { [self] in
      if gate.takeOffer() { performAction(.drainInbox) }
    }
  }

  @inlinable
  final var isCancelled: Bool { cancelRequested.load(ordering: .relaxed) }

  @usableFromInline
  enum Turn {
    /// This thread owns the gate: it passes the event to the machine, and then finishes the turn.
    case owner
    /// This thread is inside a delivery, and no event is pending: it passes the event to the machine.
    case reentrant
    /// The event must be enqueued for the owner.
    case contended
  }

  @usableFromInline
  final func enterGate() -> Turn {
    switch gate.enter() {
    case .acquired: .owner
    case .reentrant: isDelivering && !isDraining && !gate.isDrainRequested ? .reentrant : .contended
    case .contended: .contended
    }
  }

  /// Performs the requests and effects, with the gate open.
  @usableFromInline
  final func send(out outgoing: inout DeferredActions) {
    if outgoing.isEmpty { return }
    assertNoLockIsHeld()
    while let request = outgoing.nextRequest() {
      request.upstream.request(request.demand)
      requestReturned(request.number, &outgoing)
    }
    outgoing.performEffects()
  }

  /// Records that a request has returned, with the gate open.
  private final func requestReturned(_ number: Int, _ outgoing: inout DeferredActions) {
    guard case .acquired = gate.enter() else {
      return act(self, .requestReturned(number, maker: outgoing.maker), &outgoing)
    }
    outgoing.endRequest(number, &inFlight)
    if !gate.leave() { act(self, .drainInbox, &outgoing) }
  }

  /// Makes a request, with the gate open.
  @usableFromInline
  final func make(_ request: UpstreamRequest) {
    request.upstream.request(request.demand)
    subscriptionReturned(request.number)
  }

  /// Makes the request that is pending behind the handling of a subscription, with the gate open.
  @usableFromInline
  final func subscriptionReturned(_ number: Int) {
    guard case .acquired = gate.enter() else { return performAction(.requestReturned(number, maker: 0)) }
    inFlight.end(number)
    // Performance: usually no request is pending, and no deferred actions are created.
    guard let next = inFlight.takePending(for: number) else {
      if !gate.leave() { performAction(.drainInbox) }
      return
    }
    var outgoing = DeferredActions()
    outgoing.add(request: next, &inFlight)
    if !gate.leave() { act(self, .drainInbox, &outgoing) }
    send(out: &outgoing)
  }
}

/// The request and the effects that a coordinator performs when its gate is open again.
@usableFromInline
struct DeferredActions {
  /// The number of the upstream whose event is being handled.
  let number: Int

  /// The demand to return to that upstream.
  @usableFromInline
  var answer = Subscribers.Demand.none

  /// The upstream that receives `answer`; its cancellation drops the answer.
  private var answered = OptionalSubscription()

  // Performance: usually there is one request, or one effect. A collection for it would be an allocation, for each value of
  // `receive(on:)` for example.

  /// The request to make; further ones are in ``InFlightRequests/queued``.
  private var request: UpstreamRequest?

  /// Identifies these actions there; 0 if they have queued nothing.
  fileprivate var maker = 0

  /// The effects to perform.
  private var firstEffect: (() -> Void)?
  private var otherEffects: [() -> Void]?

  @usableFromInline
  init(answering number: Int = .min) {
    self.number = number
  }

  /// Performance: a getter that doesn't mutate copies these actions in a debug build, which takes 500 instructions.
  fileprivate var isEmpty: Bool { mutating get { request == nil && firstEffect == nil } }

  /// Removes and returns the request to make.
  fileprivate mutating func nextRequest() -> UpstreamRequest? { request.take() }

  /// Records a request to an upstream.
  ///
  /// To the upstream whose event is being handled, only `requestedInside` is requested; the rest is returned.
  @usableFromInline
  mutating func add(
    request: UpstreamRequest, _ inFlight: inout InFlightRequests, requestedInside: Subscribers.Demand = .none
  ) {
    var demand = request.demand
    if request.number == number {
      let requested = min(demand, requestedInside)
      if requested < demand { answer += demand - requested }
      answered = OptionalSubscription(request.upstream)
      if requested == .none { return }
      demand = requested
    }
    let recorded = UpstreamRequest(request.number, request.upstream, demand)
    if !inFlight.begin(recorded.number) {
      inFlight.addPending(recorded)
    } else if self.request == nil {
      self.request = recorded
    } else {
      inFlight.queue(recorded, for: &maker)
    }
  }

  /// Records an effect, to be performed behind the requests.
  @usableFromInline
  mutating func add(effect: @escaping () -> Void) {
    if firstEffect == nil {
      firstEffect = effect
    } else {
      otherEffects = otherEffects ?? []
      otherEffects?.append(effect)
    }
  }

  fileprivate func performEffects() {
    firstEffect?()
    guard let otherEffects else { return }
    for effect in otherEffects { effect() }
  }

  /// Records that a request of another maker has returned, and continues in its place.
  @usableFromInline
  mutating func endRequest(_ number: Int, of other: Int, _ inFlight: inout InFlightRequests) {
    if other != 0 { inFlight.pass(from: other, to: &maker) }
    endRequest(number, &inFlight)
  }

  /// Records that a request has returned, and then makes the queued one and the pending one to that upstream.
  fileprivate mutating func endRequest(_ number: Int, _ inFlight: inout InFlightRequests) {
    inFlight.end(number)
    if request == nil, maker != 0 { request = inFlight.takeQueued(of: maker) }
    if let next = inFlight.takePending(for: number) { add(request: next, &inFlight) }
  }

  /// Drops the requests to an upstream that has completed.
  @usableFromInline
  mutating func completed(_ number: Int, _ inFlight: inout InFlightRequests) {
    if request?.number == number { dropRequest(&inFlight) }
  }

  /// Cancels an upstream, and drops the requests to it.
  @usableFromInline
  mutating func cancel(_ subscription: SubscriptionObject, _ inFlight: inout InFlightRequests) {
    inFlight.forget(subscription)
    let cancelled = subscription.combineIdentifier
    if answered.content?.combineIdentifier == cancelled { answer = .none }
    if request?.upstream.combineIdentifier == cancelled { dropRequest(&inFlight) }
  }

  /// Replaces the request by a queued one.
  private mutating func dropRequest(_ inFlight: inout InFlightRequests) {
    if let dropped = request.take() { inFlight.end(dropped.number) }
    request = maker == 0 ? nil : inFlight.takeQueued(of: maker)
  }
}
