/// Keeps what comes in a queue and sends one of it on at each signal: behind `receive(on:)` and `delay`.
///
/// For every event one hop is scheduled, or one for all that wait when it arrives. Whichever hop arrives first takes what
/// has waited longest, so the order is kept on a scheduler that runs several at once, and the completion never overtakes a
/// value. A hop that finds another thread here, a sender for instance, comes once more: what it was to send on would else arrive
/// on that thread.
@usableFromInline
struct HopMachine<Value, Failure: Error>: CoordinatorMachine {
  @usableFromInline
  typealias Input = Value

  @usableFromInline
  typealias Output = Value

  @usableFromInline
  enum Effect {
    /// Let a signal come, where and when the operator says.
    case schedule
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
    arrived += drains ? values.count + 1 : 1
    isUnderWay = false
  }

  // Whoever has this thread is not where values are to arrive: another hop has to come.
  @inlinable
  mutating func signalLeft(_ number: Int) {
    isUnderWay = false
    if life.isRunning || life.ending != nil { schedule() }
  }

  @inlinable
  mutating func schedule() {
    if isUnderWay { return }
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
    return life.next()
  }
}

extension Publisher {
  /// Attaches a downstream through hops; `schedule` makes one, which ends with running the closure that it is given.
  @inlinable
  func hop(
    _ name: StaticString, for downstream: Downstream<Output, Failure>, drains: Bool = false,
    schedule: @escaping (@escaping () -> Void) -> Void
  ) {
    let coordinator = Coordinator(
      name, HopMachine<Output, Failure>(drains: drains), downstream: downstream
    ) { coordinator, _ in
      schedule { coordinator.signal(0) }
    }
    coordinator.attach(to: self)
  }
}
