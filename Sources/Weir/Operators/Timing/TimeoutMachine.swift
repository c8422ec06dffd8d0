/// The state machine of `timeout`, which forwards events by hops until no value has arrived for an interval.
///
/// Timers have positive numbers, and hops have those of ``HopMachine``. The machine has no clock: a signal with the
/// number of the latest timer means that the interval has ended.
@usableFromInline
struct TimeoutMachine<Output, Failure: Error>: CoordinatorMachine {
  @usableFromInline
  var hops = HopMachine<Output, Failure>()

  /// Creates the completion when the interval ends.
  @usableFromInline
  let timeout: () -> AnyCompletion

  /// The number of the latest timer; signals of earlier timers are ignored.
  @usableFromInline
  var timer = 0

  /// Whether the downstream has requested values.
  @usableFromInline
  var isAsked = false

  @usableFromInline
  var effect: TimedEffect?

  @inlinable
  init(timeout: @escaping () -> AnyCompletion) {
    self.timeout = timeout
  }

  @usableFromInline
  func outermostGate(of thread: UInt, from number: Int) -> _Gated? { hops.life.outermostGate(of: thread) }

  @inlinable
  mutating func subscribed(to number: Int, _ subscription: SubscriptionObject) -> EventOutcome {
    if case .waiting = hops.life.phase { restart() }
    _ = hops.subscribed(to: number, subscription)
    return .undecided
  }

  @inlinable
  mutating func receive(_ value: Output, from number: Int) -> ValueOutcome<Output> {
    guard hops.life.isRunning else { return .nothing }
    restart()
    return hops.receive(value, from: number)
  }

  @inlinable
  mutating func completed(_ number: Int, _ completion: AnyCompletion) -> EventOutcome {
    guard hops.life.isRunning else { return .nothing }
    effect = .stop(.max)
    _ = hops.completed(number, completion)
    return .undecided
  }

  @inlinable
  mutating func signal(_ number: Int) -> EventOutcome {
    // This runs on the scheduler, so it can deliver a pending event or the completion. The scheduled hops deliver the
    // rest.
    if isTurn(number) { _ = hops.signal(min(number, 0)) }
    return .undecided
  }

  @inlinable
  mutating func enqueuedSignal(_ number: Int) -> EventOutcome {
    if isTurn(number) { _ = hops.enqueuedSignal(min(number, 0)) }
    return .undecided
  }

  /// Whether a signal delivers an event: the signal of a hop, or of the timer that is due.
  @inlinable
  mutating func isTurn(_ number: Int) -> Bool {
    if number <= 0 { return true }
    guard number == timer, hops.life.isRunning else { return false }
    effect = .stop(.max)
    hops.life.end.cancel(hops.life.upstream.take())
    hops.life.phase = .ending(timeout())
    return true
  }

  @inlinable
  mutating func requested(_ more: Subscribers.Demand) {
    if !isAsked, hops.life.isRunning { restart() }
    isAsked = true
    hops.requested(more)
  }

  @inlinable
  mutating func cancelled() {
    effect = .stop(.max)
    hops.cancelled()
  }

  @inlinable
  mutating func restart() {
    timer += 1
    effect = .start(timer)
  }

  @inlinable
  @inline(__always)
  mutating func next() -> CoordinatorAction<Output, TimedEffect> {
    if let effect = effect.take() { return .effect(effect) }
    return hops.next()
  }
}
