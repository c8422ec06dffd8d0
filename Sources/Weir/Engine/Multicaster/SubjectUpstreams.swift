/// The subscriptions of a subject's own upstreams, in their order of arrival.
///
/// An upstream and its subject both retain this list, so that the one can remove itself.
///
/// Performance: a weak reference to the subject's hub would make every reference to that slower, 2,000 instructions for
/// a value in a debug build.
final class SubjectUpstreams {
  private struct State {
    /// The upstream with the number 0.
    ///
    /// Performance: most subjects have no other, and the list of the others costs 700 instructions.
    var first = OptionalSubscription()
    var others = OpenUpstreams()
    var count = 0
  }

  private let state = Locked(State())

  var all: [SubscriptionObject] {
    state.withLock { state in
      let others = state.others.isEmpty ? [] : state.others.entries.compactMap(\.subscription.content)
      return state.first.content.map { [$0] + others } ?? others
    }
  }

  /// Adds a subscription; the result is its number.
  func add(_ subscription: SubscriptionObject) -> Int {
    state.withLock { state in
      let number = state.count
      state.count += 1
      if number == 0 {
        state.first = OptionalSubscription(subscription)
      } else {
        state.others.open(number)
        _ = state.others.subscribe(number, subscription)
      }
      return number
    }
  }

  /// The outermost gate on the way of the upstreams' values that this thread has entered.
  func outermostGate(of thread: UInt) -> _Gated? {
    // Outside the lock, because it is asked further up.
    let (first, others) = state.withLock { ($0.first, $0.others) }
    return first.outermostGate(of: thread) ?? others.outermostGate(of: thread)
  }

  /// Releases the subscription of an upstream that has completed or is cancelled. (`SubjectUpstreamTests`)
  func remove(_ number: Int) {
    // It may be a user's, so its `deinit` runs when the lock has been released.
    let released = state.withLock { state in
      if number == 0 { return state.first.take() }
      let subscription = state.others.subscription(of: number)
      _ = state.others.close(number)
      return subscription
    }
    withExtendedLifetime(released) {}
  }
}
