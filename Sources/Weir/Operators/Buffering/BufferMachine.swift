/// Keeps values until there is demand for them: behind `buffer`.
@usableFromInline
struct BufferMachine<Value, Failure: Error>: CoordinatorMachine {
  @usableFromInline
  typealias Input = Value

  @usableFromInline
  typealias Output = Value

  @usableFromInline
  let size: Int

  @usableFromInline
  let prefetch: Publishers.PrefetchStrategy

  @usableFromInline
  let whenFull: Publishers.BufferingStrategy<Failure>

  @usableFromInline
  var life = UpstreamLife<Failure>()

  @usableFromInline
  var values = Fifo<Value>()

  @usableFromInline
  var demand = Subscribers.Demand.none

  @inlinable
  init(size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>) {
    self.size = size
    self.prefetch = prefetch
    self.whenFull = whenFull
  }

  // MARK: Events

  @inlinable
  mutating func subscribed(to number: Int, _ subscription: any Subscription) {
    life.subscribed(subscription, asking: prefetch == .keepFull ? .max(size) : .unlimited)
  }

  @inlinable
  mutating func completed(_ number: Int, _ completion: Subscribers.Completion<Failure>) {
    // A failure overtakes what waits.
    if life.completed(completion), case .failure = completion { finish(completion) }
  }

  @inlinable
  mutating func received(_ value: Value) {
    if values.count < size || values.isEmpty && demand > .none { return values.append(value) }
    switch whenFull {
    case .dropNewest:
      break
    case .dropOldest:
      _ = values.popFirst()
      if size > 0 { values.append(value) }
    case .customError(let makeError):
      finish(.failure(makeError()))
    }
  }

  @inlinable
  mutating func requested(_ more: Subscribers.Demand) {
    demand += more
  }

  @inlinable
  mutating func cancelled() {
    finish(nil)
  }

  @inlinable
  mutating func finish(_ completion: Subscribers.Completion<Failure>?) {
    life.finish(completion)
    values.removeAll()
  }

  @inlinable
  @inline(__always)
  mutating func receive(_ value: Value, from number: Int) {
    if life.isRunning { received(value) }
  }

  @inlinable
  @inline(__always)
  mutating func nextOutput() -> Value? {
    guard life.isRunning, demand > .none, let value = values.popFirst() else { return nil }
    taken()
    return value
  }

  @inlinable
  @inline(__always)
  mutating func answer(to number: Int) -> Subscribers.Demand {
    guard number == 0, life.isRunning else { return .none }
    defer { life.toRequest = .none }
    return life.toRequest
  }

  @inlinable
  @inline(__always)
  mutating func isAtRest() -> Bool {
    guard life.isRunning, life.toRequest == .none else { return false }
    return life.end.toCancel.count == 0
  }

  @inlinable
  @inline(__always)
  mutating func taken() {
    if demand != .unlimited { demand -= 1 }
    if prefetch == .keepFull { life.toRequest += 1 }
  }

  // MARK: Decisions

  @inlinable
  mutating func next() -> CoordinatorAction<Value, Failure, Never>? {
    if life.isRunning || life.ending != nil, demand > .none, let value = values.popFirst() {
      taken()
      return .deliver(value)
    }
    if values.isEmpty, let completion = life.ending { finish(completion) }
    return life.next()
  }
}
