public import Weir

/// The state machine of `retry(when:)`: forwards the values of one attempt after the other.
///
/// The notifier has ``notifierNumber`` and its values are signals. The attempts have increasing numbers from 0.
///
/// The notifier is attached when the first attempt has sent its subscription. The notifier's subscription retains the
/// coordinator. A coordinator without an upstream has no subscription that could be cancelled, so it must not be
/// retained. (`RetryTests/silentUpstream`)
@usableFromInline
struct RetryWhenMachine<Output, Failure: Error>: CoordinatorMachine {
  @usableFromInline
  enum Effect {
    /// Attaches the notifier.
    case listen
    /// Sends a failure to the notifier.
    case notify(Failure)
    /// Starts the attempt with this number.
    case attempt(Int)
    /// Releases the upstream, because no attempt follows.
    case release
  }

  @usableFromInline
  static var notifierNumber: Int { -1 }

  @usableFromInline
  var phase = SubscribingPhase.subscribing

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
  var ending: AnyCompletion?

  @usableFromInline
  var end = PendingTermination()

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
      if phase == .subscribing {
        phase = .announcing
        effect = .listen
      }
    } else {
      end.cancel(subscription)
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
  mutating func completed(_ number: Int, _ completion: AnyCompletion) -> EventOutcome {
    if number == Self.notifierNumber {
      guard notifier.isFull else { return .nothing }
      _ = notifier.take()
      ending = completion
      return .undecided
    }
    guard phase == .running, number == attempt, upstream.isFull else { return .nothing }
    _ = upstream.take()
    toRequest = .none
    switch completion.typed(as: Failure.self) {
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
  mutating func finish(_ completion: AnyCompletion?) {
    phase = .terminated
    end.completion = completion
    end.cancel(notifier.take())
    end.cancel(upstream.take())
    effect = .release
  }

  // MARK: Decisions

  @inlinable
  mutating func next() -> CoordinatorAction<Output, Effect> {
    switch phase {
    case .announcing:
      // The notifier attaches before the first request, so that it receives each failure.
      if effect != nil { return nextEffect() }
      phase = .running
      return .announce
    case .running:
      return nextWhileRunning()
    case .subscribing, .terminated:
      return end.isPending ? end.next() : nextEffect()
    }
  }

  @inlinable
  mutating func nextWhileRunning() -> CoordinatorAction<Output, Effect> {
    if let ending {
      finish(ending)
      return end.next()
    }
    if let request = requestToNotifier() { return request }
    if toRequest > .none, let upstream = upstream.content {
      defer { toRequest = .none }
      return .request(UpstreamRequest(attempt, upstream, toRequest))
    }
    return effect == nil ? end.next() : nextEffect()
  }

  @inlinable
  mutating func nextEffect() -> CoordinatorAction<Output, Effect> {
    effect.take().map { .effect($0) } ?? .nothing
  }

  @inlinable
  mutating func requestToNotifier() -> CoordinatorAction<Output, Effect>? {
    guard asksNotifier, let notifier = notifier.content else { return nil }
    asksNotifier = false
    return .request(UpstreamRequest(Self.notifierNumber, notifier, .unlimited))
  }
}
