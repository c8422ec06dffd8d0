public import Weir

/// Has a call made for each value and sends the results on in the order of the values: behind `asyncMap`.
///
/// The upstream has number 0, the calls have rising numbers from 1. Whatever was asked of the upstream, is under way or
/// waits for its turn has demand of its own, so a result that is next can always go out.
@usableFromInline
struct AsyncMapMachine<Value, Output, Failure: Error>: CoordinatorMachine {
  /// Values of the upstream and results of calls.
  @usableFromInline
  typealias Input = Either2<Value, Output>

  /// Make the call with this number, for this value.
  @usableFromInline
  typealias Effect = (number: Int, value: Value)

  @usableFromInline
  enum Call {
    /// It is to begin.
    case waiting(Value)
    /// It has been told to; it is known when it has handed itself over.
    case running(SubscriptionSlot)
    /// It has a result, which waits for those before it.
    case done(Output)
  }

  @usableFromInline
  var life = UpstreamLife<Failure>()

  /// How many calls may be under way.
  @usableFromInline
  let limit: Subscribers.Demand

  @usableFromInline
  var demand = Subscribers.Demand.none

  /// What the upstream has been asked for and has not sent.
  @usableFromInline
  var asked = Subscribers.Demand.none

  /// The calls, those whose results have gone out left out, and the number of the first.
  @usableFromInline
  var calls: [Int: Call] = [:]

  @usableFromInline
  var first = 1

  /// The number of the call for the next value, and that of the next call to begin.
  @usableFromInline
  var following = 1

  @usableFromInline
  var toBegin = 1

  @inlinable
  init(limit: Subscribers.Demand) {
    self.limit = limit
  }

  @usableFromInline
  func outermostGate(of thread: UInt, from number: Int) -> _Gated? { life.outermostGate(of: thread) }

  // MARK: Events

  @inlinable
  mutating func subscribed(to number: Int, _ subscription: any Subscription) {
    if number == 0 {
      life.subscribed(subscription)
    } else if case .running(let slot)? = calls[number], !slot.isFull {
      calls[number] = .running(SubscriptionSlot(subscription))
    } else {
      life.end.toCancel.append(subscription)
    }
  }

  @inlinable
  mutating func receive(_ input: Either2<Value, Output>, from number: Int) {
    switch input {
    case .a(let value):
      // One that was not asked for has no call that may begin.
      guard life.isRunning, asked > .none else { return }
      asked -= 1
      calls[following] = .waiting(value)
      following += 1
    case .b(let output):
      if case .running? = calls[number] { calls[number] = .done(output) }
    }
  }

  @inlinable
  mutating func completed(_ number: Int, _ completion: Subscribers.Completion<Failure>) {
    if number == 0 {
      _ = life.completed(completion)
    } else if case .running? = calls[number] {
      // Nothing comes after this failure: whatever would is let go of.
      drop(from: number)
      life.end.cancel(life.upstream.take())
      life.phase = .ending(completion)
    }
  }

  @inlinable
  mutating func requested(_ more: Subscribers.Demand) {
    demand += more
  }

  @inlinable
  mutating func cancelled() {
    drop(from: first)
    life.finish(nil)
  }

  /// Lets go of a call and of those after it.
  @inlinable
  mutating func drop(from number: Int) {
    for dropped in number..<following {
      if case .running(let slot)? = calls.removeValue(forKey: dropped) { life.end.cancel(slot) }
    }
    following = number
    toBegin = min(toBegin, number)
  }

  // MARK: Decisions

  @inlinable
  mutating func next() -> CoordinatorAction<Output, Failure, Effect>? {
    // What a failure has made useless doesn't run on while results are delivered.
    if !life.end.toCancel.isEmpty { return life.end.next() }
    if case .done(let output)? = calls[first] {
      calls[first] = nil
      first += 1
      demand -= 1
      return .deliver(output)
    }
    if toBegin < following, case .waiting(let value)? = calls[toBegin] {
      defer { toBegin += 1 }
      calls[toBegin] = .running(SubscriptionSlot())
      return .effect((toBegin, value))
    }
    if calls.isEmpty, let completion = life.ending { life.finish(completion) }
    if life.isRunning { ask() }
    return life.next()
  }

  /// Asks for as many values as calls may begin.
  @inlinable
  mutating func ask() {
    let free = min(demand, limit) - calls.count
    guard free > asked else { return }
    life.toRequest += free == .unlimited ? .unlimited : free - (asked.max ?? 0)
    asked = free
  }
}
