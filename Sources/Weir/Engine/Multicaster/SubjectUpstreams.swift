/// The subscriptions of a subject's own upstreams, in their order of arrival.
///
/// An upstream and its subject both retain this list, so that the one can remove itself.
///
/// Performance: a weak reference to the subject's hub would make every reference to that slower, 2,000 instructions for a value in
/// a debug build.
final class SubjectUpstreams {
  private struct State {
    var opened = OpenUpstreams()
    var count = 0
  }

  private let state = Locked(State())

  var all: [SubscriptionObject] { state.withLock { $0.opened.entries.compactMap(\.subscription.content) } }

  /// Adds a subscription; the result is its number.
  func add(_ subscription: SubscriptionObject) -> Int {
    state.withLock { state in
      let number = state.count
      state.count += 1
      state.opened.open(number)
      _ = state.opened.subscribe(number, subscription)
      return number
    }
  }

  /// The outermost gate on the way of the upstreams' values that this thread has entered.
  func outermostGate(of thread: UInt) -> _Gated? {
    state.withLock { $0.opened.outermostGate(of: thread) }
  }

  /// Releases the subscription of an upstream that has completed or is cancelled. (`SubjectUpstreamTests`)
  func remove(_ number: Int) {
    // It may be a user's, so its `deinit` runs when the lock has been released.
    let released = state.withLock { state in
      let subscription = state.opened.subscription(of: number)
      _ = state.opened.close(number)
      return subscription
    }
    withExtendedLifetime(released) {}
  }
}
