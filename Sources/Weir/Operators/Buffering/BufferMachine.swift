/// Keeps values until there is demand for them: behind `buffer`.
@usableFromInline
struct BufferMachine<Value, Failure: Error>: CoordinatorMachine {
  @usableFromInline
  typealias Input = Value

  @usableFromInline
  typealias Output = Value

  @usableFromInline
  enum Phase {
    /// The upstream has not handed over its subscription.
    case waiting
    /// The downstream is to get its subscription.
    case announcing
    /// Values go through.
    case running
    /// The upstream has finished; the values that wait go out first.
    case draining
    /// Finished, failed or cancelled: what is left is in `end`.
    case over
  }

  @usableFromInline
  var phase = Phase.waiting

  @usableFromInline
  let size: Int

  @usableFromInline
  let prefetch: Publishers.PrefetchStrategy

  @usableFromInline
  let whenFull: Publishers.BufferingStrategy<Failure>

  @usableFromInline
  var upstream: (any Subscription)?

  @usableFromInline
  var values = Fifo<Value>()

  @usableFromInline
  var demand = Subscribers.Demand.none

  @usableFromInline
  var toRequest = Subscribers.Demand.none

  @usableFromInline
  var end = MachineEnd<Failure>()

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
    case .value(_, let value):
      if phase == .running { received(value) }
    case .subscribed(_, let subscription):
      guard phase == .waiting else { return end.toCancel.append(subscription) }
      phase = .announcing
      upstream = subscription
      toRequest = prefetch == .keepFull ? .max(size) : .unlimited
    case .completed(_, .finished):
      guard phase == .running else { return }
      upstream = nil
      phase = .draining
    case .completed(_, .failure(let error)):
      guard phase == .running else { return }
      upstream = nil
      finish(.failure(error))
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
    if phase != .over { finish(nil) }
    end.completion = nil
  }

  @inlinable
  mutating func finish(_ completion: Subscribers.Completion<Failure>?) {
    phase = .over
    end.completion = completion
    if let upstream = upstream.take() { end.toCancel.append(upstream) }
    values.removeAll()
  }

  // MARK: Decisions

  @inlinable
  mutating func next() -> CoordinatorAction<Value, Failure, Never>? {
    switch phase {
    case .running, .draining:
      if demand > .none, let value = values.popFirst() {
        if demand != .unlimited { demand -= 1 }
        if prefetch == .keepFull { toRequest += 1 }
        return .deliver(value)
      }
      if !end.toCancel.isEmpty { return end.next() }
      if toRequest > .none, let upstream {
        defer { toRequest = .none }
        return .request(0, upstream, toRequest)
      }
      guard phase == .draining, values.isEmpty else { return nil }
      finish(.finished)
      return end.next()
    case .announcing:
      phase = .running
      return .announce
    case .waiting, .over:
      return end.next()
    }
  }
}
