/// The state of a machine with one upstream: its subscription, the requests to it, and the completion.
///
/// The upstream's number is 0. The machine itself handles values.
@usableFromInline
package struct UpstreamState {
  @usableFromInline
  package enum Phase {
    /// The upstream has not sent its subscription.
    case waiting
    /// The downstream's subscription is about to be delivered.
    case announcing
    /// Values are delivered.
    case running
    /// The upstream has completed; earlier values can still be pending before the completion.
    case ending(AnyCompletion)
    /// Finished, failed or cancelled; the remaining actions are in `end`.
    case terminated
  }

  @usableFromInline
  package var phase = Phase.waiting

  @usableFromInline
  package var upstream = OptionalSubscription()

  /// The demand that is still to be requested from the upstream.
  @usableFromInline
  package var toRequest = Subscribers.Demand.none

  @usableFromInline
  package var end = PendingTermination()

  @inlinable
  package init() {}

  // Performance: a getter that doesn't mutate copies the whole state in a debug build, which takes 500 instructions.

  @inlinable
  package var isRunning: Bool {
    mutating get { if case .running = phase { true } else { false } }
  }

  /// The completion that is pending behind earlier values.
  @inlinable
  package var ending: AnyCompletion? {
    mutating get { if case .ending(let completion) = phase { completion } else { nil } }
  }

  // MARK: Events

  @inlinable
  package mutating func subscribed(_ subscription: SubscriptionObject, asking demand: Subscribers.Demand = .none) {
    guard case .waiting = phase else { return end.cancel(subscription) }
    phase = .announcing
    upstream = OptionalSubscription(subscription)
    toRequest += demand
  }

  /// Records the upstream's completion; returns `false` for one that must be ignored.
  @inlinable
  package mutating func completed(_ completion: AnyCompletion) -> Bool {
    guard isRunning else {
      Reports.late(completion)
      return false
    }
    upstream = OptionalSubscription()
    phase = .ending(completion)
    return true
  }

  /// Ends the machine: cancels the upstream if there is one, and then delivers the completion if there is one.
  @inlinable
  package mutating func finish(_ completion: AnyCompletion?) {
    phase = .terminated
    end.completion = completion
    end.cancel(upstream.take())
  }

  @usableFromInline
  package func outermostGate(of thread: UInt) -> _Gated? { upstream.outermostGate(of: thread) }

  // MARK: Decisions

  /// Returns the next action if no value is to be delivered.
  @inlinable
  package mutating func next<Output, Effect>() -> CoordinatorAction<Output, Effect> {
    if case .announcing = phase {
      phase = .running
      return .announce
    }
    if isRunning, toRequest > .none, let upstream = upstream.content {
      defer { toRequest = .none }
      return .request(UpstreamRequest(0, upstream, toRequest))
    }
    return end.next()
  }
}
