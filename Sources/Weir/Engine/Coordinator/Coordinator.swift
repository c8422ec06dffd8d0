public import Synchronization

/// Runs a state machine between its upstreams and its downstream.
///
/// One thread at a time owns the machine and delivers. Concurrent events of other threads, and nested values, are
/// enqueued in the inbox for the owner. Requests and effects are performed when the machine is at rest and the gate is
/// open. An upstream can then answer a request immediately with any number of values, which are handled one by one.
/// Invariant: two threads never request from one upstream concurrently.
@usableFromInline
package final class Coordinator<Machine: CoordinatorMachine>: CoordinatorSubscription {
  // Safety: only the owner of the gate accesses the three properties below. A nested call enqueues its event. During a
  // delivery, when no access to the machine is in progress, the nested call passes it to the machine instead.
  // (`CoordinatorTests`, `Reentry/switchToLatest`)

  @usableFromInline
  @exclusivity(unchecked)
  var machine: Machine

  @usableFromInline
  @exclusivity(unchecked)
  var downstream: BorrowedDownstream<Machine.Output, Machine.Failure>?

  /// Performs effects; `nil` after a completion or a cancellation.
  ///
  /// The closure can retain a user's scheduler, whose pending work retains this object.
  @usableFromInline
  @exclusivity(unchecked)
  var perform: ((Coordinator, Machine.Effect) -> Void)?

  @inlinable
  package init(
    _ name: StaticString, _ machine: consuming Machine, downstream: Downstream<Machine.Output, Machine.Failure>,
    answersRequests: Bool = false, perform: @escaping (Coordinator, Machine.Effect) -> Void = { _, _ in }
  ) {
    self.machine = machine
    self.downstream = BorrowedDownstream(downstream)
    self.perform = perform
    super.init(name, answersRequests: answersRequests) { coordinator, action, outgoing in
      // Safety: `act` is called with the object that holds it. (`CoordinatorTests`)
      let coordinator = _unsafeUncheckedDowncast(coordinator, to: Coordinator.self)
      switch action {
      case .request(let demand): coordinator.requested(demand)
      case .cancel:
        if case .acquired = coordinator.gate.enter() {
          coordinator.run()
        } else if coordinator.gate.requestDrain() {
          coordinator.drain()
        }
      case .drainInbox: coordinator.drainInbox(&outgoing)
      case .asked(let number):
        coordinator.put(.asked(number))
        if coordinator.gate.requestDrain() { coordinator.drainInbox(&outgoing) }
      }
    }
  }

  /// The machine's mirror children; empty while another thread owns the gate.
  @usableFromInline
  package override var mirrorChildren: [Mirror.Child] {
    switch gate.enter() {
    case .acquired:
      defer { if !gate.leave() { drain() } }
      return machine.mirrorChildren(downstream: downstream?.shown)
    case .reentrant where isDelivering: return machine.mirrorChildren(downstream: downstream?.shown)
    case .reentrant, .contended: return []
    }
  }

  /// Invariant: the machine is read only inside a delivery, when no other code mutates it.
  @usableFromInline
  package override func _outermostGate(of thread: UInt) -> _Gated? {
    guard gate.isOwned(by: thread) else { return nil }
    if isDelivering, let outer = machine.outermostGate(of: thread, from: serving) { return outer }
    return self
  }

  // MARK: Events

  /// Performs the machine's actions before any event.
  @inlinable
  package func begin() {
    if case .acquired = gate.enter() { run() }
  }

  /// Passes an event to the machine inside a delivery.
  ///
  /// The call may run a user's closure or release a user's value. Re-entrant events from there are enqueued, because
  /// the machine is being mutated.
  @inlinable
  @inline(__always)
  func withReentrancyDisabled(_ tell: () -> Void) {
    isDelivering = false
    tell()
    isDelivering = true
  }

  @inlinable
  package func subscribed(to number: Int, _ arriving: any Subscription) {
    let subscription = arriving._object
    switch enterGate() {
    case .owner:
      machine.subscribed(to: number, subscription)
      let isFirst = asking.begin(number)
      ask(number, subscription, for: settleTurn(answering: number), isFirst: isFirst)
    case .reentrant:
      withReentrancyDisabled { machine.subscribed(to: number, subscription) }
    case .contended:
      enqueue(.subscribed(number, subscription))
    }
  }

  @inlinable
  @inline(never)
  package func completed(_ number: Int, _ completion: Subscribers.Completion<Machine.Failure>) {
    switch enterGate() {
    case .owner:
      tellCompleted(number, completion)
      settleTurn()
    case .reentrant:
      withReentrancyDisabled { tellCompleted(number, completion) }
    case .contended:
      enqueue(.completed(number, completion))
    }
  }

  /// Passes a completion to the machine, and drops the pending requests to that upstream.
  @inlinable
  func tellCompleted(_ number: Int, _ completion: Subscribers.Completion<Machine.Failure>) {
    _ = asking.takeWaiting(for: number)
    machine.completed(number, completion)
  }

  @inlinable
  @inline(never)
  package func signal(_ number: Int) {
    switch enterGate() {
    case .owner:
      machine.signal(number)
      settleTurn()
    case .reentrant:
      withReentrancyDisabled { machine.signal(number) }
    case .contended:
      enqueue(.enqueuedSignal(number))
    }
  }

  /// Receives a value from the upstream with this number.
  ///
  /// Performance: this is the path of every value.
  @inlinable
  @inline(__always)
  @discardableResult
  package func receive(_ input: Machine.Input, from number: Int) -> Subscribers.Demand {
    guard case .acquired = gate.enter() else { return enqueue(.value(number, input), answering: number) }
    serving = number
    machine.receive(input, from: number)
    return finishTurn(answering: number)
  }

  /// Receives the value of a scalar upstream; returns `false` if that upstream must be subscribed to.
  @inlinable
  @inline(__always)
  func receive(scalar input: Machine.Input, from number: Int) -> Bool {
    guard case .acquired = gate.enter() else { return false }
    serving = number
    let isTaken = machine.receive(scalar: input, from: number)
    finishTurn()
    return isTaken
  }

  /// Delivers the machine's outputs and opens the gate, unless other actions are pending.
  @inlinable
  @inline(__always)
  @discardableResult
  func finishTurn(answering number: Int = .min) -> Subscribers.Demand {
    while !isCancelled, let output = machine.nextOutput() {
      guard let more = deliver(output) else { break }
      if more != .none { machine.requested(more) }
    }
    return settleTurn(answering: number)
  }

  /// Performs the machine's actions and opens the gate.
  ///
  /// The demand for the upstream with this number, whose event is being handled, is returned instead of requested.
  @inlinable
  @inline(__always)
  @discardableResult
  func settleTurn(answering number: Int = .min) -> Subscribers.Demand {
    guard requestedInside == .none else { return run(answering: number) }
    let answer = machine.returnedDemand(for: number)
    guard machine.isIdle(), !isCancelled else { return answer + run(answering: number) }
    return gate.leave() ? answer : answer + drain(answering: number)
  }

  @inlinable
  @inline(__always)
  func deliver(_ output: Machine.Output) -> Subscribers.Demand? {
    assertNoLockIsHeld()
    isDelivering = true
    defer { isDelivering = false }
    // Performance: the pattern borrows the function; optional chaining would copy it.
    switch downstream {
    case let downstream?: return downstream.functions.next(output)
    case nil: return nil
    }
  }

  // Performance: out of line, so that the path of a value stays short where it is inlined.

  /// Enqueues an event for the gate's owner, or drains the inbox if the gate is free by now.
  @inlinable
  @inline(never)
  @discardableResult
  func enqueue(_ event: @autoclosure () -> Machine.Event, answering number: Int = .min) -> Subscribers.Demand {
    // Performance: in a debug build, the caller would look up the event's type at each call.
    put(event())
    return gate.requestDrain() ? drain(answering: number) : .none
  }

  /// Stores an event in the inbox; the owner is not notified.
  @inlinable
  @inline(never)
  func put(_ event: Machine.Event) {
    let thread = currentThread()
    inbox.withLock { inbox in
      let enqueued = typed(inbox ?? EnqueuedEvents<Machine.Event>())
      enqueued.events.append(event)
      if !gate.isOwned(by: thread) { enqueued.isForeign = true }
      inbox = enqueued
    }
  }

  /// Removes and returns the next enqueued event, while the turn lasts.
  ///
  /// If other threads have enqueued some of the events, each returned event subtracts from `allowance`.
  @inlinable
  func takeEvent(_ allowance: inout Int) -> Machine.Event? {
    inbox.withLock { inbox in
      guard let found = inbox else { return nil }
      let enqueued = typed(found)
      if enqueued.isForeign {
        if allowance == 0 { return nil }
        allowance -= 1
      }
      let event = enqueued.events.popFirst()
      if enqueued.events.isEmpty { inbox = nil }
      return event
    }
  }

  @inlinable
  var isEventPending: Bool { inbox.withLock { $0 != nil } }

  /// Whether events, demand or a cancellation are pending.
  @inlinable
  var isAnythingPending: Bool {
    isEventPending || waitingDemand.load(ordering: .relaxed) > 0 || isCancelled && downstream != nil
  }

  // Safety: only `put` fills the inbox of this object, with this type. (`CoordinatorTests`)
  @inlinable
  func typed(_ enqueued: AnyObject) -> EnqueuedEvents<Machine.Event> {
    _unsafeUncheckedDowncast(enqueued, to: EnqueuedEvents<Machine.Event>.self)
  }

  @inlinable
  func requested(_ demand: Subscribers.Demand) {
    switch gate.enter() {
    case .acquired:
      machine.requested(demand)
      finishTurn()
    case .reentrant where isDelivering:
      if !answersRequests { requestedInside += demand }
      withReentrancyDisabled { machine.requested(demand) }
    case .reentrant, .contended:
      waitingDemand.addSaturating(demand)
      if gate.requestDrain() { drain() }
    }
  }
}

/// The events that are enqueued for the owner of a coordinator's gate.
@usableFromInline
final class EnqueuedEvents<Event> {
  @usableFromInline
  var events = CircularBuffer<Event>()

  /// Whether another thread than the gate's owner has enqueued some of them.
  @usableFromInline
  var isForeign = false

  @inlinable
  init() {}
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
}
