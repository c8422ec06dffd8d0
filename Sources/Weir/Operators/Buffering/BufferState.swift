/// What a buffer keeps under its lock, and what it decides there.
///
/// Nothing here runs or releases what is a user's: what goes leaves with the result.
@usableFromInline
struct BufferState<Value, Failure: Error> {
  @usableFromInline
  enum Phase {
    /// The upstream has not handed over its subscription.
    case waiting
    /// The downstream is getting its subscription.
    case announcing
    /// Values go out.
    case running
    /// Completed or cancelled.
    case over
  }

  /// What becomes of a value that has come.
  @usableFromInline
  enum Admission {
    /// It is too late for it.
    case ignored
    /// It goes out at once, by the thread that brings it.
    case deliver(Value)
    /// It waits.
    case waits
    /// It waits, and nobody is there yet who delivers.
    case waitsForDelivery
    /// What waits has to go out first.
    case full(Value)
    /// A value went for want of room; whether one waits for someone who delivers.
    case dropped(Value, ((Value) -> Void)?, isDue: Bool)
    /// There was no room, so the buffer fails.
    case failed(Value, ((Value) -> Void)?, () -> Failure)
  }

  /// What who delivers does next.
  @usableFromInline
  enum Step {
    case deliver(Value)
    case complete(Subscribers.Completion<Failure>, Remains)
    /// The downstream has cancelled.
    case release
    /// Nothing; the answer to the upstream.
    case rest(Subscribers.Demand)
    /// Another thread goes on.
    case handOver
  }

  /// What is let go of at the end, when the lock is free.
  @usableFromInline
  struct Remains {
    @usableFromInline
    let values: Fifo<Value>

    @usableFromInline
    let policy: BufferPolicy<Value, Failure>

    @usableFromInline
    let completion: Subscribers.Completion<Failure>?

    @usableFromInline
    let upstream: (any Subscription)?

    @inlinable
    init(
      values: Fifo<Value>, policy: BufferPolicy<Value, Failure>, completion: Subscribers.Completion<Failure>?,
      upstream: (any Subscription)?
    ) {
      self.values = values
      self.policy = policy
      self.completion = completion
      self.upstream = upstream
    }
  }

  @usableFromInline
  var policy: BufferPolicy<Value, Failure>

  @usableFromInline
  var phase = Phase.waiting

  @usableFromInline
  var values = Fifo<Value>()

  @usableFromInline
  var demand = Subscribers.Demand.none

  /// What is still to be asked of the upstream.
  @usableFromInline
  var toRequest: Subscribers.Demand

  @usableFromInline
  var asksLater: Bool

  /// How many have gone out since the upstream was asked last.
  @usableFromInline
  var missing = 0

  @usableFromInline
  var upstream: (any Subscription)?

  /// What follows the values.
  @usableFromInline
  var completion: Subscribers.Completion<Failure>?

  /// No value is taken in any more: the upstream has ended, or there was no room.
  @usableFromInline
  var isClosed = false

  /// The upstream was cancelled for want of room.
  @usableFromInline
  var isUpstreamCancelled = false

  /// The upstream is being asked.
  @usableFromInline
  var isAsking = false

  /// The thread that delivers, or 0.
  @usableFromInline
  var owner: UInt = 0

  /// Other threads have brought values while one delivers.
  @usableFromInline
  var isForeign = false

  @inlinable
  init(_ policy: BufferPolicy<Value, Failure>) {
    self.policy = policy
    toRequest = policy.firstRequest
    asksLater = policy.asksLater
  }

  // MARK: Values

  /// Takes in a value; `keeper` tells of a gate above that this thread owns.
  @inlinable
  mutating func admit(_ value: Value, isGated: Bool, handlesOthers: Bool, by thread: UInt) -> Admission {
    switch phase {
    case .waiting, .over: return .ignored
    case .announcing, .running: if isClosed { return .ignored }
    }
    if owner != 0, owner != thread { isForeign = true }
    let isDue = owner == 0 && demand > .none
    if isDue, values.isEmpty, !isGated {
      taken()
      own(by: thread)
      return .deliver(value)
    }
    if values.count < policy.size || isDue && values.isEmpty || isWantedInside(by: thread) {
      values.append(value)
      return isDue ? .waitsForDelivery : .waits
    }
    // Several values in one turn of a gate of this thread's, or what others have left behind them.
    if isDue, !handlesOthers { return .full(value) }
    switch policy.whenFull {
    case .dropNewest:
      return .dropped(value, policy.onDrop, isDue: isDue)
    case .dropOldest:
      guard let oldest = values.popFirst() else { return .dropped(value, policy.onDrop, isDue: isDue) }
      values.append(value)
      return .dropped(oldest, policy.onDrop, isDue: isDue)
    case .customError(let makeError):
      isClosed = true
      return .failed(value, policy.onDrop, makeError)
    }
  }

  /// Whether a value that comes from inside a delivery is asked for already.
  @inlinable
  func isWantedInside(by thread: UInt) -> Bool {
    if owner != thread || policy.isCombines { return false }
    return demand.max.map { values.count < $0 } ?? true
  }

  @inlinable
  mutating func own(by thread: UInt) {
    owner = thread
    isForeign = false
  }

  /// Notes that a value goes out.
  @inlinable
  mutating func taken() {
    if demand != .unlimited { demand -= 1 }
    if policy.batch == 0 { return }
    missing += 1
    if missing == policy.batch {
      toRequest += policy.batch
      missing = 0
    }
  }

  // MARK: For who delivers

  /// Whether there is something for a thread to do that would deliver.
  @inlinable
  var isDue: Bool {
    guard owner == 0, case .running = phase else { return false }
    return demand > .none && !values.isEmpty || endsNow
  }

  /// Whether nothing comes before the completion any more.
  @inlinable
  var endsNow: Bool {
    guard let completion else { return false }
    if values.isEmpty { return true }
    guard policy.isCombines, demand == .none, case .failure = completion else { return false }
    return true
  }

  /// What follows a delivery that has brought more demand; `left` is how many values of other threads may go out yet.
  ///
  /// What is to be asked of the upstream leaves with the result if that answers the upstream.
  @inlinable
  mutating func next(_ more: Subscribers.Demand, left: inout Int, answers: Bool) -> Step {
    demand += more
    if case .over = phase { return .release }
    if demand > .none, !values.isEmpty {
      if isForeign {
        left -= 1
        if left <= 0 {
          owner = 0
          return .handOver
        }
      }
      if let value = values.popFirst() {
        taken()
        return .deliver(value)
      }
    }
    if endsNow, let completion {
      phase = .over
      return .complete(completion, takeRemains())
    }
    owner = 0
    return .rest(answers ? takeRequest() : .none)
  }

  @inlinable
  mutating func takeRequest() -> Subscribers.Demand {
    defer { toRequest = .none }
    return toRequest
  }

  /// Empties it: whoever keeps the subscription keeps this, and is not to keep values and closures.
  @inlinable
  mutating func takeRemains() -> Remains {
    let remains = Remains(values: values, policy: policy, completion: completion, upstream: upstream)
    values = Fifo()
    completion = nil
    upstream = nil
    policy.whenFull = .dropNewest
    policy.onDrop = nil
    toRequest = .none
    return remains
  }
}
