/// The state machine of `debounce`, which keeps the latest value until no value has followed it for an interval.
///
/// Timers have numbers. The machine has no clock: a signal with the number of the latest timer means that the value is
/// due.
@usableFromInline
struct DebounceMachine<Output, Failure: Error>: CoordinatorMachine {
  @usableFromInline
  var state = UpstreamState()

  @usableFromInline
  var demand = Subscribers.Demand.none

  @usableFromInline
  var pending: Output?

  /// The number of the latest timer; signals of earlier timers are ignored.
  @usableFromInline
  var timer = 0

  /// The pending value or the completion is due.
  @usableFromInline
  var isDue = false

  @usableFromInline
  var effect: TimedEffect?

  @inlinable
  init() {}

  @usableFromInline
  func mirrorChildren(downstream: Any?) -> [Mirror.Child] {
    [
      ("downstream", unwrappedForMirror(downstream)), ("downstreamDemand", demand),
      ("currentValue", unwrappedForMirror(pending)),
    ]
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
    pending = value
    timer += 1
    effect = .start(timer)
    return .undecided
  }

  @inlinable
  mutating func completed(_ number: Int, _ completion: AnyCompletion) -> EventOutcome {
    guard state.completed(completion) else { return .nothing }
    pending = nil
    timer += 1
    effect = .schedule(timer)
    return .undecided
  }

  @inlinable
  mutating func signal(_ number: Int) -> EventOutcome {
    if number == timer { isDue = true }
    return .undecided
  }

  @inlinable
  mutating func enqueuedSignal(_ number: Int) -> EventOutcome {
    if number == timer { effect = .schedule(number) }
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
    timer += 1
    effect = .stop(.max)
  }

  @inlinable
  mutating func next() -> CoordinatorAction<Output, TimedEffect> {
    if let effect = effect.take() { return .effect(effect) }
    guard isDue else { return state.next() }
    isDue = false
    if let completion = state.ending {
      state.finish(completion)
      return state.next()
    }
    effect = .stop(timer)
    guard let value = pending.take(), demand > .none else { return next() }
    if demand != .unlimited { demand -= 1 }
    return .deliver(value)
  }
}
