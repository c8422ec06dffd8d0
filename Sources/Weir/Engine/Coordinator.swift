public import Synchronization

/// What an upstream, or a timer, tells a coordinator whose gate is taken.
@usableFromInline
@frozen
package enum CoordinatorEvent<Input, Failure: Error> {
  /// The upstream with this number has handed over its subscription.
  case subscribed(Int, any Subscription)
  /// It has sent a value.
  case value(Int, Input)
  /// It has ended.
  case completed(Int, Subscribers.Completion<Failure>)
  /// The operator tells its machine something of its own: a timer that is due, an upstream that is about to be opened.
  case signal(Int)
  /// A signal that found another thread here.
  case signalLeft(Int)
  /// The upstream with this number has been asked: for the coordinator alone.
  case asked(Int)
}

/// What a machine wants done.
///
/// The coordinator does it with no lock held.
@usableFromInline
@frozen
package enum CoordinatorAction<Output, Failure: Error, Effect> {
  /// Hand the subscription downstream.
  case announce
  /// Send a value downstream; the demand that comes back is told to the machine.
  case deliver(Output)
  /// End; nothing follows.
  case complete(Subscribers.Completion<Failure>)
  /// Cancel an upstream.
  case cancel(any Subscription)
  /// Ask the upstream with this number for values.
  case request(Int, any Subscription, Subscribers.Demand)
  /// Something that only this operator knows how to do.
  case effect(Effect)
}

/// The decisions of an operator that hears from more than one place: a value, with explicit states and no side effects.
///
/// Events are recorded by the methods of the first group; ``next()`` is the one place that decides what follows from them,
/// and is asked until it answers `nil`.
@usableFromInline
package protocol CoordinatorMachine<Input, Output, Failure> {
  associatedtype Input
  associatedtype Output
  associatedtype Failure: Error
  associatedtype Effect = Never

  typealias Event = CoordinatorEvent<Input, Failure>
  typealias Action = CoordinatorAction<Output, Failure, Effect>

  /// The upstream with this number has handed over its subscription.
  mutating func subscribed(to number: Int, _ subscription: any Subscription)

  /// It has sent a value.
  mutating func receive(_ input: Input, from number: Int)

  /// It has ended.
  mutating func completed(_ number: Int, _ completion: Subscribers.Completion<Failure>)

  /// The operator tells its machine something of its own: a timer that is due, an upstream that is about to be opened.
  mutating func signal(_ number: Int)

  /// The same of a signal that found another thread here, which is the one that calls: not where the signal came.
  mutating func signalLeft(_ number: Int)

  mutating func requested(_ demand: Subscribers.Demand)

  /// The downstream has cancelled: forget all values, answer ``next()`` with the upstreams to cancel.
  mutating func cancelled()

  mutating func next() -> Action?

  // The short way for a value, past actions, which a machine may leave out.

  /// An upstream with this number consists of this value: false if it has to be subscribed to all the same.
  mutating func receive(only input: Input, from number: Int) -> Bool

  /// The output that ``next()`` would deliver, if that is what it would do.
  mutating func nextOutput() -> Output?

  /// What ``next()`` would ask of the upstream with this number, from which something has just come.
  mutating func answer(to number: Int) -> Subscribers.Demand

  /// What mirrors show, where the upstream is one.
  func reflected(downstream: Any?) -> [Mirror.Child]

  /// Whether ``next()`` would answer `nil`; it may say no although it would.
  ///
  /// It changes nothing, but as a getter it would copy the machine.
  mutating func isAtRest() -> Bool
}

extension CoordinatorMachine {
  /// Takes an event apart.
  @inlinable
  @inline(__always)
  package mutating func handle(_ event: Event) {
    switch event {
    case .subscribed(let number, let subscription): subscribed(to: number, subscription)
    case .value(let number, let input): receive(input, from: number)
    case .completed(let number, let completion): completed(number, completion)
    case .signal(let number): signal(number)
    case .signalLeft(let number): signalLeft(number)
    case .asked: break
    }
  }

  @inlinable
  package mutating func signal(_ number: Int) {}

  @inlinable
  package mutating func signalLeft(_ number: Int) { signal(number) }

  @inlinable
  @inline(__always)
  package mutating func receive(only input: Input, from number: Int) -> Bool { false }

  @inlinable
  @inline(__always)
  package mutating func nextOutput() -> Output? { nil }

  @inlinable
  @inline(__always)
  package mutating func answer(to number: Int) -> Subscribers.Demand { .none }

  @inlinable
  @inline(__always)
  package mutating func isAtRest() -> Bool { false }

  @usableFromInline
  package func reflected(downstream: Any?) -> [Mirror.Child] { [] }
}

/// The subscription that a coordinator hands downstream.
///
/// It knows no types: a call through `any Subscription` would run generic code unspecialised, so what it does is a function
/// formed where the types are known.
@usableFromInline
package class CoordinatorSubscription: Subscription, Described {
  @usableFromInline
  enum Action {
    case request(Subscribers.Demand)
    case cancel
  }

  @usableFromInline
  final let act: (CoordinatorSubscription, Action) -> Void

  @usableFromInline
  final let name: StaticString

  @inlinable
  init(_ name: StaticString, act: @escaping (CoordinatorSubscription, Action) -> Void) {
    self.name = name
    self.act = act
  }

  @usableFromInline
  package final var description: String { name.description }

  @usableFromInline
  package var reflected: [Mirror.Child] { [] }

  @usableFromInline
  package final func request(_ demand: Subscribers.Demand) {
    if demand != .none { act(self, .request(demand)) }
  }

  @usableFromInline
  package final func cancel() {
    act(self, .cancel)
  }
}

/// Runs a machine between its upstreams and its downstream.
///
/// One thread at a time owns the machine and delivers; events that come meanwhile from other threads, and values from inside
/// a delivery, wait in the inbox for the owner. Requests and effects go out when the machine is at rest and the gate open:
/// an upstream may answer at once, to any length, and is heard value by value. No upstream is asked by two threads at once.
@usableFromInline
package final class Coordinator<Machine: CoordinatorMachine, Downstream: Subscriber>: CoordinatorSubscription
where Downstream.Input == Machine.Output, Downstream.Failure == Machine.Failure {
  @usableFromInline
  let gate = Gate()

  @usableFromInline
  let inbox = Locked<[Machine.Event]>([])

  /// Demand that came while the gate was taken.
  @usableFromInline
  let waitingDemand = Atomic<UInt>(0)

  @usableFromInline
  let cancelRequested = Atomic<Bool>(false)

  // The gate's owner alone touches the machine and the downstream.
  @usableFromInline
  @exclusivity(unchecked)
  var machine: Machine

  @usableFromInline
  @exclusivity(unchecked)
  var held: Held<Downstream>?

  /// A delivery is under way, so the machine is whole: what comes from inside may be told to it at once.
  @usableFromInline
  @exclusivity(unchecked)
  var isDelivering = false

  /// Events that waited are being gone through: none may overtake them.
  @usableFromInline
  @exclusivity(unchecked)
  var isTakingUp = false

  @usableFromInline
  @exclusivity(unchecked)
  var asking = Asking()

  @usableFromInline
  let perform: (Coordinator, Machine.Effect) -> Void

  @inlinable
  package init(
    _ name: StaticString, _ machine: Machine, downstream: Downstream,
    perform: @escaping (Coordinator, Machine.Effect) -> Void = { _, _ in }
  ) {
    self.machine = machine
    held = Held(downstream)
    self.perform = perform
    super.init(name) { coordinator, action in
      let coordinator = unsafeDowncast(coordinator, to: Coordinator.self)
      switch action {
      case .request(let demand): coordinator.requested(demand)
      case .cancel: coordinator.cancelled()
      }
    }
  }

  /// What the machine shows, unless another thread has it in its hands.
  @usableFromInline
  package override var reflected: [Mirror.Child] {
    switch gate.enter() {
    case .entered:
      defer { if !gate.leave() { drain() } }
      return machine.reflected(downstream: held?.downstream)
    case .nested where isDelivering: return machine.reflected(downstream: held?.downstream)
    case .nested, .busy: return []
    }
  }

  @inlinable
  var isCancelled: Bool {
    cancelRequested.load(ordering: .relaxed)
  }

  // MARK: Events

  /// Does what the machine asks before any event.
  @inlinable
  package func begin() {
    if case .entered = gate.enter() { run() }
  }

  /// Subscribes to another upstream, unless the downstream has cancelled by now.
  @inlinable
  package func unlessCancelled(_ subscribe: () -> Void) {
    if !isCancelled { subscribe() }
  }

  @usableFromInline
  enum Turn {
    /// The gate is this thread's: tell the machine, then finish the turn.
    case own
    /// A delivery further up this thread's stack goes on when it returns: tell the machine.
    case inner
    /// Leave the event for the owner.
    case later
  }

  @inlinable
  @inline(__always)
  func takeTurn() -> Turn {
    switch gate.enter() {
    case .entered: .own
    case .nested: isDelivering && !isTakingUp && !gate.isKnocked ? .inner : .later
    case .busy: .later
    }
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
      let demand = finishTurn(answering: number)
      if demand != .none { subscription.request(demand) }
      if isFirst { endTurn(asked: number) }
    case .inner:
      tellInside { machine.subscribed(to: number, subscription) }
    case .later:
      leave(.subscribed(number, subscription))
    }
  }

  @inlinable
  package func completed(_ number: Int, _ completion: Subscribers.Completion<Machine.Failure>) {
    switch takeTurn() {
    case .own:
      tellCompleted(number, completion)
      finishTurn()
    case .inner:
      tellInside { tellCompleted(number, completion) }
    case .later:
      leave(.completed(number, completion))
    }
  }

  /// Who has ended is not asked any more.
  @inlinable
  func tellCompleted(_ number: Int, _ completion: Subscribers.Completion<Machine.Failure>) {
    _ = asking.takeWaiting(for: number)
    machine.completed(number, completion)
  }

  @inlinable
  package func signal(_ number: Int) {
    switch takeTurn() {
    case .own:
      machine.signal(number)
      finishTurn()
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
    machine.receive(input, from: number)
    return finishTurn(answering: number)
  }

  /// An upstream that is opened and consists of one value; false if it has to be subscribed to.
  @inlinable
  @inline(__always)
  func receive(only input: Machine.Input, from number: Int) -> Bool {
    guard case .entered = gate.enter() else { return false }
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
    let answer = machine.answer(to: number)
    guard machine.isAtRest(), !isCancelled else { return answer + runTurn(number) }
    return gate.leave() ? answer : answer + takeUpTurn(number)
  }

  @inlinable
  @inline(__always)
  func deliver(_ output: Machine.Output) -> Subscribers.Demand? {
    isDelivering = true
    let more = held?.receive(output)
    isDelivering = false
    return more
  }

  // Out of line, so that the path above stays short where it is inlined.

  @inlinable
  @inline(never)
  @discardableResult
  func leave(_ event: Machine.Event, answering number: Int = .min) -> Subscribers.Demand {
    inbox.withLock { $0.append(event) }
    return gate.knock() ? drain(answering: number) : .none
  }

  @inlinable
  @inline(never)
  func runTurn(_ number: Int) -> Subscribers.Demand {
    run(answering: number)
  }

  @inlinable
  @inline(never)
  func takeUpTurn(_ number: Int) -> Subscribers.Demand {
    drain(answering: number)
  }

  @inlinable
  func requested(_ demand: Subscribers.Demand) {
    switch gate.enter() {
    case .entered:
      machine.requested(demand)
      finishTurn()
    case .nested where isDelivering:
      tellInside { machine.requested(demand) }
    case .nested, .busy:
      waitingDemand.addSaturating(demand)
      if gate.knock() { drain() }
    }
  }

  @inlinable
  func cancelled() {
    if cancelRequested.exchange(true, ordering: .acquiringAndReleasing) { return }
    if case .entered = gate.enter() {
      run()
    } else if gate.knock() {
      drain()
    }
  }

  // MARK: For the gate's owner

  /// Does what the machine asks until it is at rest and nothing more has come, opens the gate, and lets the rest go out.
  @inlinable
  @discardableResult
  func run(answering number: Int = .min) -> Subscribers.Demand {
    var outgoing = Outgoing(number)
    settle(&outgoing)
    if !gate.leave() { takeUp(&outgoing) }
    return send(out: outgoing)
  }

  /// Takes up what was left, then runs.
  @inlinable
  @discardableResult
  func drain(answering number: Int = .min) -> Subscribers.Demand {
    var outgoing = Outgoing(number)
    takeUp(&outgoing)
    return send(out: outgoing)
  }

  /// What is sent to upstreams and schedulers when the gate is open again.
  @usableFromInline
  struct Outgoing {
    /// The upstream that is being answered, and the answer.
    @usableFromInline
    let number: Int

    @usableFromInline
    var answer = Subscribers.Demand.none

    @usableFromInline
    var answered = SubscriptionSlot()

    /// What is asked of others.
    @usableFromInline
    var requests = Fifo<Asking.Request>()

    @usableFromInline
    var effects: [Machine.Effect] = []

    @inlinable
    package init(_ number: Int) {
      self.number = number
    }
  }

  @inlinable
  func ask(_ request: Asking.Request, _ outgoing: inout Outgoing) {
    if request.number == outgoing.number {
      outgoing.answer += request.demand
      outgoing.answered = SubscriptionSlot(request.subscription)
    } else if asking.begin(request.number) {
      outgoing.requests.append(request)
    } else {
      asking.waiting.append(request)
    }
  }

  /// A request has returned: what came up for that upstream meanwhile goes out next.
  @inlinable
  func endAsking(_ number: Int, _ outgoing: inout Outgoing) {
    asking.end(number)
    if let next = asking.takeWaiting(for: number) { ask(next, &outgoing) }
  }

  /// Tells of a request that has returned, with the gate open.
  @inlinable
  func leaveAsking(_ number: Int, _ outgoing: inout Outgoing) {
    if case .entered = gate.enter() {
      endAsking(number, &outgoing)
      if !gate.leave() { takeUp(&outgoing) }
    } else {
      inbox.withLock { $0.append(.asked(number)) }
      if gate.knock() { takeUp(&outgoing) }
    }
  }

  @inlinable
  @inline(never)
  func endTurn(asked number: Int) {
    var outgoing = Outgoing(.min)
    leaveAsking(number, &outgoing)
    _ = send(out: outgoing)
  }

  /// Cancels an upstream, and forgets what was to be asked of it.
  @inlinable
  func cancel(_ subscription: any Subscription, _ outgoing: inout Outgoing) {
    asking.forget(subscription)
    if outgoing.answered.isFull || !outgoing.requests.isEmpty {
      let cancelled = subscription.combineIdentifier
      if outgoing.answered.content.combineIdentifier == cancelled { outgoing.answer = .none }
      var kept = Fifo<Asking.Request>()
      while let request = outgoing.requests.popFirst() {
        if request.subscription.combineIdentifier == cancelled {
          asking.end(request.number)
        } else {
          kept.append(request)
        }
      }
      outgoing.requests = kept
    }
    subscription.cancel()
  }

  @inlinable
  func takeUp(_ outgoing: inout Outgoing) {
    repeat {
      isTakingUp = true
      let demand = waitingDemand.exchange(0, ordering: .acquiring)
      if demand > 0 { machine.requested(Subscribers.Demand(rawValue: demand)) }
      settle(&outgoing)
      let events = inbox.withLock { inbox in
        var events: [Machine.Event] = []
        swap(&events, &inbox)
        return events
      }
      for event in events {
        switch event {
        case .asked(let number): endAsking(number, &outgoing)
        case .completed(let number, let completion): tellCompleted(number, completion)
        default: machine.handle(event)
        }
        settle(&outgoing)
      }
      isTakingUp = false
    } while !gate.leave()
  }

  @inlinable
  @inline(__always)
  func settle(_ outgoing: inout Outgoing) {
    while true {
      if isCancelled, held != nil {
        held = nil
        machine.cancelled()
      }
      guard let action = machine.next() else { return }
      assertNoLockIsHeld()
      switch action {
      case .deliver(let output):
        guard let more = deliver(output) else { continue }
        if more != .none { machine.requested(more) }
      case .announce:
        isDelivering = true
        held?.downstream.receive(subscription: self)
        isDelivering = false
      case .complete(let completion):
        held.take()?.downstream.receive(completion: completion)
      case .cancel(let subscription):
        cancel(subscription, &outgoing)
      case .request(let number, let subscription, let demand):
        ask((number, subscription, demand), &outgoing)
      case .effect(let effect):
        outgoing.effects.append(effect)
      }
    }
  }

  @inlinable
  @inline(__always)
  func send(out outgoing: Outgoing) -> Subscribers.Demand {
    if outgoing.requests.isEmpty, outgoing.effects.isEmpty { return outgoing.answer }
    return sendAll(outgoing)
  }

  @inlinable
  @inline(never)
  func sendAll(_ sent: Outgoing) -> Subscribers.Demand {
    assertNoLockIsHeld()
    var outgoing = sent
    while let (number, subscription, demand) = outgoing.requests.popFirst() {
      subscription.request(demand)
      leaveAsking(number, &outgoing)
    }
    for effect in outgoing.effects { perform(self, effect) }
    return outgoing.answer
  }
}

/// The subscriber through which one upstream of a coordinator is heard.
@usableFromInline
package struct Inlet<Entry: InletEntry, Machine: CoordinatorMachine, Downstream: Subscriber>: Subscriber, Subscription,
  Described
where
  Entry.Input == Machine.Input, Downstream.Input == Machine.Output, Downstream.Failure == Machine.Failure
{
  @usableFromInline
  let coordinator: Coordinator<Machine, Downstream>

  @usableFromInline
  let number: Int

  @inlinable
  package init(_ entry: Entry.Type, _ coordinator: Coordinator<Machine, Downstream>, number: Int) {
    self.coordinator = coordinator
    self.number = number
  }

  @usableFromInline
  package var description: String { coordinator.description }

  @usableFromInline
  package var reflected: [Mirror.Child] { Entry.reflected(coordinator) }

  @usableFromInline
  package var combineIdentifier: CombineIdentifier { coordinator.combineIdentifier }

  @inlinable
  package func receive(subscription: any Subscription) {
    coordinator.subscribed(to: number, subscription)
  }

  @inlinable
  package func receive(_ value: Entry.Value) -> Subscribers.Demand {
    coordinator.receive(Entry.wrap(value), from: number)
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Machine.Failure>) {
    coordinator.completed(number, completion)
  }

  // The downstream has the coordinator; only the upstream gets here, which has other ways to end.

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {}

  @usableFromInline
  package func cancel() {}
}

/// How the values of one upstream become a machine's inputs.
@usableFromInline
package protocol InletEntry<Value, Input> {
  associatedtype Value
  associatedtype Input
  static func wrap(_ value: Value) -> Input

  /// What the upstream's subscriber shows.
  static func reflected(_ coordinator: CoordinatorSubscription) -> [Mirror.Child]
}

extension InletEntry {
  @usableFromInline
  package static func reflected(_ coordinator: CoordinatorSubscription) -> [Mirror.Child] { coordinator.reflected }
}

/// The values are the inputs.
@usableFromInline
package enum Plain<Value>: InletEntry {
  @inlinable
  package static func wrap(_ value: Value) -> Value { value }
}

/// The values are the inputs, of an upstream that another one has brought.
@usableFromInline
enum Opened<Value>: InletEntry {
  @inlinable
  static func wrap(_ value: Value) -> Value { value }

  @usableFromInline
  static func reflected(_ coordinator: CoordinatorSubscription) -> [Mirror.Child] {
    [("parentSubscription", coordinator.combineIdentifier)]
  }
}

extension Atomic where Value == UInt {
  /// Adds a demand, which becomes unlimited when it overflows.
  @inlinable
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
