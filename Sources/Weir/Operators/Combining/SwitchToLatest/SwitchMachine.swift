/// The state machine of `switchToLatest` and `flatMapLatest`.
///
/// It forwards the values of the upstream that was opened last.
@usableFromInline
struct SwitchMachine<Value, Failure: Error>: CoordinatorMachine {
  @usableFromInline
  typealias Input = Value

  @usableFromInline
  typealias Output = Value

  @usableFromInline
  var phase = MachinePhase.announcing

  @usableFromInline
  var outer = OptionalSubscription()

  @usableFromInline
  var outerIsDone = false

  /// The number of the latest upstream, and its subscription if it has arrived.
  @usableFromInline
  var current = -1

  @usableFromInline
  var inner = OptionalSubscription()

  @usableFromInline
  var innerIsOpen = false

  @usableFromInline
  var demand = Subscribers.Demand.none

  /// The demand that is still to be requested from the latest upstream.
  @usableFromInline
  var toRequest = Subscribers.Demand.none

  @usableFromInline
  var asksOuter = false

  @usableFromInline
  var incoming: Value?

  @usableFromInline
  var end = PendingTermination<Failure>()

  @inlinable
  init() {}

  @usableFromInline
  func outermostGate(of thread: UInt, from number: Int) -> _Gated? {
    outer.outermostGate(of: thread) ?? inner.outermostGate(of: thread)
  }

  // MARK: Events

  @inlinable
  mutating func signal(_ number: Int) {
    end.cancel(inner.take())
    current = number
    innerIsOpen = phase != .terminated
    toRequest = .none
  }

  @inlinable
  mutating func subscribed(to number: Int, _ subscription: SubscriptionObject) {
    if number == outerNumber, phase != .terminated, !outer.isFull, !outerIsDone {
      outer = OptionalSubscription(subscription)
      asksOuter = true
    } else if number == current, innerIsOpen, !inner.isFull {
      inner = OptionalSubscription(subscription)
      toRequest = demand
    } else {
      end.toCancel.append(subscription)
    }
  }

  @inlinable
  mutating func completed(_ number: Int, _ completion: Subscribers.Completion<Failure>) {
    guard phase == .running, number == outerNumber ? !outerIsDone : number == current && innerIsOpen else {
      return Reports.late(completion)
    }
    if number == outerNumber {
      outer = OptionalSubscription()
      outerIsDone = true
    } else {
      inner = OptionalSubscription()
      innerIsOpen = false
    }
    if case .failure = completion { finish(completion) }
  }

  @inlinable
  mutating func requested(_ more: Subscribers.Demand) {
    if demand == .unlimited {
      // As in Combine, an inner publisher that has sent no subscription gets the demand as an answer.
      if innerIsOpen, !inner.isFull { toRequest += more }
      return
    }
    demand += more
    if inner.isFull { toRequest += more }
  }

  @inlinable
  mutating func cancelled() {
    if phase != .terminated { finish(nil) }
    end.completion = nil
  }

  @inlinable
  mutating func finish(_ completion: Subscribers.Completion<Failure>?) {
    phase = .terminated
    end.completion = completion
    end.cancel(outer.take())
    end.cancel(inner.take())
    innerIsOpen = false
    incoming = nil
  }

  @inlinable
  @inline(__always)
  mutating func receive(_ value: Value, from number: Int) {
    if number == current, innerIsOpen, phase == .running { incoming = value }
  }

  @inlinable
  @inline(__always)
  mutating func receive(scalar value: Value, from number: Int) -> Bool {
    guard phase == .running, demand == .unlimited else { return false }
    if inner.isFull { end.cancel(inner.take()) }
    current = number
    innerIsOpen = false
    toRequest = .none
    incoming = value
    return true
  }

  @inlinable
  @inline(__always)
  mutating func nextOutput() -> Value? {
    guard phase == .running, demand == .unlimited else { return nil }
    return incoming.take()
  }

  @inlinable
  @inline(__always)
  mutating func returnedDemand(for number: Int) -> Subscribers.Demand {
    guard number == current, phase == .running else { return .none }
    defer { toRequest = .none }
    return toRequest
  }

  @inlinable
  @inline(__always)
  mutating func isIdle() -> Bool {
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
      // Drop the value, because the upstream sent more than was requested.
      incoming = nil
      if let previous = end.toCancel.popLast() { return .cancel(previous) }
      if toRequest > .none, let inner = inner.content {
        defer { toRequest = .none }
        return .request(UpstreamRequest(current, inner, toRequest))
      }
      if asksOuter, let outer = outer.content {
        asksOuter = false
        return .request(UpstreamRequest(outerNumber, outer, .unlimited))
      }
      guard outerIsDone, !innerIsOpen else { return nil }
      finish(.finished)
      return end.next()
    case .announcing:
      phase = .running
      return .announce
    case .terminated:
      return end.next()
    }
  }
}
