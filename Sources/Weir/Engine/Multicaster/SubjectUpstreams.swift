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

    /// Whether one of the others doesn't tell when it sends.
    var areSilent = false

    /// The other upstreams that are sending, and on which threads.
    var sending: [(thread: UInt, number: Int)] = []

    /// Returns an upstream that is sending on this thread, from the index on, and sets the index behind it.
    mutating func nextSending(on thread: UInt, from index: inout Int) -> OptionalSubscription? {
      while index < sending.count {
        let (sender, number) = sending[index]
        index += 1
        if sender == thread { return others.subscription(of: number) }
      }
      return nil
    }
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

  /// Records that one of the others doesn't tell when it sends.
  func noteSilent() {
    state.withLock { $0.areSilent = true }
  }

  func beginSending(_ number: Int) {
    state.withLock { $0.sending.append((currentThread(), number)) }
  }

  func endSending(_ number: Int) {
    let thread = currentThread()
    state.withLock { state in
      guard let index = state.sending.lastIndex(where: { $0 == (thread, number) }) else { return }
      state.sending.remove(at: index)
    }
  }

  /// The outermost gate on the way of the upstreams' values that this thread has entered.
  ///
  /// Performance: a buffer asks for each value, and a subject may have very many upstreams. So the sending ones are
  /// recorded.
  func outermostGate(of thread: UInt) -> _Gated? {
    // Outside the lock, because it is asked further up.
    if let gate = state.withLock({ $0.first }).outermostGate(of: thread) { return gate }
    var index = 0
    while let upstream = state.withLock({ $0.nextSending(on: thread, from: &index) }) {
      if let gate = upstream.outermostGate(of: thread) { return gate }
    }
    return state.withLock { $0.areSilent ? $0.others : nil }?.outermostGate(of: thread)
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
