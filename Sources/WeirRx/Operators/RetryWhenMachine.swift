public import Weir

/// Sends on the values of one attempt after the other: behind `retry(when:)`.
///
/// The notifier has ``notifierNumber``, its values are signals, and the attempts have rising numbers from 0.
@usableFromInline
struct RetryWhenMachine<Value, Failure: Error>: CoordinatorMachine {
  @usableFromInline
  typealias Input = Value

  @usableFromInline
  typealias Output = Value

  @usableFromInline
  enum Effect {
    /// Tell the notifier of a failure.
    case notify(Failure)
    /// Make the attempt with this number.
    case attempt(Int)
    /// There is none to come: let go of what makes them.
    case release
  }

  @usableFromInline
  enum Phase {
    /// The first attempt has not handed over its subscription.
    case subscribing
    /// The downstream is to get its subscription.
    case announcing
    /// Values go through.
    case running
    /// Finished, failed or cancelled: what is left is in `end`.
    case over
  }

  @usableFromInline
  static var notifierNumber: Int { -1 }

  @usableFromInline
  var phase = Phase.subscribing

  @usableFromInline
  var notifier = SubscriptionSlot()

  @usableFromInline
  var asksNotifier = false

  @usableFromInline
  var attempt = 0

  @usableFromInline
  var upstream = SubscriptionSlot()

  /// The attempt has failed, and the notifier decides.
  @usableFromInline
  var isWaiting = false

  @usableFromInline
  var demand = Subscribers.Demand.none

  /// What the attempt is still to be asked for.
  @usableFromInline
  var toRequest = Subscribers.Demand.none

  @usableFromInline
  var incoming: Value?

  /// What is to be done when the machine is at rest.
  @usableFromInline
  var effect: Effect?

  /// The end that the notifier has brought.
  @usableFromInline
  var ending: Subscribers.Completion<Failure>?

  @usableFromInline
  var end = MachineEnd<Failure>()

  @inlinable
  init() {}

  @usableFromInline
  func outermostGate(of thread: UInt, from number: Int) -> _Gated? {
    upstream.outermostGate(of: thread) ?? notifier.outermostGate(of: thread)
  }

  // MARK: Events

  @inlinable
  mutating func subscribed(to number: Int, _ subscription: any Subscription) {
    if number == Self.notifierNumber, phase != .over, !notifier.isFull, ending == nil {
      notifier = SubscriptionSlot(subscription)
      asksNotifier = true
    } else if number == attempt, phase != .over, !upstream.isFull, !isWaiting {
      upstream = SubscriptionSlot(subscription)
      toRequest = demand
      if phase == .subscribing { phase = .announcing }
    } else {
      end.toCancel.append(subscription)
    }
  }

  @inlinable
  mutating func receive(_ value: Value, from number: Int) {
    if phase == .running, number == attempt, upstream.isFull, ending == nil { incoming = value }
  }

  @inlinable
  mutating func signal(_ number: Int) {
    guard phase == .running, isWaiting, ending == nil else { return }
    isWaiting = false
    attempt += 1
    effect = .attempt(attempt)
  }

  @inlinable
  mutating func completed(_ number: Int, _ completion: Subscribers.Completion<Failure>) {
    if number == Self.notifierNumber {
      guard notifier.isFull else { return }
      _ = notifier.take()
      ending = completion
      return
    }
    guard phase == .running, number == attempt, upstream.isFull else { return }
    _ = upstream.take()
    toRequest = .none
    switch completion {
    case .finished:
      finish(.finished)
    case .failure(let error):
      isWaiting = true
      effect = .notify(error)
    }
  }

  @inlinable
  mutating func requested(_ more: Subscribers.Demand) {
    demand += more
    if upstream.isFull { toRequest += more }
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
    end.cancel(notifier.take())
    end.cancel(upstream.take())
    incoming = nil
    effect = .release
  }

  @inlinable
  mutating func answer(to number: Int) -> Subscribers.Demand {
    guard number == attempt, phase == .running, incoming == nil, ending == nil else { return .none }
    defer { toRequest = .none }
    return toRequest
  }

  // MARK: Decisions

  @inlinable
  mutating func next() -> CoordinatorAction<Value, Failure, Effect>? {
    if phase == .announcing {
      phase = .running
      return .announce
    }
    guard phase == .running else { return end.next() ?? requestToNotifier() ?? nextEffect() }
    if let value = incoming.take(), demand > .none {
      if demand != .unlimited { demand -= 1 }
      return .deliver(value)
    }
    if let ending {
      finish(ending)
      return end.next()
    }
    if let request = requestToNotifier() { return request }
    if toRequest > .none, upstream.isFull {
      defer { toRequest = .none }
      return .request(UpstreamRequest(attempt, upstream.content, toRequest))
    }
    return nextEffect() ?? end.next()
  }

  @inlinable
  mutating func nextEffect() -> CoordinatorAction<Value, Failure, Effect>? {
    effect.take().map { .effect($0) }
  }

  @inlinable
  mutating func requestToNotifier() -> CoordinatorAction<Value, Failure, Effect>? {
    guard asksNotifier, notifier.isFull else { return nil }
    asksNotifier = false
    return .request(UpstreamRequest(Self.notifierNumber, notifier.content, .unlimited))
  }
}
