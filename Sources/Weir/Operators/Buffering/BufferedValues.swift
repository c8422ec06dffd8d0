/// The values of a buffer, and the demand for them.
///
/// The sending thread admits or drops its value, whatever another thread delivers at that time. So at most `size`
/// values are buffered. Invariant: no user code runs and no user value is released under the lock. The methods return
/// such values to be released outside it.
@usableFromInline
final class BufferedValues<Value, Failure: Error> {
  @usableFromInline
  let state = Locked(BufferState())

  // Performance: a lock with values of a client's type would have a type that depends on theirs. Unspecialized code, as
  // in a `deinit` or a debug build, would look it up. So the two properties below are beside the lock.

  // Safety: a thread accesses the two properties below only while it has the lock. (`BoundsTests`,
  // `Threads/buffer-and-take`)

  @usableFromInline
  @exclusivity(unchecked)
  var values = SplitQueue<Value>()

  @usableFromInline
  @exclusivity(unchecked)
  var policy: BufferPolicy<Value, Failure>

  @inlinable
  init(_ policy: BufferPolicy<Value, Failure>) {
    self.policy = policy
  }

  // The two methods below are called with the lock.

  /// The number of buffered values that need no room, because there is demand for them.
  ///
  /// That applies to nested values, which are delivered after the current delivery. It also applies to a limited number
  /// of values that a thread brings in one turn of a gate, since they are delivered when that is left.
  @inlinable
  func wanted(_ state: borrowing BufferState, isNested: Bool) -> Int {
    if !isNested, state.postponed.arrived == 0 { return 0 }
    let mayWait = isNested ? values.count : min(values.count, state.postponed.arrived, HandOver.limit)
    return min(state.demand.max ?? .max, mayWait)
  }

  @inlinable
  func hasRoom(behind wanted: Int, _ demand: Subscribers.Demand) -> Bool {
    values.count - wanted < policy.size || values.count == wanted && demand > .max(wanted)
  }

  // MARK: For the upstream

  /// Stores the first subscription.
  ///
  /// Returns the demand to request before the downstream has its subscription, or `nil` if the subscription is refused.
  @inlinable
  func attach(_ subscription: any Subscription) -> Subscribers.Demand? {
    let object = subscription._object
    return state.withLock { state in
      if state.upstream.isFull || state.isFailing || state.isClosed { return nil }
      state.upstream = OptionalSubscription(object)
      guard policy.matchesCombine else { return Subscribers.Demand.none }
      state.isAdmitting = true
      state.isBeginning = true
      return policy.firstRequest
    }
  }

  /// Returns the gate to leave before the values are delivered that have arrived before the downstream had its
  /// subscription.
  @inlinable
  func gateOfEarlyValues(_ thread: UInt) -> _Gated? {
    state.withLock { $0.postponed.arrived > 0 ? $0.upstream.outermostGate(of: thread) : nil }
  }

  @inlinable
  var upstream: OptionalSubscription { state.withLock { $0.upstream } }

  /// Admits a value, or returns how to handle one for which there is no room.
  ///
  /// `isNested` is true if this thread is inside a delivery of this buffer. `isLast` is true if it has announced its
  /// earlier values.
  @inlinable
  func admit(_ value: Value, by thread: UInt, isNested: Bool, isLast: Bool) -> BufferAdmission {
    state.withLock { state in
      guard state.isAdmitting else { return .ignored }
      // An upstream that sends without end inside one call would otherwise never leave the gate.
      if !isLast, state.demand > .none, state.postponed.arrived >= HandOver.limit { return .full }
      let wanted = wanted(state, isNested: isNested)
      if hasRoom(behind: wanted, state.demand) {
        values.append(value)
        let gate = state.isBeginning ? nil : state.upstream.outermostGate(of: thread)
        guard gate != nil || state.isBeginning else { return .admitted }
        state.postponed.arrived += 1
        return gate.map { .postponed($0) } ?? .early
      }
      if !isLast, state.demand > .none, state.postponed.arrived > 0 { return .full }
      switch policy.whenFull {
      case .dropNewest:
        return .dropped(drop(value))
      case .dropOldest:
        guard let oldest = values.remove(at: wanted) else { return .dropped(drop(value)) }
        values.append(value)
        return .dropped(drop(oldest))
      case .customError(let makeError):
        state.isAdmitting = false
        state.isFailing = true
        state.isErrorPending = true
        return .failed(drop(value), makeError: { makeError() }, state.upstream.take())
      }
    }
  }

  /// Returns a closure that reports and releases a dropped value, to be called outside the lock.
  @inlinable
  func drop(_ value: Value) -> () -> Void {
    let onDrop = policy.onDrop
    return {
      assertNoLockIsHeld()
      onDrop?(value)
      Reports.dropped(value)
    }
  }

  /// Ignores further values, because the upstream has completed.
  ///
  /// A completion that precedes the subscription has no effect. Returns `false` if the buffer is failing.
  @inlinable
  func stopAdmitting() -> Bool {
    state.withLock { state in
      if state.isFailing { return false }
      if state.upstream.isFull {
        state.isAdmitting = false
        state.isComplete = true
      }
      return true
    }
  }

  /// Records how the buffer ends, to be announced when the downstream has its subscription.
  ///
  /// Returns `false` if the downstream has it. The ending can then be announced before values that are postponed until
  /// a gate is left. The machine completes after those values.
  @inlinable
  func postpone(_ ending: BufferEnding) -> Bool {
    state.withLock { state in
      if state.isBeginning, state.postponed.ending == nil { state.postponed.ending = ending }
      return state.isBeginning
    }
  }

  @inlinable
  func takePostponed() -> PostponedEvents {
    state.withLock { state in
      let taken = state.postponed
      state.postponed = PostponedEvents()
      state.isBeginning = false
      return taken
    }
  }

  // MARK: For the machine

  @inlinable
  func takeFirst() -> Value? {
    state.withLock { state in
      guard state.demand > .none, !state.isErrorPending, let value = values.popFirst() else { return nil }
      if state.demand != .unlimited { state.demand -= 1 }
      return value
    }
  }

  @inlinable
  var isEmpty: Bool { state.withLock { _ in values.count == 0 } }

  @inlinable
  var hasDemand: Bool { state.withLock { $0.demand > .none } }

  @inlinable
  var shown: (values: [Value], demand: Subscribers.Demand) { state.withLock { (values.elements, $0.demand) } }

  @inlinable
  func request(_ more: Subscribers.Demand) {
    state.withLock { $0.demand += more }
  }

  @inlinable
  func startAdmitting() {
    state.withLock { $0.isAdmitting = !$0.isComplete }
  }

  @inlinable
  func errorCreated() {
    state.withLock { $0.isErrorPending = false }
  }

  /// Releases the values and the closures.
  ///
  /// A program can retain the subscription, which retains this object. Returns whether the buffer was failing.
  @inlinable
  func close() -> Bool {
    // What these hold afterwards is released behind the lock.
    var empty = SplitQueue<Value>()
    var whenFull = Publishers.BufferingStrategy<Failure>.dropNewest
    var onDrop: ((Value) -> Void)?
    var swapped = BufferState()
    swapped.isClosed = true
    state.withLock { state in
      swap(&values, &empty)
      swap(&policy.whenFull, &whenFull)
      swap(&policy.onDrop, &onDrop)
      swap(&state, &swapped)
    }
    return swapped.isFailing
  }
}

/// How an arriving value is handled.
///
/// Performance: it doesn't depend on the values' type. A debug build would look its metadata up five times for each
/// value.
@usableFromInline
enum BufferAdmission {
  /// The buffer has ended or has not begun, so the value is ignored.
  case ignored
  /// The value is buffered and must be announced.
  case admitted
  /// The value is buffered, and is announced when the downstream has its subscription.
  case early
  /// The value is buffered, and is announced when this thread leaves a gate.
  case postponed(_Gated)
  /// There is demand, but no room until this thread announces its earlier values.
  case full
  /// A value is dropped, either this one or another.
  case dropped(() -> Void)
  /// The value is dropped, the upstream is to be cancelled, and the buffer fails.
  case failed(() -> Void, makeError: () -> any Error, OptionalSubscription)
}

/// The state of a buffer that doesn't depend on the types of its values.
@usableFromInline
struct BufferState {
  @usableFromInline
  var demand = Subscribers.Demand.none

  @usableFromInline
  var isAdmitting = false

  @usableFromInline
  var isComplete = false

  /// There was no room for a value, so the intake cancels the upstream, and ignores its completion.
  @usableFromInline
  var isFailing = false

  /// The closure that creates the error has not returned.
  ///
  /// Its requests take effect after the failure.
  @usableFromInline
  var isErrorPending = false

  @usableFromInline
  var isClosed = false

  /// Values are being requested from the upstream, before the downstream has its subscription.
  @usableFromInline
  var isBeginning = false

  @usableFromInline
  var upstream = OptionalSubscription()

  @usableFromInline
  var postponed = PostponedEvents()

  @usableFromInline
  init() {}
}

/// The events to announce when a gate is left, or when the downstream has its subscription.
@usableFromInline
struct PostponedEvents {
  @usableFromInline
  var arrived = 0

  @usableFromInline
  var ending: BufferEnding?

  @inlinable
  init() {}
}

/// The event that ends a buffer.
@usableFromInline
enum BufferEnding {
  case completed(AnyCompletion)
  case overflowed(any Error)
}
