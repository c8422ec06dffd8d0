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
  mutating func handle(_ event: CoordinatorEvent<Value, Failure>) {
    switch event {
    case .value(let number, let value):
      receive(value, from: number)
    case .subscribed(_, let subscription):
      life.subscribed(subscription, asking: prefetch == .keepFull ? .max(size) : .unlimited)
    case .completed(_, let completion):
      // A failure overtakes what waits.
      if life.completed(completion), case .failure = completion { finish(completion) }
    case .signal:
      break
    }
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

  // MARK: Decisions

  @inlinable
  mutating func next() -> CoordinatorAction<Value, Failure, Never>? {
    if life.isRunning || life.ending != nil, demand > .none, let value = values.popFirst() {
      if demand != .unlimited { demand -= 1 }
      if prefetch == .keepFull { life.toRequest += 1 }
      return .deliver(value)
    }
    if values.isEmpty, let completion = life.ending { finish(completion) }
    return life.next()
  }
}
