public import Weir

/// The state machine of `asyncMap`: starts a call for each value, and delivers the results in order.
///
/// The upstream has number 0; the calls have increasing numbers from 1. Invariant: downstream demand covers each
/// requested value, each call in flight and each pending result, so the next result can always be delivered.
@usableFromInline
struct AsyncMapMachine<Value, Output, Failure: Error>: CoordinatorMachine {
  /// Values of the upstream and results of calls.
  @usableFromInline
  typealias Input = Either2<Value, Output>

  /// Starts the call with this number, for this value.
  @usableFromInline
  typealias Effect = (number: Int, value: Value)

  @usableFromInline
  enum Call {
    /// The call has not started.
    case waiting(Value)
    /// The call has started.
    ///
    /// The slot is full when the call has passed its subscription.
    case running(OptionalSubscription)
    /// The call has a result, which is pending until the results before it have been delivered.
    case done(Output)
  }

  @usableFromInline
  var state = UpstreamState()

  /// The maximum number of calls in flight.
  @usableFromInline
  let limit: Subscribers.Demand

  @usableFromInline
  var demand = Subscribers.Demand.none

  /// The demand that the upstream has not satisfied.
  @usableFromInline
  var asked = Subscribers.Demand.none

  /// The calls whose results have not been delivered, and the number of the first.
  @usableFromInline
  var calls: [Int: Call] = [:]

  @usableFromInline
  var first = 1

  /// The number of the call for the next value, and that of the next call to start.
  @usableFromInline
  var following = 1

  @usableFromInline
  var toBegin = 1

  @inlinable
  init(limit: Subscribers.Demand) {
    self.limit = limit
  }

  @usableFromInline
  func outermostGate(of thread: UInt, from number: Int) -> _Gated? { state.outermostGate(of: thread) }

  // MARK: Events

  @inlinable
  mutating func subscribed(to number: Int, _ subscription: SubscriptionObject) -> EventOutcome {
    if number == 0 {
      state.subscribed(subscription)
    } else if case .running(let slot)? = calls[number], !slot.isFull {
      calls[number] = .running(OptionalSubscription(subscription))
    } else {
      state.end.cancel(subscription)
    }
    return .undecided
  }

  @inlinable
  mutating func receive(_ input: Either2<Value, Output>, from number: Int) -> ValueOutcome<Output> {
    switch input {
    case .a(let value):
      // A value that was not requested has no call that may start.
      guard state.isRunning, asked > .none else { return .nothing }
      asked -= 1
      calls[following] = .waiting(value)
      following += 1
    case .b(let output):
      if case .running? = calls[number] { calls[number] = .done(output) }
    }
    return .undecided
  }

  @inlinable
  mutating func completed(_ number: Int, _ completion: AnyCompletion) -> EventOutcome {
    if number == 0 {
      _ = state.completed(completion)
    } else if case .running? = calls[number] {
      // No event follows this failure, so all later calls are released.
      drop(from: number)
      state.end.cancel(state.upstream.take())
      state.phase = .ending(completion)
    }
    return .undecided
  }

  @inlinable
  mutating func requested(_ more: Subscribers.Demand) {
    demand += more
  }

  @inlinable
  mutating func cancelled() {
    drop(from: first)
    state.finish(nil)
  }

  /// Releases a call and all later calls.
  @inlinable
  mutating func drop(from number: Int) {
    for dropped in number..<following {
      if case .running(let slot)? = calls.removeValue(forKey: dropped) { state.end.cancel(slot) }
    }
    following = number
    toBegin = min(toBegin, number)
  }

  // MARK: Decisions

  @inlinable
  mutating func next() -> CoordinatorAction<Output, Effect> {
    // Calls that a failure has made obsolete are cancelled before results are delivered.
    if state.end.isCancelling { return state.end.next() }
    if case .done(let output)? = calls[first] {
      calls[first] = nil
      first += 1
      demand -= 1
      return .deliver(output)
    }
    if toBegin < following, case .waiting(let value)? = calls[toBegin] {
      defer { toBegin += 1 }
      calls[toBegin] = .running(OptionalSubscription())
      return .effect((toBegin, value))
    }
    if calls.isEmpty, let completion = state.ending { state.finish(completion) }
    if state.isRunning { ask() }
    return state.next()
  }

  /// Requests one value for each call that can start.
  @inlinable
  mutating func ask() {
    let free = min(demand, limit) - calls.count
    guard free > asked else { return }
    state.toRequest += free == .unlimited ? .unlimited : free - (asked.max ?? 0)
    asked = free
  }
}
