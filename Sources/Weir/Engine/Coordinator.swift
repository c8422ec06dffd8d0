public import Synchronization

/// What an upstream, or a timer, tells a coordinator.
@usableFromInline
@frozen
enum CoordinatorEvent<Input, Failure: Error> {
  /// The upstream with this number has handed over its subscription.
  case subscribed(Int, any Subscription)
  /// It has sent a value.
  case value(Int, Input)
  /// It has ended.
  case completed(Int, Subscribers.Completion<Failure>)
  /// The operator tells its machine something of its own: a timer that is due, an upstream that is about to be opened.
  case signal(Int)
}

/// What a machine wants done.
///
/// The coordinator does it with no lock held.
@usableFromInline
@frozen
enum CoordinatorAction<Output, Failure: Error, Effect> {
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
/// Events are recorded by ``handle(_:)``, ``requested(_:)`` and ``cancelled()``; ``next()`` is the one place that decides
/// what follows from them, and is asked until it answers `nil`.
@usableFromInline
protocol CoordinatorMachine<Input, Output, Failure> {
  associatedtype Input
  associatedtype Output
  associatedtype Failure: Error
  associatedtype Effect = Never

  typealias Event = CoordinatorEvent<Input, Failure>
  typealias Action = CoordinatorAction<Output, Failure, Effect>

  mutating func handle(_ event: Event)

  mutating func requested(_ demand: Subscribers.Demand)

  /// The downstream has cancelled: forget all values, answer ``next()`` with the upstreams to cancel.
  mutating func cancelled()

  mutating func next() -> Action?

  // The short way for a value, past events and actions, which a machine may leave out.

  /// What `handle(.value(number, input))` does.
  mutating func receive(_ input: Input, from number: Int)

  /// The output that ``next()`` would deliver, if that is what it would do.
  mutating func nextOutput() -> Output?

  /// Whether ``next()`` would answer `nil`; it may say no although it would.
  ///
  /// It changes nothing, but as a getter it would copy the machine.
  mutating func isAtRest() -> Bool
}

extension CoordinatorMachine {
  @inlinable
  @inline(__always)
  mutating func receive(_ input: Input, from number: Int) {
    handle(.value(number, input))
  }

  @inlinable
  @inline(__always)
  mutating func nextOutput() -> Output? { nil }

  @inlinable
  @inline(__always)
  mutating func isAtRest() -> Bool { false }
}

/// Runs a machine between its upstreams and its downstream.
///
/// One thread at a time owns the machine and delivers; events that come meanwhile, from other threads or from inside a
/// delivery, wait in the inbox for the owner. Requests and effects go out when the machine is at rest and the gate open:
/// an upstream may answer at once, to any length, and is heard value by value.
@usableFromInline
final class Coordinator<Machine: CoordinatorMachine, Downstream: Subscriber>: Subscription, Described
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

  @usableFromInline
  let perform: (Coordinator, Machine.Effect) -> Void

  @usableFromInline
  let name: StaticString

  @inlinable
  init(
    _ name: StaticString, _ machine: Machine, downstream: Downstream,
    perform: @escaping (Coordinator, Machine.Effect) -> Void = { _, _ in }
  ) {
    self.name = name
    self.machine = machine
    held = Held(downstream)
    self.perform = perform
  }

  @usableFromInline
  var description: String { name.description }

  @inlinable
  var isCancelled: Bool {
    cancelRequested.load(ordering: .relaxed)
  }

  // MARK: Events

  /// Does what the machine asks before any event.
  @inlinable
  func begin() {
    if case .entered = gate.enter() { run() }
  }

  /// Subscribes to another upstream, unless the downstream has cancelled by now.
  @inlinable
  func unlessCancelled(_ subscribe: () -> Void) {
    if !isCancelled { subscribe() }
  }

  @inlinable
  func send(_ event: Machine.Event) {
    if case .entered = gate.enter() {
      machine.handle(event)
      run()
    } else {
      inbox.withLock { $0.append(event) }
      if gate.knock() { drain() }
    }
  }

  /// A value from the upstream with this number: the path that is taken again and again.
  @inlinable
  @inline(__always)
  func receive(_ input: Machine.Input, from number: Int) -> Subscribers.Demand {
    guard case .entered = gate.enter() else { return leaveForOwner(input, from: number) }
    machine.receive(input, from: number)
    while !isCancelled, let output = machine.nextOutput() {
      guard let more = held?.receive(output) else { break }
      if more != .none { machine.requested(more) }
    }
    guard machine.isAtRest(), !isCancelled else { return finishTurn(number) }
    return gate.leave() ? .none : takeUpTurn(number)
  }

  // Out of line, so that the path above stays short where it is inlined.

  @inlinable
  @inline(never)
  func leaveForOwner(_ input: Machine.Input, from number: Int) -> Subscribers.Demand {
    inbox.withLock { $0.append(.value(number, input)) }
    return gate.knock() ? drain(answering: number) : .none
  }

  @inlinable
  @inline(never)
  func finishTurn(_ number: Int) -> Subscribers.Demand {
    run(answering: number)
  }

  @inlinable
  @inline(never)
  func takeUpTurn(_ number: Int) -> Subscribers.Demand {
    drain(answering: number)
  }

  @inlinable
  func request(_ demand: Subscribers.Demand) {
    if demand == .none { return }
    if case .entered = gate.enter() {
      machine.requested(demand)
      run()
    } else {
      waitingDemand.addSaturating(demand)
      if gate.knock() { drain() }
    }
  }

  @inlinable
  func cancel() {
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
    var actions: [Machine.Action] = []

    @inlinable
    init(_ number: Int) {
      self.number = number
    }
  }

  @inlinable
  func takeUp(_ outgoing: inout Outgoing) {
    repeat {
      let demand = waitingDemand.exchange(0, ordering: .acquiring)
      if demand > 0 { machine.requested(Subscribers.Demand(rawValue: demand)) }
      settle(&outgoing)
      let events = inbox.withLock { inbox in
        var events: [Machine.Event] = []
        swap(&events, &inbox)
        return events
      }
      for event in events {
        machine.handle(event)
        settle(&outgoing)
      }
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
      switch action {
      case .deliver(let output):
        guard let more = held?.receive(output) else { continue }
        if more != .none { machine.requested(more) }
      case .announce:
        held?.downstream.receive(subscription: self)
      case .complete(let completion):
        held.take()?.downstream.receive(completion: completion)
      case .cancel(let subscription):
        subscription.cancel()
      case .request(outgoing.number, _, let demand):
        outgoing.answer += demand
      case .request, .effect:
        outgoing.actions.append(action)
      }
    }
  }

  @inlinable
  @inline(__always)
  func send(out outgoing: Outgoing) -> Subscribers.Demand {
    for action in outgoing.actions {
      switch action {
      case .request(_, let subscription, let demand): subscription.request(demand)
      case .effect(let effect): perform(self, effect)
      default: break
      }
    }
    return outgoing.answer
  }
}

/// The subscriber through which one upstream of a coordinator is heard.
@usableFromInline
struct Inlet<Entry: InletEntry, Machine: CoordinatorMachine, Downstream: Subscriber>: Subscriber, Subscription,
  Described
where
  Entry.Input == Machine.Input, Downstream.Input == Machine.Output, Downstream.Failure == Machine.Failure
{
  @usableFromInline
  let coordinator: Coordinator<Machine, Downstream>

  @usableFromInline
  let number: Int

  @inlinable
  init(_ entry: Entry.Type, _ coordinator: Coordinator<Machine, Downstream>, number: Int) {
    self.coordinator = coordinator
    self.number = number
  }

  @usableFromInline
  var description: String { coordinator.description }

  @usableFromInline
  var combineIdentifier: CombineIdentifier { coordinator.combineIdentifier }

  @inlinable
  func receive(subscription: any Subscription) {
    coordinator.send(.subscribed(number, subscription))
  }

  @inlinable
  func receive(_ value: Entry.Value) -> Subscribers.Demand {
    coordinator.receive(Entry.wrap(value), from: number)
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Machine.Failure>) {
    coordinator.send(.completed(number, completion))
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    coordinator.request(demand)
  }

  @usableFromInline
  func cancel() {
    coordinator.cancel()
  }
}

/// How the values of one upstream become a machine's inputs.
@usableFromInline
protocol InletEntry<Value, Input> {
  associatedtype Value
  associatedtype Input
  static func wrap(_ value: Value) -> Input
}

/// The values are the inputs.
@usableFromInline
enum Plain<Value>: InletEntry {
  @inlinable
  static func wrap(_ value: Value) -> Value { value }
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
