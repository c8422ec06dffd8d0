/// How a buffer requests values from its upstream.
@usableFromInline
package enum BufferAsking {
  /// Everything, at once.
  case everything
  /// Everything, as soon as the downstream asks for anything.
  case everythingWhenAsked
  /// As many as there is room for, and so many more whenever that many have gone out.
  case batches(of: Int)
}

/// What a buffer is told of by its intake, which has the values.
@usableFromInline
@frozen
package enum BufferEvent<Failure: Error> {
  /// A value has been admitted.
  case arrived
  /// There was no room, so the buffer fails with this.
  case overflowed(Failure)
}

/// Sends on the values that an intake has admitted, as far as there is demand for them: behind `buffer`, and behind the operators of
/// other modules that choose what becomes of values without demand.
///
/// An event announces each value that is admitted. So the thread that delivers counts the values of other threads, and hands over in
/// time.
@usableFromInline
package struct BufferMachine<Value, Failure: Error>: CoordinatorMachine {
  @usableFromInline
  package typealias Input = BufferEvent<Failure>

  @usableFromInline
  package typealias Output = Value

  @usableFromInline
  let buffered: BufferedValues<Value, Failure>

  /// What is asked of the upstream when the downstream has its subscription.
  @usableFromInline
  let firstRequest: Subscribers.Demand

  /// How many have to go out before the upstream is asked for as many again; 0 if it has been asked for everything.
  @usableFromInline
  let batch: Int

  @usableFromInline
  let isCombines: Bool

  /// There was no room, and the failure follows the next request.
  @usableFromInline
  var failsWhenAsked = false

  /// The upstream is to be asked for everything at the first request.
  @usableFromInline
  var asksLater: Bool

  /// How many values have been announced and have not gone out.
  @usableFromInline
  var arrived = 0

  /// How many have gone out since the upstream was asked last.
  @usableFromInline
  var missing = 0

  @usableFromInline
  var life = UpstreamLife<Failure>()

  @inlinable
  init(_ policy: BufferPolicy<Value, Failure>) {
    buffered = BufferedValues(policy)
    isCombines = policy.isCombines
    firstRequest = isCombines ? .none : policy.firstRequest
    switch policy.asking {
    case .everything: (batch, asksLater) = (0, false)
    case .everythingWhenAsked: (batch, asksLater) = (0, true)
    case .batches(let count): (batch, asksLater) = (count, false)
    }
  }

  @usableFromInline
  package func reflected(downstream: Any?) -> [Mirror.Child] {
    let (values, demand) = buffered.shown
    return [
      ("values", values), ("state", life.phase), ("downstreamDemand", demand), ("terminal", orNil(life.ending)),
    ]
  }

  @usableFromInline
  package func outermostGate(of thread: UInt, from number: Int) -> _Gated? { life.outermostGate(of: thread) }

  // MARK: Events

  @inlinable
  package mutating func subscribed(to number: Int, _ subscription: any Subscription) {
    life.subscribed(subscription, asking: firstRequest)
  }

  @inlinable
  package mutating func completed(_ number: Int, _ completion: Subscribers.Completion<Failure>) {
    if life.completed(completion) { buffered.stopAdmitting() }
  }

  @inlinable
  package mutating func receive(_ event: BufferEvent<Failure>, from number: Int) {
    switch event {
    case .arrived:
      arrived += 1
    case .overflowed(let error):
      buffered.errorIsMade()
      if life.isRunning { fail(error) }
    }
  }

  @inlinable
  mutating func fail(_ error: Failure) {
    life.end.cancel(life.upstream.take())
    life.phase = .ending(.failure(error))
    failsWhenAsked = isCombines && !buffered.hasDemand
  }

  /// Whether no value comes before the completion any more.
  @inlinable
  func endsNow(_ completion: Subscribers.Completion<Failure>) -> Bool {
    if failsWhenAsked { return false }
    if buffered.isEmpty { return true }
    guard isCombines, case .failure = completion else { return false }
    return !buffered.hasDemand
  }

  @inlinable
  package mutating func requested(_ more: Subscribers.Demand) {
    buffered.request(more)
    failsWhenAsked = false
    if asksLater {
      asksLater = false
      life.toRequest = .unlimited
    }
  }

  @inlinable
  package mutating func cancelled() {
    finish(nil)
  }

  @inlinable
  mutating func finish(_ completion: Subscribers.Completion<Failure>?) {
    life.finish(completion)
    buffered.close()
  }

  @inlinable
  @inline(__always)
  package mutating func nextOutput() -> Value? {
    guard arrived > 0, life.isRunning, let value = buffered.takeFirst() else { return nil }
    taken()
    return value
  }

  @inlinable
  @inline(__always)
  package mutating func answer(to number: Int) -> Subscribers.Demand {
    guard number == 0, life.isRunning else { return .none }
    defer { life.toRequest = .none }
    return life.toRequest
  }

  @inlinable
  @inline(__always)
  package mutating func isAtRest() -> Bool {
    guard life.isRunning, life.toRequest == .none else { return false }
    return life.end.toCancel.count == 0
  }

  @inlinable
  @inline(__always)
  mutating func taken() {
    arrived -= 1
    if batch == 0 { return }
    missing += 1
    if missing == batch {
      life.toRequest += batch
      missing = 0
    }
  }

  // MARK: Decisions

  @inlinable
  package mutating func next() -> CoordinatorAction<Value, Failure, Never>? {
    if arrived > 0, life.isRunning || life.ending != nil, let value = buffered.takeFirst() {
      taken()
      return .deliver(value)
    }
    if let completion = life.ending, endsNow(completion) { finish(completion) }
    if case .announcing = life.phase { buffered.startAdmitting() }
    return life.next()
  }
}
