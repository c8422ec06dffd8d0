/// The life of a machine that has one upstream: the hand-over of the subscription, what is asked of it, and the end.
///
/// Its number is 0. What happens to values is the machine's own.
@usableFromInline
package struct UpstreamLife<Failure: Error> {
  @usableFromInline
  package enum Phase {
    /// The upstream has not handed over its subscription.
    case waiting
    /// The downstream's subscription is about to be delivered.
    case announcing
    /// Values come.
    case running
    /// The upstream has ended; what it has sent may still have to go out before the completion.
    case ending(Subscribers.Completion<Failure>)
    /// Finished, failed or cancelled: what is left is in `end`.
    case over
  }

  @usableFromInline
  package var phase = Phase.waiting

  @usableFromInline
  package var upstream = SubscriptionSlot()

  /// What the upstream is still to be asked for.
  @usableFromInline
  package var toRequest = Subscribers.Demand.none

  @usableFromInline
  package var end = MachineEnd<Failure>()

  @inlinable
  package init() {}

  @inlinable
  package var isRunning: Bool {
    if case .running = phase { true } else { false }
  }

  /// The completion that waits for what is still to go out.
  @inlinable
  package var ending: Subscribers.Completion<Failure>? {
    if case .ending(let completion) = phase { completion } else { nil }
  }

  // MARK: Events

  @inlinable
  package mutating func subscribed(_ subscription: any Subscription, asking demand: Subscribers.Demand = .none) {
    guard case .waiting = phase else { return end.toCancel.append(subscription) }
    phase = .announcing
    upstream = SubscriptionSlot(subscription)
    toRequest += demand
  }

  /// Notes that the upstream has ended; false if it could not: then nothing follows from it.
  @inlinable
  package mutating func completed(_ completion: Subscribers.Completion<Failure>) -> Bool {
    guard isRunning else {
      Reports.late(completion)
      return false
    }
    upstream = SubscriptionSlot()
    phase = .ending(completion)
    return true
  }

  /// Ends: the upstream is cancelled if it is still there, and the completion, if there is one, goes out.
  @inlinable
  package mutating func finish(_ completion: Subscribers.Completion<Failure>?) {
    phase = .over
    end.completion = completion
    end.cancel(upstream.take())
  }

  @usableFromInline
  package func outermostGate(of thread: UInt) -> _Gated? { upstream.outermostGate(of: thread) }

  // MARK: Decisions

  /// What is left to be done when no value is to go out.
  @inlinable
  package mutating func next<Output, Effect>() -> CoordinatorAction<Output, Failure, Effect>? {
    if case .announcing = phase {
      phase = .running
      return .announce
    }
    if isRunning, toRequest > .none, upstream.isFull {
      defer { toRequest = .none }
      return .request(UpstreamRequest(0, upstream.content, toRequest))
    }
    return end.next()
  }
}
