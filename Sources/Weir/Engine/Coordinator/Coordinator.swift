public import Synchronization

/// Runs a machine between its upstreams and its downstream.
///
/// One thread at a time owns the machine and delivers; events that come meanwhile from other threads, and values from inside
/// a delivery, wait in the inbox for the owner. Requests and effects go out when the machine is at rest and the gate open:
/// an upstream may answer at once, to any length, and is heard value by value. No upstream is asked by two threads at once.
@usableFromInline
package final class Coordinator<Machine: CoordinatorMachine>: CoordinatorSubscription {
  // Safety: only the owner of the gate accesses the three properties below. A nested call leaves its event in the inbox, or tells
  // the machine of it during a delivery, when no access to it is in progress. (`CoordinatorTests`, `Reentry/switchToLatest`)

  @usableFromInline
  @exclusivity(unchecked)
  var machine: Machine

  @usableFromInline
  @exclusivity(unchecked)
  var downstream: BorrowedDownstream<Machine.Output, Machine.Failure>?

  /// Carries out effects; `nil` after a completion or a cancel.
  ///
  /// It can retain a scheduler of the user's. Work that is pending there retains this object.
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
        if case .entered = coordinator.gate.enter() {
          coordinator.run()
        } else if coordinator.gate.knock() {
          coordinator.drain()
        }
      case .takeUp: coordinator.takeUp(&outgoing)
      case .asked(let number):
        coordinator.put(.asked(number))
        if coordinator.gate.knock() { coordinator.takeUp(&outgoing) }
      }
    }
  }

  /// What the machine shows, unless another thread has it in its hands.
  @usableFromInline
  package override var reflected: [Mirror.Child] {
    switch gate.enter() {
    case .entered:
      defer { if !gate.leave() { drain() } }
      return machine.reflected(downstream: downstream?.shown)
    case .nested where isDelivering: return machine.reflected(downstream: downstream?.shown)
    case .nested, .busy: return []
    }
  }

  /// The walk reads the machine, so only inside a delivery, when nothing changes it.
  @usableFromInline
  package override func _outermostGate(of thread: UInt) -> _Gated? {
    guard gate.isOwned(by: thread) else { return nil }
    if isDelivering, let outer = machine.outermostGate(of: thread, from: serving) { return outer }
    return self
  }

  // MARK: Events

  /// Does what the machine asks before any event.
  @inlinable
  package func begin() {
    if case .entered = gate.enter() { run() }
  }

  /// Tells the machine of something from inside a delivery.
  ///
  /// What it does may run a user's closure, or let go of a user's value: what comes from inside that waits, for the machine
  /// is not whole.
  @inlinable
  @inline(__always)
  func tellInside(_ tell: () -> Void) {
    isDelivering = false
    tell()
    isDelivering = true
  }

  @inlinable
  package func subscribed(to number: Int, _ subscription: any Subscription) {
    switch takeTurn() {
    case .own:
      machine.subscribed(to: number, subscription)
      let isFirst = asking.begin(number)
      ask(number, subscription, for: settleTurn(answering: number), isFirst: isFirst)
    case .inner:
      tellInside { machine.subscribed(to: number, subscription) }
    case .later:
      leave(.subscribed(number, subscription))
    }
  }

  @inlinable
  @inline(never)
  package func completed(_ number: Int, _ completion: Subscribers.Completion<Machine.Failure>) {
    switch takeTurn() {
    case .own:
      tellCompleted(number, completion)
      settleTurn()
    case .inner:
      tellInside { tellCompleted(number, completion) }
    case .later:
      leave(.completed(number, completion))
    }
  }

  /// Tells the machine of a completion: that upstream is not asked any more.
  @inlinable
  func tellCompleted(_ number: Int, _ completion: Subscribers.Completion<Machine.Failure>) {
    _ = asking.takeWaiting(for: number)
    machine.completed(number, completion)
  }

  @inlinable
  @inline(never)
  package func signal(_ number: Int) {
    switch takeTurn() {
    case .own:
      machine.signal(number)
      settleTurn()
    case .inner:
      tellInside { machine.signal(number) }
    case .later:
      leave(.signalLeft(number))
    }
  }

  /// A value from the upstream with this number: the path that is taken again and again.
  @inlinable
  @inline(__always)
  @discardableResult
  package func receive(_ input: Machine.Input, from number: Int) -> Subscribers.Demand {
    guard case .entered = gate.enter() else { return leave(.value(number, input), answering: number) }
    serving = number
    machine.receive(input, from: number)
    return finishTurn(answering: number)
  }

  /// An upstream that is opened and consists of one value; false if it has to be subscribed to.
  @inlinable
  @inline(__always)
  func receive(only input: Machine.Input, from number: Int) -> Bool {
    guard case .entered = gate.enter() else { return false }
    serving = number
    let isTaken = machine.receive(only: input, from: number)
    finishTurn()
    return isTaken
  }

  /// Delivers what there is to deliver, and opens the gate if that was all.
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

  /// Does what the machine asks, and opens the gate if that was all.
  @inlinable
  @inline(__always)
  @discardableResult
  func settleTurn(answering number: Int = .min) -> Subscribers.Demand {
    guard requestedInside == .none else { return run(answering: number) }
    let answer = machine.answer(to: number)
    guard machine.isAtRest(), !isCancelled else { return answer + run(answering: number) }
    return gate.leave() ? answer : answer + drain(answering: number)
  }

  @inlinable
  @inline(__always)
  func deliver(_ output: Machine.Output) -> Subscribers.Demand? {
    assertNoLockIsHeld()
    isDelivering = true
    defer { isDelivering = false }
    // The pattern borrows what is called; optional chaining would copy it.
    switch downstream {
    case let downstream?: return downstream.functions.next(output)
    case nil: return nil
    }
  }

  // Out of line, so that the path above stays short where it is inlined.

  @inlinable
  @inline(never)
  @discardableResult
  func leave(_ event: @autoclosure () -> Machine.Event, answering number: Int = .min) -> Subscribers.Demand {
    // Performance: in the caller the event's type would be looked up at each call, in a debug build.
    put(event())
    return gate.knock() ? drain(answering: number) : .none
  }

  @inlinable
  @inline(never)
  func put(_ event: Machine.Event) {
    let thread = currentThread()
    inbox.withLock { inbox in
      let left = typed(inbox ?? LeftEvents<Machine.Event>())
      left.events.append(event)
      if !gate.isOwned(by: thread) { left.isForeign = true }
      inbox = left
    }
  }

  /// Takes the next event that was left, as long as the turn lasts.
  ///
  /// If other threads have left some of the events, each one that is taken subtracts from `allowance`.
  @inlinable
  func takeEvent(_ allowance: inout Int) -> Machine.Event? {
    inbox.withLock { inbox in
      guard let found = inbox else { return nil }
      let left = typed(found)
      if left.isForeign {
        if allowance == 0 { return nil }
        allowance -= 1
      }
      let event = left.events.popFirst()
      if left.events.isEmpty { inbox = nil }
      return event
    }
  }

  @inlinable
  var isEventLeft: Bool { inbox.withLock { $0 != nil } }

  /// Whether events, demand or a cancel were left.
  @inlinable
  var isAnythingLeft: Bool {
    isEventLeft || waitingDemand.load(ordering: .relaxed) > 0 || isCancelled && downstream != nil
  }

  // Safety: only `put` fills the inbox of this object, with this type. (`CoordinatorTests`)
  @inlinable
  func typed(_ left: AnyObject) -> LeftEvents<Machine.Event> {
    _unsafeUncheckedDowncast(left, to: LeftEvents<Machine.Event>.self)
  }

  @inlinable
  func requested(_ demand: Subscribers.Demand) {
    switch gate.enter() {
    case .entered:
      machine.requested(demand)
      finishTurn()
    case .nested where isDelivering:
      if !answersRequests { requestedInside += demand }
      tellInside { machine.requested(demand) }
    case .nested, .busy:
      waitingDemand.addSaturating(demand)
      if gate.knock() { drain() }
    }
  }
}

/// The events that were left for the owner of a coordinator's gate.
@usableFromInline
final class LeftEvents<Event> {
  @usableFromInline
  var events = Fifo<Event>()

  /// Whether another thread than the owner of the gate has left some of them.
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
