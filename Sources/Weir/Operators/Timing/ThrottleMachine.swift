/// The state machine of `throttle`, which sends one value in each interval.
///
/// A value that arrives while no delivery is scheduled schedules one, immediately or when the interval since the last
/// delivery ends. A value that arrives before that delivery replaces the scheduled value or is dropped.
@usableFromInline
struct ThrottleMachine<Output, Failure: Error>: CoordinatorMachine {
  @usableFromInline
  let latest: Bool

  @usableFromInline
  var state = UpstreamState()

  @usableFromInline
  var demand = Subscribers.Demand.none

  /// The value that is scheduled.
  @usableFromInline
  var pending: Output?

  @usableFromInline
  var isDue = false

  @usableFromInline
  var effect: ThrottleEffect?

  @inlinable
  init(latest: Bool) {
    self.latest = latest
  }

  @usableFromInline
  func outermostGate(of thread: UInt, from number: Int) -> _Gated? { state.outermostGate(of: thread) }

  @inlinable
  mutating func subscribed(to number: Int, _ subscription: SubscriptionObject) -> EventOutcome {
    state.subscribed(subscription, asking: .unlimited)
    return .undecided
  }

  @inlinable
  mutating func receive(_ value: Output, from number: Int) -> ValueOutcome<Output> {
    guard state.isRunning else { return .nothing }
    if pending != nil {
      if latest { pending = value }
      return .nothing
    }
    if demand == .none { return .nothing }
    if demand != .unlimited { demand -= 1 }
    pending = value
    effect = .scheduleValue
    return .undecided
  }

  @inlinable
  mutating func completed(_ number: Int, _ completion: AnyCompletion) -> EventOutcome {
    // The completion is delivered with the scheduled value, if there is one.
    if state.completed(completion), pending == nil { effect = .scheduleAtOnce }
    return .undecided
  }

  @inlinable
  mutating func signal(_ number: Int) -> EventOutcome {
    isDue = true
    return .undecided
  }

  @inlinable
  mutating func enqueuedSignal(_ number: Int) -> EventOutcome {
    if pending != nil || state.ending != nil { effect = .scheduleAtOnce }
    return .undecided
  }

  @inlinable
  mutating func requested(_ more: Subscribers.Demand) {
    demand += more
  }

  @inlinable
  mutating func cancelled() {
    state.finish(nil)
    pending = nil
    effect = nil
    isDue = false
  }

  @inlinable
  mutating func next() -> CoordinatorAction<Output, ThrottleEffect> {
    if isDue {
      if let value = pending.take() {
        isDue = state.ending != nil
        return .deliver(value)
      }
      isDue = false
      if let completion = state.ending { state.finish(completion) }
    }
    if let effect = effect.take() { return .effect(effect) }
    return state.next()
  }
}

@usableFromInline
enum ThrottleEffect: Int {
  /// Send a signal on the scheduler, when the interval since the last delivery has ended.
  case scheduleValue
  /// Send a signal as soon as possible, on the scheduler.
  ///
  /// It delivers the completion, or events that were due while another thread owned the gate.
  case scheduleAtOnce
}
