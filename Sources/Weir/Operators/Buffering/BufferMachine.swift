/// How a buffer requests values from its upstream.
@usableFromInline
package enum BufferAsking {
  /// Requests unlimited values immediately.
  case everything
  /// Requests unlimited values at the downstream's first request.
  case everythingWhenAsked
  /// Requests `count` values, and `count` more each time that many values have been delivered.
  case batches(of: Int)
}

/// An event that a ``BufferIntake``, which stores the values, announces to the machine.
@usableFromInline
@frozen
package enum BufferEvent {
  /// A value has been admitted.
  case arrived
  /// There was no room for a value, so the buffer fails with this error.
  case overflowed(any Error)
}

/// The state machine of `buffer`, and of operators in other modules that handle values without demand.
///
/// It delivers the values that a ``BufferIntake`` has admitted, as far as there is demand.
///
/// Each admitted value is announced by one event. So the delivering thread counts the values of other threads, and
/// hands the delivery over in time.
@usableFromInline
package struct BufferMachine<Value, Failure: Error>: CoordinatorMachine {
  @usableFromInline
  package typealias Input = BufferEvent

  @usableFromInline
  package typealias Output = Value

  @usableFromInline
  let buffered: BufferedValues<Value, Failure>

  /// The demand that is requested from the upstream when the downstream has its subscription.
  @usableFromInline
  let firstRequest: Subscribers.Demand

  /// The number of delivered values after which as many are requested again; 0 after an unlimited request.
  @usableFromInline
  let batch: Int

  @usableFromInline
  let matchesCombine: Bool

  /// The failure for a full buffer is delivered at the next request.
  @usableFromInline
  var failsWhenAsked = false

  /// Unlimited values are requested from the upstream at the first request.
  @usableFromInline
  var asksLater: Bool

  /// The number of values that have been announced and not delivered.
  @usableFromInline
  var arrived = 0

  /// The number of values that have been delivered since the last request to the upstream.
  @usableFromInline
  var missing = 0

  @usableFromInline
  var state = UpstreamState()

  @inlinable
  init(_ policy: BufferPolicy<Value, Failure>) {
    buffered = BufferedValues(policy)
    matchesCombine = policy.matchesCombine
    firstRequest = matchesCombine ? .none : policy.firstRequest
    switch policy.asking {
    case .everything: (batch, asksLater) = (0, false)
    case .everythingWhenAsked: (batch, asksLater) = (0, true)
    case .batches(let count): (batch, asksLater) = (count, false)
    }
  }

  @usableFromInline
  package func mirrorChildren(downstream: Any?) -> [Mirror.Child] {
    let (values, demand) = buffered.shown
    var state = state
    return [
      ("values", values), ("state", state.phase), ("downstreamDemand", demand),
      ("terminal", unwrappedForMirror(state.ending?.typed(as: Failure.self))),
    ]
  }

  @usableFromInline
  package func outermostGate(of thread: UInt, from number: Int) -> _Gated? { state.outermostGate(of: thread) }

  // MARK: Events

  @inlinable
  package mutating func subscribed(to number: Int, _ subscription: SubscriptionObject) -> EventOutcome {
    state.subscribed(subscription, asking: firstRequest)
    return .undecided
  }

  @inlinable
  package mutating func completed(_ number: Int, _ completion: AnyCompletion) -> EventOutcome {
    state.completed(completion) ? .undecided : .nothing
  }

  @inlinable
  package mutating func receive(_ event: BufferEvent, from number: Int) -> ValueOutcome<Value> {
    switch event {
    case .arrived:
      arrived += 1
      guard state.isRunning else { return .undecided }
      guard let value = nextValue() else { return .nothing }
      return state.toRequest == .none ? .deliver(value) : .deliverAndReturn(value)
    case .overflowed(let error):
      buffered.errorCreated()
      if state.isRunning { fail(error) }
      return .undecided
    }
  }

  @inlinable
  mutating func fail(_ error: any Error) {
    state.upstream = OptionalSubscription()
    state.phase = .ending(.failure(error))
    failsWhenAsked = matchesCombine && !buffered.hasDemand
  }

  /// Whether no more values are delivered before the completion.
  @inlinable
  func endsNow(_ completion: AnyCompletion) -> Bool {
    if failsWhenAsked { return false }
    if buffered.isEmpty { return true }
    guard matchesCombine, case .failure = completion else { return false }
    return !buffered.hasDemand
  }

  @inlinable
  package mutating func requested(_ more: Subscribers.Demand) {
    buffered.request(more)
    failsWhenAsked = false
    if asksLater {
      asksLater = false
      state.toRequest = .unlimited
    }
  }

  @inlinable
  package mutating func takeDemandToReturn() -> Subscribers.Demand {
    defer { state.toRequest = .none }
    return state.toRequest
  }

  @inlinable
  package mutating func maySend(_ number: Int) -> Bool { state.upstream.isFull }

  @inlinable
  package mutating func cancelled() {
    finish(nil)
  }

  @inlinable
  mutating func finish(_ completion: AnyCompletion?) {
    // The intake cancels an upstream for whose value there was no room.
    if buffered.close() { state.upstream = OptionalSubscription() }
    state.finish(completion)
  }

  /// Removes and returns the next value, if there is demand for it, and counts it for the next request.
  @inlinable
  @inline(__always)
  mutating func nextValue() -> Value? {
    guard arrived > 0, let value = buffered.takeFirst() else { return nil }
    arrived -= 1
    if batch == 0 { return value }
    missing += 1
    if missing == batch {
      state.toRequest += batch
      missing = 0
    }
    return value
  }

  // MARK: Decisions

  @inlinable
  package mutating func next() -> CoordinatorAction<Value, Never> {
    if state.isRunning || state.ending != nil, let value = nextValue() { return .deliver(value) }
    if let completion = state.ending, endsNow(completion) { finish(completion) }
    if case .announcing = state.phase { buffered.startAdmitting() }
    return state.next()
  }
}
