/// What a buffer asks of its upstream.
@usableFromInline
package enum BufferAsking {
  /// Everything, at once.
  case everything
  /// Everything, as soon as the downstream asks for anything.
  case everythingWhenAsked
  /// As many as there is room for, and so many more whenever that many have gone out.
  case batches(of: Int)
}

/// Keeps values until there is demand for them: behind `buffer`, and behind the operators of other modules that choose
/// what becomes of values without demand.
@usableFromInline
package struct BufferMachine<Value, Failure: Error>: CoordinatorMachine {
  @usableFromInline
  package typealias Input = Value

  @usableFromInline
  package typealias Output = Value

  @usableFromInline
  let size: Int

  /// What is asked of the upstream at its arrival.
  @usableFromInline
  let firstRequest: Subscribers.Demand

  /// How many have to go out before the upstream is asked for as many again; 0 if it has been asked for everything.
  @usableFromInline
  let batch: Int

  @usableFromInline
  var whenFull: Publishers.BufferingStrategy<Failure>

  /// A failure leaves what waits before it its place; else it overtakes.
  @usableFromInline
  let failsInOrder: Bool

  /// Is told of each value for which there was no room.
  @usableFromInline
  var onDrop: ((Value) -> Void)?

  /// The upstream is to be asked for everything at the first request.
  @usableFromInline
  var asksLater: Bool

  /// How many have gone out since the upstream was asked last.
  @usableFromInline
  var missing = 0

  @usableFromInline
  var life = UpstreamLife<Failure>()

  @usableFromInline
  var values = Fifo<Value>()

  @usableFromInline
  var demand = Subscribers.Demand.none

  @inlinable
  package init(
    size: Int, asking: BufferAsking, whenFull: Publishers.BufferingStrategy<Failure>, failsInOrder: Bool = true,
    onDrop: ((Value) -> Void)? = nil
  ) {
    self.size = size
    self.whenFull = whenFull
    self.failsInOrder = failsInOrder
    self.onDrop = onDrop
    switch asking {
    case .everything: (firstRequest, batch, asksLater) = (.unlimited, 0, false)
    case .everythingWhenAsked: (firstRequest, batch, asksLater) = (.none, 0, true)
    case .batches(let count): (firstRequest, batch, asksLater) = (.max(size), count, false)
    }
  }

  @inlinable
  init(size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>) {
    self.init(
      size: size, asking: prefetch == .keepFull ? .batches(of: 1) : .everything, whenFull: whenFull,
      failsInOrder: false)
  }

  @usableFromInline
  package func reflected(downstream: Any?) -> [Mirror.Child] {
    [
      ("values", values.elements), ("state", life.phase), ("downstreamDemand", demand),
      ("terminal", orNil(life.ending)),
    ]
  }

  // MARK: Events

  @inlinable
  package mutating func subscribed(to number: Int, _ subscription: any Subscription) {
    life.subscribed(subscription, asking: firstRequest)
  }

  @inlinable
  package mutating func completed(_ number: Int, _ completion: Subscribers.Completion<Failure>) {
    if life.completed(completion), !failsInOrder, case .failure = completion { finish(completion) }
  }

  @inlinable
  mutating func received(_ value: Value) {
    if values.count < size || values.isEmpty && demand > .none { return values.append(value) }
    // The closures may come back here: what comes of that waits, and they are called when nothing is half done.
    switch whenFull {
    case .dropNewest:
      drop(value)
    case .dropOldest:
      var dropped = value
      if let oldest = values.popFirst() {
        dropped = oldest
        values.append(value)
      }
      drop(dropped)
    case .customError(let makeError):
      drop(value)
      fail(makeError())
    }
  }

  @inlinable
  func drop(_ value: Value) {
    onDrop?(value)
    Reports.dropped(value)
  }

  @inlinable
  mutating func fail(_ error: Failure) {
    guard failsInOrder else { return finish(.failure(error)) }
    life.end.cancel(life.upstream.take())
    life.phase = .ending(.failure(error))
  }

  @inlinable
  package mutating func requested(_ more: Subscribers.Demand) {
    demand += more
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
    values.removeAll()
    // Whoever keeps the subscription keeps this machine, and is not to keep what the closures hold.
    whenFull = .dropNewest
    onDrop = nil
  }

  @inlinable
  @inline(__always)
  package mutating func receive(_ value: Value, from number: Int) {
    if life.isRunning { received(value) }
  }

  @inlinable
  @inline(__always)
  package mutating func nextOutput() -> Value? {
    guard life.isRunning, demand > .none, let value = values.popFirst() else { return nil }
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
    if demand != .unlimited { demand -= 1 }
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
    if life.isRunning || life.ending != nil, demand > .none, let value = values.popFirst() {
      taken()
      return .deliver(value)
    }
    if values.isEmpty, let completion = life.ending { finish(completion) }
    return life.next()
  }
}
