/// Sends on the values of the upstream that was opened last: behind `switchToLatest`.
@usableFromInline
struct SwitchMachine<Value, Failure: Error>: CoordinatorMachine {
  @usableFromInline
  typealias Input = Value

  @usableFromInline
  typealias Output = Value

  @usableFromInline
  enum Phase {
    /// The outer upstream has not handed over its subscription.
    case waiting
    /// The downstream is to get its subscription.
    case announcing
    /// Values go through.
    case running
    /// Finished, failed or cancelled: what is left is in `end`.
    case over
  }

  @usableFromInline
  var phase = Phase.waiting

  @usableFromInline
  var outer: (any Subscription)?

  @usableFromInline
  var outerIsDone = false

  /// The number of the latest upstream, and its subscription when it has come.
  @usableFromInline
  var current = -1

  @usableFromInline
  var inner: (any Subscription)?

  @usableFromInline
  var innerIsOpen = false

  @usableFromInline
  var demand = Subscribers.Demand.none

  /// What the latest upstream is still to be asked for.
  @usableFromInline
  var toRequest = Subscribers.Demand.none

  @usableFromInline
  var asksOuter = false

  @usableFromInline
  var incoming: Value?

  @usableFromInline
  var end = MachineEnd<Failure>()

  @inlinable
  init() {}

  // MARK: Events

  @inlinable
  mutating func handle(_ event: CoordinatorEvent<Value, Failure>) {
    switch event {
    case .value(let number, let value):
      receive(value, from: number)
    case .signal(let number):
      if let previous = inner.take() { end.toCancel.append(previous) }
      current = number
      innerIsOpen = phase != .over
      toRequest = .none
    case .subscribed(outerNumber, let subscription):
      guard phase == .waiting else { return end.toCancel.append(subscription) }
      phase = .announcing
      outer = subscription
      asksOuter = true
    case .subscribed(let number, let subscription):
      guard number == current, innerIsOpen, inner == nil else { return end.toCancel.append(subscription) }
      inner = subscription
      toRequest = demand
    case .completed(let number, .failure(let error)):
      guard phase == .running else { return }
      if number == outerNumber {
        guard !outerIsDone else { return }
        outer = nil
      } else {
        guard number == current, innerIsOpen else { return }
        inner = nil
      }
      finish(.failure(error))
    case .completed(outerNumber, .finished):
      outer = nil
      outerIsDone = true
    case .completed(let number, .finished):
      guard number == current else { return }
      inner = nil
      innerIsOpen = false
    }
  }

  @inlinable
  mutating func requested(_ more: Subscribers.Demand) {
    if demand == .unlimited { return }
    demand += more
    if inner != nil { toRequest += more }
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
    if let outer = outer.take() { end.toCancel.append(outer) }
    if let inner = inner.take() { end.toCancel.append(inner) }
    innerIsOpen = false
    incoming = nil
  }

  @inlinable
  @inline(__always)
  mutating func receive(_ value: Value, from number: Int) {
    if number == current, inner != nil, phase == .running { incoming = value }
  }

  @inlinable
  @inline(__always)
  mutating func nextOutput() -> Value? {
    guard phase == .running, demand == .unlimited else { return nil }
    return incoming.take()
  }

  @inlinable
  @inline(__always)
  mutating func isAtRest() -> Bool {
    guard phase == .running, end.toCancel.count == 0, toRequest == .none, !asksOuter else { return false }
    return demand == .unlimited && (innerIsOpen || !outerIsDone)
  }

  // MARK: Decisions

  @inlinable
  mutating func next() -> CoordinatorAction<Value, Failure, Never>? {
    switch phase {
    case .running:
      if demand > .none, let value = incoming.take() {
        if demand != .unlimited { demand -= 1 }
        return .deliver(value)
      }
      // The upstream sent more than it was asked for.
      incoming = nil
      if let previous = end.toCancel.popLast() { return .cancel(previous) }
      if toRequest > .none, let inner {
        defer { toRequest = .none }
        return .request(current, inner, toRequest)
      }
      if asksOuter, let outer {
        asksOuter = false
        return .request(outerNumber, outer, .unlimited)
      }
      guard outerIsDone, !innerIsOpen else { return nil }
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
