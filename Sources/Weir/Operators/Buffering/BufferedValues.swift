/// The values of a buffer, and the demand for them.
///
/// The thread that brings a value admits it or drops it, whatever another thread delivers meanwhile. So no more than `size` values wait.
/// Nothing here runs or releases under the lock what is a user's: what goes leaves with the result.
@usableFromInline
final class BufferedValues<Value, Failure: Error> {
  /// What becomes of a value that has come.
  @usableFromInline
  enum Admission {
    /// It is too late for it, or too early.
    case ignored
    /// It waits, and is to be announced.
    case admitted
    /// It waits, and is announced when the downstream has its subscription.
    case early
    /// It waits, and is announced when this thread leaves a gate.
    case postponed(_Gated)
    /// There is demand, and no room as long as what this thread has brought before isn't announced.
    case full
    /// A value is dropped, this one or another.
    case dropped(Value, ((Value) -> Void)?)
    /// It is dropped, and the buffer fails.
    case failed(Value, ((Value) -> Void)?, () -> Failure)
  }

  /// What is announced when a gate is left, or when the downstream has its subscription.
  @usableFromInline
  struct Postponed {
    @usableFromInline
    var arrived = 0

    @usableFromInline
    var ending: BufferEnding<Failure>?

    @inlinable
    init() {}
  }

  @usableFromInline
  struct State {
    @usableFromInline
    var values = Fifo<Value>()

    @usableFromInline
    var demand = Subscribers.Demand.none

    @usableFromInline
    var isAdmitting = false

    /// There was no room, so the upstream's end counts no more.
    @usableFromInline
    var isFailing = false

    /// The closure that makes the error has not returned: what it requests follows the failure, as if it came after it.
    @usableFromInline
    var isErrorPending = false

    @usableFromInline
    var isClosed = false

    /// The upstream is being asked, before the downstream has its subscription.
    @usableFromInline
    var isBeginning = false

    @usableFromInline
    var policy: BufferPolicy<Value, Failure>

    @usableFromInline
    var upstream = SubscriptionSlot()

    @usableFromInline
    var postponed = Postponed()

    @inlinable
    init(_ policy: BufferPolicy<Value, Failure>) {
      self.policy = policy
    }

    /// How many of the values that wait need no room.
    ///
    /// Those from inside a delivery would find the demand if they came after it.
    @inlinable
    func wanted(isNested: Bool) -> Int {
      isNested ? min(demand.max ?? .max, values.count) : 0
    }

    @inlinable
    func hasRoom(behind wanted: Int) -> Bool {
      values.count - wanted < policy.size || values.count == wanted && demand > .max(wanted)
    }
  }

  @usableFromInline
  let state: Locked<State>

  @inlinable
  init(_ policy: BufferPolicy<Value, Failure>) {
    state = Locked(State(policy))
  }

  // MARK: For the upstream

  /// Keeps the first subscription.
  ///
  /// The result is what the upstream is to be asked for before the downstream has its subscription; `nil` for a subscription that is not
  /// kept.
  @inlinable
  func attach(_ subscription: any Subscription) -> Subscribers.Demand? {
    state.withLock { state in
      if state.upstream.isFull || state.isClosed { return nil }
      state.upstream = SubscriptionSlot(subscription)
      guard state.policy.isCombines else { return Subscribers.Demand.none }
      state.isAdmitting = true
      state.isBeginning = true
      return state.policy.firstRequest
    }
  }

  @inlinable
  var upstream: SubscriptionSlot { state.withLock { $0.upstream } }

  /// Admits a value, or says what is to be done with one for which there is no room.
  ///
  /// `isNested` is true if this thread is in the middle of a delivery of this buffer, and `isLast` if it has announced what it has brought
  /// before.
  @inlinable
  func admit(_ value: Value, by thread: UInt, isNested: Bool, isLast: Bool) -> Admission {
    state.withLock { state in
      guard state.isAdmitting else { return .ignored }
      let wanted = state.wanted(isNested: isNested)
      if state.hasRoom(behind: wanted) {
        state.values.append(value)
        let gate = state.isBeginning ? nil : state.upstream.outermostGate(of: thread)
        guard gate != nil || state.isBeginning else { return .admitted }
        state.postponed.arrived += 1
        return gate.map { .postponed($0) } ?? .early
      }
      if !isLast, state.demand > .none, state.postponed.arrived > 0 { return .full }
      switch state.policy.whenFull {
      case .dropNewest:
        return .dropped(value, state.policy.onDrop)
      case .dropOldest:
        guard let oldest = state.values.remove(at: wanted) else { return .dropped(value, state.policy.onDrop) }
        state.values.append(value)
        return .dropped(oldest, state.policy.onDrop)
      case .customError(let makeError):
        state.isAdmitting = false
        state.isFailing = true
        state.isErrorPending = true
        return .failed(value, state.policy.onDrop, makeError)
      }
    }
  }

  @inlinable
  var isFailing: Bool { state.withLock { $0.isFailing } }

  /// Notes how the buffer ends, to be announced when the downstream has its subscription.
  ///
  /// False if it has: then the end may be announced before values that wait for a gate to be left. The machine ends after them.
  @inlinable
  func postpone(_ ending: BufferEnding<Failure>) -> Bool {
    state.withLock { state in
      if state.isBeginning, state.postponed.ending == nil { state.postponed.ending = ending }
      return state.isBeginning
    }
  }

  @inlinable
  func takePostponed() -> Postponed {
    state.withLock { state in
      let taken = state.postponed
      state.postponed = Postponed()
      state.isBeginning = false
      return taken
    }
  }

  // MARK: For the machine

  @inlinable
  func takeFirst() -> Value? {
    state.withLock { state in
      guard state.demand > .none, !state.isErrorPending, let value = state.values.popFirst() else { return nil }
      if state.demand != .unlimited { state.demand -= 1 }
      return value
    }
  }

  @inlinable
  var isEmpty: Bool { state.withLock { $0.values.isEmpty } }

  @inlinable
  var hasDemand: Bool { state.withLock { $0.demand > .none } }

  @inlinable
  var shown: (values: [Value], demand: Subscribers.Demand) { state.withLock { ($0.values.elements, $0.demand) } }

  @inlinable
  func request(_ more: Subscribers.Demand) {
    state.withLock { $0.demand += more }
  }

  @inlinable
  func startAdmitting() {
    state.withLock { $0.isAdmitting = true }
  }

  @inlinable
  func stopAdmitting() {
    state.withLock { $0.isAdmitting = false }
  }

  @inlinable
  func errorIsMade() {
    state.withLock { $0.isErrorPending = false }
  }

  /// Releases the values and the closures, because a program may retain the subscription, which retains this object.
  @inlinable
  func close() {
    let released = state.withLock { state in
      var new = State(state.policy)
      new.isClosed = true
      new.policy.whenFull = .dropNewest
      new.policy.onDrop = nil
      swap(&state, &new)
      return new
    }
    withExtendedLifetime(released) {}
  }
}

/// How a buffer ends by itself.
@usableFromInline
enum BufferEnding<Failure: Error> {
  case completed(Subscribers.Completion<Failure>)
  case overflowed(Failure)
}
