public import Weir

/// The state machine of `retry(when:)`: forwards the values of one attempt after the other.
///
/// The notifier has ``notifierNumber`` and its values are signals. The attempts have increasing numbers from 0.
@usableFromInline
struct RetryWhenMachine<Output, Failure: Error>: CoordinatorMachine {
  @usableFromInline
  typealias Input = Output

  @usableFromInline
  enum Effect {
    /// Sends a failure to the notifier.
    case notify(Failure)
    /// Starts the attempt with this number.
    case attempt(Int)
    /// Releases the upstream, because no attempt follows.
    case release
  }

  @usableFromInline
  enum Phase {
    /// The first attempt has not passed its subscription.
    case subscribing
    /// The downstream receives its subscription next.
    case announcing
    /// Values are forwarded.
    case running
    /// Finished, failed or cancelled.
    ///
    /// Pending actions are in `end`.
    case terminated
  }

  @usableFromInline
  static var notifierNumber: Int { -1 }

  @usableFromInline
  var phase = Phase.subscribing

  @usableFromInline
  var notifier = OptionalSubscription()

  @usableFromInline
  var asksNotifier = false

  @usableFromInline
  var attempt = 0

  @usableFromInline
  var upstream = OptionalSubscription()

  /// The attempt has failed, and the notifier's decision is pending.
  @usableFromInline
  var isWaiting = false

  @usableFromInline
  var demand = Subscribers.Demand.none

  /// The demand that is still to be requested from the attempt.
  @usableFromInline
  var toRequest = Subscribers.Demand.none

  /// The effect that runs when the machine is idle.
  @usableFromInline
  var effect: Effect?

  /// The completion that the notifier has sent.
  @usableFromInline
  var ending: Subscribers.Completion<Failure>?

  @usableFromInline
  var end = PendingTermination<Failure>()

  @inlinable
  init() {}

  @usableFromInline
  func outermostGate(of thread: UInt, from number: Int) -> _Gated? {
    upstream.outermostGate(of: thread) ?? notifier.outermostGate(of: thread)
  }

  // MARK: Events

  @inlinable
  mutating func subscribed(to number: Int, _ subscription: SubscriptionObject) -> EventOutcome {
    if number == Self.notifierNumber, phase != .terminated, !notifier.isFull, ending == nil {
      notifier = OptionalSubscription(subscription)
      asksNotifier = true
    } else if number == attempt, phase != .terminated, !upstream.isFull, !isWaiting {
      upstream = OptionalSubscription(subscription)
      toRequest = demand
      if phase == .subscribing { phase = .announcing }
    } else {
      end.toCancel.append(subscription)
    }
    return .undecided
  }

  @inlinable
  mutating func receive(_ value: Output, from number: Int) -> ValueOutcome<Output> {
    guard phase == .running, number == attempt, upstream.isFull, ending == nil, demand > .none else { return .nothing }
    if demand != .unlimited { demand -= 1 }
    return .deliver(value)
  }

  @inlinable
  mutating func signal(_ number: Int) -> EventOutcome {
    guard phase == .running, isWaiting, ending == nil else { return .nothing }
    isWaiting = false
    attempt += 1
    effect = .attempt(attempt)
    return .undecided
  }

  @inlinable
  mutating func completed(_ number: Int, _ completion: Subscribers.Completion<Failure>) -> EventOutcome {
    if number == Self.notifierNumber {
      guard notifier.isFull else { return .nothing }
      _ = notifier.take()
      ending = completion
      return .undecided
    }
    guard phase == .running, number == attempt, upstream.isFull else { return .nothing }
    _ = upstream.take()
    toRequest = .none
    switch completion {
    case .finished:
      finish(.finished)
    case .failure(let error):
      isWaiting = true
      effect = .notify(error)
    }
    return .undecided
  }

  @inlinable
  mutating func requested(_ more: Subscribers.Demand) {
    demand += more
    if upstream.isFull { toRequest += more }
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
    end.cancel(notifier.take())
    end.cancel(upstream.take())
    effect = .release
  }

  // MARK: Decisions

  @inlinable
  mutating func next() -> CoordinatorAction<Output, Failure, Effect>? {
    if phase == .announcing {
      phase = .running
      return .announce
    }
    guard phase == .running else { return end.next() ?? requestToNotifier() ?? nextEffect() }
    if let ending {
      finish(ending)
      return end.next()
    }
    if let request = requestToNotifier() { return request }
    if toRequest > .none, let upstream = upstream.content {
      defer { toRequest = .none }
      return .request(UpstreamRequest(attempt, upstream, toRequest))
    }
    return nextEffect() ?? end.next()
  }

  @inlinable
  mutating func nextEffect() -> CoordinatorAction<Output, Failure, Effect>? {
    effect.take().map { .effect($0) }
  }

  @inlinable
  mutating func requestToNotifier() -> CoordinatorAction<Output, Failure, Effect>? {
    guard asksNotifier, let notifier = notifier.content else { return nil }
    asksNotifier = false
    return .request(UpstreamRequest(Self.notifierNumber, notifier, .unlimited))
  }
}
