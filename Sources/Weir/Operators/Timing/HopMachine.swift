/// Keeps what comes in a queue and sends one of it on at each signal: behind `receive(on:)` and `delay`.
///
/// For every event one hop is scheduled, or one for all that wait when it arrives. Whichever hop arrives first takes what
/// has waited longest, so the order is kept on a scheduler that runs several at once, and the completion never overtakes a
/// value.
///
/// One hop delivers at most ``HandOver/limit`` values. The rest has to wait for another hop, which is scheduled behind the
/// other work of the scheduler.
///
/// A hop that finds another thread here, a sender for instance, delivers nothing, because it would deliver on that thread.
/// The next hop that arrives makes up for all of these. At most one hop at a time is scheduled for that alone: if each of
/// them was scheduled again, they could keep the sender busy.
@usableFromInline
struct HopMachine<Value, Failure: Error>: CoordinatorMachine {
  @usableFromInline
  typealias Input = Value

  @usableFromInline
  typealias Output = Value

  /// A hop to schedule; the raw value is the number of its signal.
  @usableFromInline
  enum Effect: Int {
    /// A hop where and when the operator says.
    case schedule = 0
    /// A hop for events that are overdue, as soon as the scheduler can.
    case scheduleAgain = -1
  }

  @usableFromInline
  var life = UpstreamLife<Failure>()

  @usableFromInline
  var values = Fifo<Value>()

  /// Hops that are to be scheduled, and hops that have arrived and may send something on.
  @usableFromInline
  var toSchedule = 0

  @usableFromInline
  var arrived = 0

  /// How many hops have delivered nothing although they have arrived.
  @usableFromInline
  var missed = 0

  /// A hop that makes up for them has been scheduled and has not arrived.
  @usableFromInline
  var isMakingUp = false

  /// A hop that makes up for them is to be scheduled.
  @usableFromInline
  var makesUp = false

  /// One hop takes all that waits.
  @usableFromInline
  let drains: Bool

  /// A hop that takes all has been scheduled and has not arrived.
  @usableFromInline
  var isUnderWay = false

  @inlinable
  init(drains: Bool = false) {
    self.drains = drains
  }

  @usableFromInline
  func outermostGate(of thread: UInt, from number: Int) -> _Gated? { life.outermostGate(of: thread) }

  @inlinable
  mutating func subscribed(to number: Int, _ subscription: any Subscription) {
    life.subscribed(subscription)
  }

  @inlinable
  mutating func receive(_ value: Value, from number: Int) {
    guard life.isRunning else { return }
    values.append(value)
    schedule()
  }

  @inlinable
  mutating func completed(_ number: Int, _ completion: Subscribers.Completion<Failure>) {
    if life.completed(completion) { schedule() }
  }

  @inlinable
  mutating func signal(_ number: Int) {
    note(number)
    // A hop that arrives during a delivery, in a nested run loop for instance, adds to the turn that is in progress.
    let due = arrived + (drains ? values.count + 1 : missed + (number < 0 ? 0 : 1))
    arrived = min(due, HandOver.limit)
    if !drains { missed = due - arrived }
    let isMoreDue = drains ? values.count + (life.ending == nil ? 0 : 1) > arrived : missed > 0
    if isMoreDue { makeUp() }
  }

  // This runs on the gate owner's thread, not on the scheduler, so it schedules another hop.
  @inlinable
  mutating func signalLeft(_ number: Int) {
    note(number)
    guard life.isRunning || life.ending != nil else { return }
    if !drains, number == 0 { missed += 1 }
    makeUp()
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
  mutating func finish(_ completion: Subscribers.Completion<Failure>?) {
    life.finish(completion)
    values.removeAll()
    toSchedule = 0
    arrived = 0
    missed = 0
    makesUp = false
  }

  @inlinable
  mutating func next() -> CoordinatorAction<Value, Failure, Effect>? {
    if arrived > 0 {
      arrived -= 1
      if let value = values.popFirst() { return .deliver(value) }
      if let completion = life.ending { finish(completion) }
      arrived = 0
    }
    if toSchedule > 0 {
      toSchedule -= 1
      return .effect(.schedule)
    }
    if makesUp {
      makesUp = false
      return .effect(.scheduleAgain)
    }
    return life.next()
  }
}

extension Publisher {
  /// Attaches a downstream through hops.
  ///
  /// `schedule` makes a hop, which runs the closure that `schedule` receives. An overdue hop is to run as soon as possible.
  @inlinable
  func hop(
    _ name: StaticString, for downstream: Downstream<Output, Failure>, drains: Bool = false,
    schedule: @escaping (_ isOverdue: Bool, @escaping () -> Void) -> Void
  ) {
    let coordinator = Coordinator(
      name, HopMachine<Output, Failure>(drains: drains), downstream: downstream
    ) { coordinator, effect in
      schedule(effect == .scheduleAgain) { coordinator.signal(effect.rawValue) }
    }
    coordinator.attach(to: self)
  }
}
