/// The state machine of `collect(.byTime)` and `collect(.byTimeOrCount)`.
///
/// It gathers values until the interval ends or an array is full.
///
/// Arrays are sent at signals, which arrive on the scheduler. Signal 0 is the timer's. Signal 1 is a hop, which sends
/// the full arrays and the completion. One signal sends at most ``HandOver/limit`` arrays, and another hop sends the
/// rest.
@usableFromInline
struct CollectByTimeMachine<Value, Failure: Error>: CoordinatorMachine {
  @usableFromInline
  typealias Input = Value

  @usableFromInline
  typealias Output = [Value]

  /// The number of values in a full array; `nil` if there is no limit.
  @usableFromInline
  let count: Int?

  @usableFromInline
  var state = UpstreamState()

  @usableFromInline
  var demand = Subscribers.Demand.none

  /// The demand that was requested from the upstream and has not been satisfied.
  @usableFromInline
  var asked = Subscribers.Demand.none

  /// The values since the last array was full or the interval ended.
  @usableFromInline
  var values: [Value] = []

  /// Full arrays that are pending, for the scheduler or for demand.
  @usableFromInline
  var full = CircularBuffer<[Value]>()

  @usableFromInline
  var isTimeUp = false

  /// True while a signal is handled, so that this thread is the scheduler's.
  @usableFromInline
  var isOnScheduler = false

  /// The number of arrays that this action of the scheduler can still send.
  @usableFromInline
  var left = 0

  @usableFromInline
  var timerEffect: CollectByTimeEffect?

  @usableFromInline
  var isHopDue = false

  /// A hop has been scheduled and has not arrived.
  @usableFromInline
  var isUnderWay = false

  @inlinable
  init(count: Int?) {
    self.count = count
  }

  @usableFromInline
  func outermostGate(of thread: UInt, from number: Int) -> _Gated? { state.outermostGate(of: thread) }

  // MARK: Events

  @inlinable
  mutating func subscribed(to number: Int, _ subscription: SubscriptionObject) -> EventOutcome {
    if case .waiting = state.phase { timerEffect = .start(0) }
    state.subscribed(subscription)
    return .undecided
  }

  @inlinable
  mutating func receive(_ value: Value, from number: Int) -> ValueOutcome<[Value]> {
    guard state.isRunning else { return .nothing }
    if asked != .unlimited, asked > .none { asked -= 1 }
    values.append(value)
    guard values.count == count else { return .nothing }
    full.append(values)
    values = []
    hop()
    return .undecided
  }

  @inlinable
  mutating func completed(_ number: Int, _ completion: AnyCompletion) -> EventOutcome {
    guard state.completed(completion) else { return .nothing }
    if case .failure = completion { values = [] }
    timerEffect = .stop(.max)
    hop()
    return .undecided
  }

  @inlinable
  mutating func signal(_ number: Int) -> EventOutcome {
    // A signal during a delivery, from a nested run loop for instance, belongs to the action that is in progress.
    if !isOnScheduler { left = HandOver.limit }
    isOnScheduler = true
    note(number)
    return .undecided
  }

  @inlinable
  mutating func enqueuedSignal(_ number: Int) -> EventOutcome {
    note(number)
    if state.isRunning || state.ending != nil { hop() }
    return .undecided
  }

  @inlinable
  mutating func note(_ number: Int) {
    if number == 0 { isTimeUp = true } else { isUnderWay = false }
  }

  @inlinable
  mutating func requested(_ more: Subscribers.Demand) {
    demand += more
    ask()
    if !full.isEmpty || state.ending != nil { hop() }
  }

  @inlinable
  mutating func cancelled() {
    timerEffect = .stop(.max)
    finish(nil)
  }

  @inlinable
  mutating func finish(_ completion: AnyCompletion?) {
    state.finish(completion)
    values = []
    full.removeAll()
    isHopDue = false
  }

  @inlinable
  mutating func hop() {
    if isUnderWay || isOnScheduler { return }
    isUnderWay = true
    isHopDue = true
  }

  /// Requests the values that are missing to fill the requested arrays; by time, one value with each request, as in
  /// Combine.
  ///
  /// The unused capacity of an array that is sent early counts for the next array.
  @inlinable
  mutating func ask() {
    if asked == .unlimited { return }
    guard let count else {
      // Each value brings the demand for the next. Demand that an array brings asks for nothing.
      if !isOnScheduler { state.toRequest += 1 }
      return
    }
    let wanted = demand * count
    let expected = asked + values.count + full.count * count
    guard wanted > expected else { return }
    asked += wanted - expected
    state.toRequest += wanted - expected
  }

  // MARK: Decisions

  @inlinable
  mutating func next() -> CoordinatorAction<[Value], CollectByTimeEffect> {
    if isOnScheduler {
      if left > 0, let array = dueArray() {
        left -= 1
        return .deliver(array)
      }
      isOnScheduler = false
      if hasDueArray {
        hop()
      } else {
        isTimeUp = false
        endIfNothingWaits()
      }
    }
    if let effect = timerEffect.take() { return .effect(effect) }
    if isHopDue {
      isHopDue = false
      return .effect(.schedule(1))
    }
    return state.next()
  }

  /// Whether an array is due and has been requested.
  @inlinable
  var hasDueArray: Bool {
    mutating get { demand > .none && (!full.isEmpty || !values.isEmpty && (isTimeUp || state.ending != nil)) }
  }

  /// Returns the next array to send, if one is due and has been requested.
  @inlinable
  mutating func dueArray() -> [Value]? {
    guard hasDueArray else { return nil }
    if demand != .unlimited { demand -= 1 }
    if let array = full.popFirst() { return array }
    defer { values = [] }
    return values
  }

  @inlinable
  mutating func endIfNothingWaits() {
    switch state.ending {
    case .finished where full.isEmpty && values.isEmpty: finish(.finished)
    case .failure(let error): finish(.failure(error))
    case .finished, nil: break
    }
  }
}

/// Timers and signals have numbers, which the machine chooses.
@usableFromInline
enum CollectByTimeEffect {
  /// Start the timer with this number, which replaces the previous timer.
  case start(Int)
  /// Stop the timer with this number and the earlier ones.
  case stop(Int)
  /// Schedule the signal with this number.
  case schedule(Int)
}
