public import Synchronization

/// The part of a coordinator without type parameters, and the subscription that it sends downstream.
///
/// Performance: this class is compiled once, not for each type of values. A call through `any Subscription`, or of an
/// override, would run unspecialized generic code. So the typed parts are functions that are created where the types
/// are known.
@usableFromInline
package class CoordinatorSubscription: _Gated, Subscription, OperatorReflectable, OperatorSubscriber {
  /// A call of the machine.
  @usableFromInline
  enum MachineCall {
    case requested(Subscribers.Demand)
    case subscribed(Int, SubscriptionObject)
    case completed(Int, AnyCompletion)
    case enqueuedSignal(Int)
    /// Whether the upstream with this number can still send: `.undecided` if it can.
    case maySend(Int)
    /// Perform the machine's actions until it is at rest.
    case performActions
  }

  /// Calls the machine, whose type this class doesn't know.
  @usableFromInline
  final let call: (CoordinatorSubscription, MachineCall, inout DeferredActions) -> EventOutcome

  @usableFromInline
  final let name: StaticString

  /// The events that are enqueued for the gate's owner; `nil` if there are none.
  final let inbox = Locked<EnqueuedEvents?>(nil)

  /// Demand that was requested while the gate was taken.
  final let waitingDemand = Atomic<UInt>(0)

  /// Finite demand for which no value has arrived, if the machine requests ahead.
  ///
  /// The owner passes it to the machine one by one. A value that arrives while the gate is taken reserves its demand
  /// here, so the next value can be requested immediately.
  @usableFromInline
  final let openDemand = Atomic<UInt>(0)

  /// Whether the downstream has requested unlimited values.
  private final let isUnlimited = Atomic<Bool>(false)

  @usableFromInline
  final let cancelRequested = Atomic<Bool>(false)

  // Safety: only the owner of the gate accesses the seven properties below. The gate admits one thread. Nested calls of
  // that thread access them only during a delivery, when no access is in progress. (`CoordinatorTests`,
  // `Reentry/flatMap`)

  /// True during a delivery of the subscription or a value, except while the machine is called.
  ///
  /// The machine's state is consistent then. So nested requests are passed to it, and also signals and completions, if
  /// no event is pending. Nested values and subscriptions are enqueued.
  @usableFromInline
  @exclusivity(unchecked)
  final var isDelivering = false

  /// True while the inbox is being drained.
  ///
  /// New events are enqueued behind it, to preserve their order.
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
  final let answersRequests: Bool

  /// Whether the machine draws its demand from `openDemand`.
  final let requestsAhead: Bool

  @usableFromInline
  final let pendingValues: PendingValues

  /// Whether a completion or a cancellation has released the downstream.
  @usableFromInline
  @exclusivity(unchecked)
  final var hasEnded = false

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
    _ name: StaticString, answersRequests: Bool, requestsAhead: Bool, keeping pendingValues: PendingValues,
    call: @escaping (CoordinatorSubscription, MachineCall, inout DeferredActions) -> EventOutcome
  ) {
    self.name = name
    self.answersRequests = answersRequests
    self.requestsAhead = requestsAhead
    self.pendingValues = pendingValues
    self.call = call
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
    if demand == .none { return }
    if demand == .unlimited { isUnlimited.store(true, ordering: .relaxed) }
    var outgoing = DeferredActions()
    switch gate.enter() {
    case .acquired:
      _ = call(self, .requested(demand), &outgoing)
      run(&outgoing)
    case .reentrant where isDelivering:
      if !answersRequests { requestedInside += demand }
      withReentrancyDisabled { call(self, .requested(demand), &outgoing) }
    case .reentrant, .contended:
      // Unlimited demand too: until the owner has requested it, it answers the values that arrive.
      if requestsAhead { openDemand.addSaturating(demand) }
      if !requestsAhead || demand == .unlimited { waitingDemand.addSaturating(demand) }
      if gate.acquireOrRequestDrain() { drain() }
    }
  }

  @usableFromInline
  package final func cancel() {
    if cancelRequested.exchange(true, ordering: .acquiringAndReleasing) { return }
    if case .acquired = gate.enter() {
      run()
    } else if gate.acquireOrRequestDrain() {
      drain()
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

  /// Passes an event to the machine inside a delivery, after which ``CoordinatorMachine/next()`` decides.
  ///
  /// The call may run a user's closure or release a user's value. Re-entrant events from there are enqueued, because
  /// the machine is being mutated.
  @inlinable
  @inline(__always)
  final func withReentrancyDisabled(_ tell: () -> EventOutcome) {
    isDelivering = false
    if case .nothing = tell() {} else { isUndecided = true }
    isDelivering = true
  }

  /// Enqueues an event for the gate's owner, or drains the inbox if the gate is free by now.
  @usableFromInline
  @discardableResult
  final func enqueue(_ event: CoordinatorEvent, answering number: Int = .min) -> Subscribers.Demand {
    let dropped = put(event)
    let demand = gate.acquireOrRequestDrain() ? drain(answering: number) : .none
    return withExtendedLifetime(dropped) { demand }
  }

  /// Enqueues an upstream's subscription for the gate's owner, and makes the first request here.
  ///
  /// So what an event source sends next has demand, and what other publishers send in answer precedes what this thread
  /// brings next. The owner requests the rest of the demand.
  @usableFromInline
  @inline(never)
  final func enqueue(
    _ subscription: SubscriptionObject, of number: Int, asking firstDemand: (Int, Bool) -> Subscribers.Demand
  ) {
    let demand = min(
      firstDemand(number, isUnlimited.load(ordering: .relaxed)), subscription._earlyDemand(isToConnect: false))
    if demand == .none || isCancelled {
      enqueue(.subscribed(number, subscription))
    } else {
      let asked = AskedSubscription(subscription, demand)
      enqueue(.subscribed(number, asked))
      asked.ask(demand)
    }
  }

  /// Stores an event in the inbox; the owner is not notified.
  ///
  /// The result is dropped for it. It holds a user's value, so the caller releases it when no lock is held.
  @discardableResult
  private final func put(_ event: CoordinatorEvent) -> CoordinatorEvent? {
    let thread = currentThread()
    return inbox.withLock { inbox in
      let enqueued = inbox ?? EnqueuedEvents()
      let dropped = enqueued.add(event)
      if !gate.isOwned(by: thread) { enqueued.isForeign = true }
      inbox = enqueued
      return dropped
    }
  }

  /// Removes and returns the next enqueued event, while the turn lasts.
  ///
  /// If other threads have enqueued some of the events, each returned event subtracts from `allowance`.
  final func takeEvent(_ allowance: inout Int) -> CoordinatorEvent? {
    inbox.withLock { inbox in
      guard let enqueued = inbox else { return nil }
      if enqueued.isForeign {
        if allowance == 0 { return nil }
        allowance -= 1
      }
      let event = enqueued.events.popFirst()
      if enqueued.events.count == 0 { inbox = nil }
      return event
    }
  }

  final var isEventPending: Bool { inbox.withLock { $0 != nil } }

  /// Whether events, demand or a cancellation are pending.
  final var isAnythingPending: Bool {
    isEventPending || waitingDemand.load(ordering: .relaxed) > 0 || openDemand.load(ordering: .relaxed) > 0
      || isCancelled && !hasEnded
  }

  // MARK: Requests to upstreams

  /// Opens the gate, and makes a request that follows from a subscription, or that the machine hasn't returned.
  @usableFromInline
  final func request(_ request: UpstreamRequest) {
    if inFlight.begin(request.number) {
      if gate.leave() { return make(request) }
      inFlight.end(request.number)
    }
    var outgoing = DeferredActions()
    outgoing.add(request: request, &inFlight)
    drainInbox(&outgoing)
    send(out: &outgoing)
  }

  /// Performs the requests and effects, with the gate open.
  final func send(out outgoing: inout DeferredActions) {
    if outgoing.isEmpty { return }
    assertNoLockIsHeld()
    while let request = outgoing.nextRequest() {
      request.upstream.request(request.demand)
      requestReturned(request.number, &outgoing)
    }
    outgoing.performEffects()
    guard let number = outgoing.subscribing else { return }
    if let request = outgoing.takeLast() { request.upstream.request(request.demand) }
    requestReturned(number, &outgoing)
    send(out: &outgoing)
  }

  /// Records that a request has returned, with the gate open.
  private final func requestReturned(_ number: Int, _ outgoing: inout DeferredActions) {
    guard case .acquired = gate.enter() else {
      put(.requestReturned(number))
      if gate.acquireOrRequestDrain() { drainInbox(&outgoing) }
      return
    }
    outgoing.endRequest(number, &inFlight)
    if !gate.leave() { drainInbox(&outgoing) }
  }

  /// Makes a request, with the gate open.
  private final func make(_ request: UpstreamRequest) {
    request.upstream.request(request.demand)
    subscriptionReturned(request.number)
  }

  /// Makes the request that is pending behind the handling of a subscription, with the gate open.
  @usableFromInline
  final func subscriptionReturned(_ number: Int) {
    guard case .acquired = gate.enter() else {
      enqueue(.requestReturned(number))
      return
    }
    inFlight.end(number)
    // Performance: usually no request is pending, and no deferred actions are created.
    guard let next = inFlight.takePending(for: number) else {
      if !gate.leave() { drain() }
      return
    }
    var outgoing = DeferredActions()
    outgoing.add(request: next, &inFlight)
    if !gate.leave() { drainInbox(&outgoing) }
    send(out: &outgoing)
  }
}

/// The events that are enqueued for the owner of a coordinator's gate.
final class EnqueuedEvents {
  // Safety: a thread accesses the two properties below only while it has the lock of the inbox. (`CoordinatorTests`,
  // `Threads/careless`)

  @exclusivity(unchecked)
  var events = CircularBuffer<CoordinatorEvent>()

  /// Whether another thread than the gate's owner has enqueued some of them.
  @exclusivity(unchecked)
  var isForeign = false

  /// Adds an event; returns the one that is dropped for it, or this one if it is dropped.
  func add(_ event: CoordinatorEvent) -> CoordinatorEvent? {
    var dropped: CoordinatorEvent?
    let last = events.count - 1
    if last >= 0, case .value(_, let kept) = event, kept != .all, case .value(_, kept) = events[last] {
      if kept == .first { return event }
      dropped = events.popLast()
    }
    events.append(event)
    return dropped
  }
}

extension Atomic where Value == UInt {
  /// Adds a demand, which becomes unlimited when it overflows.
  @usableFromInline
  borrowing func addSaturating(_ demand: Subscribers.Demand) {
    var found = load(ordering: .relaxed)
    while true {
      let sum = Subscribers.Demand(rawValue: found) + demand
      let (done, now) = compareExchange(expected: found, desired: sum.rawValue, ordering: .acquiringAndReleasing)
      if done { return }
      found = now
    }
  }

  /// Subtracts one from a demand; returns `false` if it is zero.
  @usableFromInline
  borrowing func takeOne() -> Bool {
    var found = load(ordering: .relaxed)
    while found > 0 {
      if found == Subscribers.Demand.unlimited.rawValue { return true }
      let (done, now) = compareExchange(expected: found, desired: found - 1, ordering: .acquiringAndReleasing)
      if done { return true }
      found = now
    }
    return false
  }
}
