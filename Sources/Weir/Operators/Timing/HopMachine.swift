/// Keeps what comes in a queue and sends one of it on at each signal: behind `receive(on:)` and `delay`.
///
/// For every event one hop is scheduled, or one for all that wait when it arrives. Whichever hop arrives first takes what
/// has waited longest, so the order is kept on a scheduler that runs several at once, and the completion never overtakes a
/// value. A hop that finds another thread here, a sender for instance, sends nothing: it would arrive on that thread. The next
/// one to arrive makes up for all of those. One at a time is scheduled for that alone; if each came again, they would keep
/// the sender from sending.
@usableFromInline
struct HopMachine<Value, Failure: Error>: CoordinatorMachine {
  @usableFromInline
  typealias Input = Value

  @usableFromInline
  typealias Output = Value

  /// A hop to schedule; the raw value is the number of the signal that it ends with.
  @usableFromInline
  enum Effect: Int {
    /// Where and when the operator says.
    case schedule = 0
    /// There, as soon as the scheduler can: it makes up for hops that have found another thread here.
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

  /// Hops that have found another thread here; whether one is to make up for them, and whether it is to be scheduled.
  @usableFromInline
  var missed = 0

  @usableFromInline
  var isMakingUp = false

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
    if number < 0 { isMakingUp = false } else { isUnderWay = false }
    let due = drains ? values.count + 1 : missed + (number < 0 ? 0 : 1)
    arrived += min(due, HandOver.limit)
    missed = drains ? 0 : due - min(due, HandOver.limit)
    // Others want the scheduler, too.
    if due > HandOver.limit { makeUp() }
  }

  // Whoever has this thread is not where values are to arrive: another hop has to come.
  @inlinable
  mutating func signalLeft(_ number: Int) {
    if number < 0 { isMakingUp = false } else { isUnderWay = false }
    guard life.isRunning || life.ending != nil else { return }
    if number == 0 { missed += 1 }
    makeUp()
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

/// A coordinator whose machine hops.
@usableFromInline
typealias HopCoordinator<Downstream: Subscriber> = Coordinator<
  HopMachine<Downstream.Input, Downstream.Failure>, Downstream
>

extension Publisher {
  /// Subscribes through hops; `schedule` makes one, which ends with running the closure that it is given, and is to be at
  /// once if it comes again.
  @inlinable
  @inline(__always)
  func hop<S: Subscriber>(
    _ name: StaticString, for subscriber: S, drains: Bool = false,
    schedule: @escaping (_ isAgain: Bool, @escaping () -> Void) -> Void
  ) where S.Input == Output, S.Failure == Failure {
    let machine = HopMachine<Output, Failure>(drains: drains)
    let coordinator = HopCoordinator<S>(name, machine, downstream: subscriber) { coordinator, effect in
      schedule(effect == .scheduleAgain) { coordinator.signal(effect.rawValue) }
    }
    subscribe(Inlet(Plain<Output>.self, coordinator, number: 0))
  }
}
