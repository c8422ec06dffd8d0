/// The state machine of `receive(on:)` and `delay`, which buffers events and sends one of them at each signal.
///
/// One hop is scheduled for each event, or one for all events that are pending when the hop arrives. The first hop to
/// arrive takes the oldest event. So the order is preserved on a concurrent scheduler, and the completion never
/// overtakes a value.
///
/// One hop delivers at most ``HandOver/limit`` values. Another hop, which is scheduled behind the scheduler's other
/// work, delivers the rest.
///
/// A hop that finds the gate owned by another thread, such as a sender, delivers nothing, because it would deliver on
/// that thread. The next hop to arrive delivers the events of all such hops. At most one additional hop is scheduled
/// for that purpose at a time. If each of them was scheduled again, they could keep the sender busy.
@usableFromInline
struct HopMachine<Output, Failure: Error>: CoordinatorMachine {
  @usableFromInline
  var life = UpstreamState()

  @usableFromInline
  var values = CircularBuffer<Output>()

  /// The number of hops to schedule, and the number of arrived hops that can still deliver an event.
  @usableFromInline
  var toSchedule = 0

  @usableFromInline
  var arrived = 0

  /// The number of arrived hops that have delivered nothing.
  @usableFromInline
  var missed = 0

  /// A hop for the missed events has been scheduled and has not arrived.
  @usableFromInline
  var isMakingUp = false

  /// A hop for the missed events must be scheduled.
  @usableFromInline
  var makesUp = false

  /// Whether one hop takes all pending events.
  @usableFromInline
  let drains: Bool

  /// A hop that takes all pending events has been scheduled and has not arrived.
  @usableFromInline
  var isUnderWay = false

  @inlinable
  init(drains: Bool = false) {
    self.drains = drains
  }

  @usableFromInline
  func outermostGate(of thread: UInt, from number: Int) -> _Gated? { life.outermostGate(of: thread) }

  @inlinable
  mutating func subscribed(to number: Int, _ subscription: SubscriptionObject) -> EventOutcome {
    life.subscribed(subscription)
    return .undecided
  }

  @inlinable
  mutating func receive(_ value: Output, from number: Int) -> ValueOutcome<Output> {
    guard life.isRunning else { return .nothing }
    values.append(value)
    schedule()
    return .undecided
  }

  @inlinable
  mutating func completed(_ number: Int, _ completion: AnyCompletion) -> EventOutcome {
    if life.completed(completion) { schedule() }
    return .undecided
  }

  @inlinable
  mutating func signal(_ number: Int) -> EventOutcome {
    note(number)
    // A hop during a delivery, from a nested run loop for instance, extends the delivery that is in progress.
    let due = arrived + (drains ? values.count + 1 : missed + (number < 0 ? 0 : 1))
    arrived = min(due, HandOver.limit)
    if !drains { missed = due - arrived }
    let isMoreDue = drains ? values.count + (life.ending == nil ? 0 : 1) > arrived : missed > 0
    if isMoreDue { makeUp() }
    return .undecided
  }

  // This runs on the gate owner's thread, not on the scheduler, so it schedules another hop.
  @inlinable
  mutating func enqueuedSignal(_ number: Int) -> EventOutcome {
    note(number)
    guard life.isRunning || life.ending != nil else { return .nothing }
    if !drains, number == 0 { missed += 1 }
    makeUp()
    return .undecided
  }

  @inlinable
  mutating func note(_ number: Int) {
    if number < 0 { isMakingUp = false } else { isUnderWay = false }
  }

  @inlinable
  mutating func makeUp() {
    if isMakingUp { return }
    isMakingUp = true
    makesUp = true
  }

  @inlinable
  mutating func schedule() {
    if isUnderWay || drains && isMakingUp { return }
    isUnderWay = drains
    toSchedule += 1
  }

  @inlinable
  mutating func requested(_ more: Subscribers.Demand) {
    life.toRequest += more
  }

  @inlinable
  mutating func cancelled() {
    finish(nil)
  }

  @inlinable
  mutating func finish(_ completion: AnyCompletion?) {
    life.finish(completion)
    values.removeAll()
    toSchedule = 0
    arrived = 0
    missed = 0
    makesUp = false
  }

  @inlinable
  @inline(__always)
  mutating func next() -> CoordinatorAction<Output, TimedEffect> {
    if arrived > 0 {
      if values.count > 0 { return nextValue() }
      if let completion = life.ending { finish(completion) }
      arrived = 0
    }
    if toSchedule > 0 {
      toSchedule -= 1
      return .effect(.schedule(HopSignal.next))
    }
    if makesUp {
      makesUp = false
      return .effect(.schedule(HopSignal.overdue))
    }
    return life.next()
  }

  /// Returns the delivery of the oldest value.
  ///
  /// Performance: a method of its own. In a debug build, `next()` would look the type of the optional value up.
  @inlinable
  mutating func nextValue() -> CoordinatorAction<Output, TimedEffect> {
    guard let value = values.popFirst() else { return .nothing }
    arrived -= 1
    return .deliver(value)
  }
}

/// The numbers of a hop's signal.
@usableFromInline
enum HopSignal {
  /// The hop that the operator schedules with its own delay.
  @inlinable
  static var next: Int { 0 }

  /// The hop for overdue events, as soon as possible.
  @inlinable
  static var overdue: Int { -1 }
}

extension Publisher {
  /// Attaches a downstream through hops.
  ///
  /// `schedule` schedules a hop, which must run the closure that `schedule` receives. An overdue hop must run as soon
  /// as possible.
  @inlinable
  func hop(
    _ name: StaticString, for downstream: consuming Downstream<Output, Failure>, drains: Bool = false,
    schedule: @escaping (_ isOverdue: Bool, @escaping () -> Void) -> Void
  ) {
    let coordinator = Coordinator(
      name, HopMachine<Output, Failure>(drains: drains), downstream: downstream
    ) { coordinator, effect in
      guard case .schedule(let number) = effect else { return }
      schedule(number == HopSignal.overdue) { coordinator.signal(number) }
    }
    coordinator.attach(to: self)
  }
}
