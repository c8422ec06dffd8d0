/// The state machine of `switchToLatest` and `flatMapLatest`.
///
/// It forwards the values of the upstream that was opened last.
@usableFromInline
struct SwitchMachine<Output, Failure: Error>: CoordinatorMachine {
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

  /// The value of a scalar upstream that has replaced another.
  @usableFromInline
  var incoming: Output?

  @usableFromInline
  var end = PendingTermination()

  @inlinable
  init() {}

  @usableFromInline
  func outermostGate(of thread: UInt, from number: Int) -> _Gated? {
    outer.outermostGate(of: thread) ?? inner.outermostGate(of: thread)
  }

  // MARK: Events

  @inlinable
  mutating func signal(_ number: Int) -> EventOutcome {
    current = number
    innerIsOpen = phase != .terminated
    toRequest = .none
    guard inner.isFull else { return .nothing }
    end.cancel(inner.take())
    return .undecided
  }

  @inlinable
  mutating func subscribed(to number: Int, _ subscription: SubscriptionObject) -> EventOutcome {
    if number == outerNumber, phase != .terminated, !outer.isFull, !outerIsDone {
      outer = OptionalSubscription(subscription)
      return .request(.unlimited)
    }
    if number == current, innerIsOpen, !inner.isFull {
      inner = OptionalSubscription(subscription)
      return .request(demand)
    }
    end.cancel(subscription)
    return .undecided
  }

  @inlinable
  static func firstDemand(for number: Int, isUnlimited: Bool) -> Subscribers.Demand {
    number == outerNumber || isUnlimited ? .unlimited : .none
  }

  @inlinable
  mutating func completed(_ number: Int, _ completion: AnyCompletion) -> EventOutcome {
    guard phase == .running, number == outerNumber ? !outerIsDone : number == current && innerIsOpen else {
      Reports.late(completion)
      return .nothing
    }
    if number == outerNumber {
      outer = OptionalSubscription()
      outerIsDone = true
    } else {
      inner = OptionalSubscription()
      innerIsOpen = false
    }
    if case .failure = completion { finish(completion) }
    return phase == .running && !isDone ? .nothing : .undecided
  }

  @inlinable
  mutating func requested(_ more: Subscribers.Demand) {
    if demand == .unlimited {
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
  mutating func finish(_ completion: AnyCompletion?) {
    phase = .terminated
    end.completion = completion
    end.cancel(outer.take())
    end.cancel(inner.take())
    innerIsOpen = false
    incoming = nil
  }

  @inlinable
  @inline(__always)
  mutating func receive(_ value: Output, from number: Int) -> ValueOutcome<Output> {
    guard number == current, innerIsOpen, phase == .running else { return .nothing }
    if demand == .unlimited { return .deliver(value) }
    // The upstream sent more than was requested.
    if demand == .none { return .nothing }
    demand -= 1
    return .deliver(value)
  }

  @inlinable
  var takesScalars: Bool { mutating get { demand == .unlimited } }

  @inlinable
  mutating func maySend(_ number: Int) -> Bool {
    if number == outerNumber { return !outerIsDone }
    if number != current { return false }
    return innerIsOpen
  }

  @inlinable
  @inline(__always)
  mutating func receive(scalar value: Output, from number: Int) -> ValueOutcome<Output> {
    guard phase == .running, demand == .unlimited else { return .nothing }
    current = number
    innerIsOpen = false
    toRequest = .none
    guard inner.isFull else { return .deliver(value) }
    end.cancel(inner.take())
    incoming = value
    return .undecided
  }

  /// Whether no more values can follow.
  @inlinable
  var isDone: Bool { outerIsDone && !innerIsOpen }

  // MARK: Decisions

  @inlinable
  mutating func next() -> CoordinatorAction<Output, Never> {
    switch phase {
    case .running:
      if let previous = end.nextToCancel() { return .cancel(previous) }
      if let value = incoming.take() { return .deliver(value) }
      if toRequest > .none, innerIsOpen {
        defer { toRequest = .none }
        // As in Combine, an inner publisher that has sent no subscription gets the demand as an answer.
        return .request(UpstreamRequest(current, inner.content ?? Subscriptions.empty._object, toRequest))
      }
      guard isDone else { return .nothing }
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
