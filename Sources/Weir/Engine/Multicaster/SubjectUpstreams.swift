/// The subscriptions of a subject's own upstreams, in their order of arrival.
///
/// One that is removed leaves a gap. When there are more gaps than subscriptions, all gaps are closed. So removing takes
/// logarithmic time, and memory follows the number of upstreams that are live.
struct SubjectUpstreams {
  private struct Entry: Numbered {
    /// Numbers only rise, so the entries are sorted by them.
    let number: Int
    var subscription: SubscriptionObject?
  }

  private var entries: [Entry] = []
  private var next = 0
  private var gaps = 0

  var all: [SubscriptionObject] { entries.compactMap(\.subscription) }

  /// Copies no subscription, because the lock is held: the last reference to one may be a user's, and its `deinit` would run here.
  func outermostGate(of thread: UInt) -> _Gated? {
    for index in entries.indices {
      if let gate = entries[index].subscription?._outermostGate(of: thread) { return gate }
    }
    return nil
  }

  /// Adds a subscription; the result is its number.
  mutating func add(_ subscription: SubscriptionObject) -> Int {
    defer { next += 1 }
    entries.append(Entry(number: next, subscription: subscription))
    return next
  }

  /// Takes a subscription out, to be released with no lock held.
  mutating func remove(_ number: Int) -> SubscriptionObject? {
    guard let index = entries.index(of: number) else { return nil }
    let removed = entries[index].subscription.take()
    if removed != nil { gaps += 1 }
    if gaps * 2 > entries.count {
      entries.removeAll { $0.subscription == nil }
      gaps = 0
    }
    return removed
  }
}

/// The same behind a lock: what an upstream and its subject retain both, so that the one can have itself forgotten.
///
/// Performance: a weak reference to the subject's hub would make every reference to that slower, 2,000 instructions for a value in
/// a debug build.
final class SubjectUpstreamList {
  private let upstreams = Locked(SubjectUpstreams())

  var all: [SubscriptionObject] { upstreams.withLock { $0.all } }

  func add(_ subscription: SubscriptionObject) -> Int { upstreams.withLock { $0.add(subscription) } }

  /// The outermost gate on the way of the upstreams' values that this thread has entered.
  func outermostGate(of thread: UInt) -> _Gated? {
    upstreams.withLock { $0.outermostGate(of: thread) }
  }

  /// Releases the subscription of an upstream that has completed or is cancelled. (`SubjectUpstreamTests`)
  func forget(_ number: Int) {
    let released = upstreams.withLock { $0.remove(number) }
    withExtendedLifetime(released) {}
  }
}
