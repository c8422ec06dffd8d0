#if !WEIR_BARE
import Weir

// Rules for a thread that calls the subscriber while another one sends faster.
extension Rule {
  static let boundHolds = Rule(
    "C18", "While one thread is inside the subscriber, the number of pending values stays within the bound.",
    for: [.operator, .subject],
    unless: [sentOnOneThread], withBound: true
  ) { (target) throws(Violation) in
    if let bound = target.traits.bound { try target.mustHold(atMost: bound) }
  }

  static let handsOver = Rule(
    "C19", "A call that delivers another thread's values returns after \(HandOver.limit) of them.",
    for: [.operator, .subject],
    unless: [sentOnOneThread]
  ) { (target) throws(Violation) in
    // Asynchronous deliveries are bounded by the scheduler's turns.
    if !target.isAsynchronous { try target.mustHandOver() }
  }

  private static var sentOnOneThread: Exemption { (.isSentOnOneThread, "only one thread at a time sends to it.") }
}

extension VerificationTarget {
  // MARK: - C18

  fileprivate func mustHold(atMost bound: Int) throws(Rule.Violation) {
    let (live, helpers, count) = (LiveValues(), Helpers(), 1000)
    let fault = LiveValues.$current.withValue(live) {
      Interference.$current.withValue(Interference(feed: .direct)) { () -> String? in
        let sender = Shared<(any ThreadSender)?>(nil)
        let meeting = Meeting(self, requesting: .max(1)) { number in
          guard number == 0, let sender = sender.withLock({ $0 }) else { return }
          helpers.run {
            LiveValues.$current.withValue(live) { for _ in 0..<count { _ = sender.sendNext() } }
          }
          helpers.letOthersGoOn()
        }
        guard let meeting else { return nil }
        sender.withLock { $0 = meeting.sender }
        _ = meeting.sender.sendNext()
        meeting.passTime(100)
        sender.withLock { $0 = nil }
        meeting.finish()
        helpers.finish()
        return meeting.concurrentRun.faultyDelivery
      }
    }
    var reason = helpers.isBlocked ? "The second thread was blocked." : fault
    // One value that is being delivered, and one that is being sent.
    if reason == nil, live.highest > bound + 2 {
      reason = "\(live.highest) values were alive at the same time. The limit is \(bound), plus one for each thread."
    }
    guard let reason else { return }
    throw Rule.Violation(
      lines: ["One thread is inside the subscriber, which has requested 1.", "A second thread sends \(count) values."],
      reason: reason)
  }

  // MARK: - C19

  fileprivate func mustHandOver() throws(Rule.Violation) {
    let count = 5 * HandOver.limit
    guard let (own, fault) = deliverForOthers(count) else { return }
    // An operator may send several values for one, or one for several.
    let bound = (HandOver.limit + 1) * deliveriesForEach
    let reason = own > bound ? "It made \(own) deliveries, and must return after \(bound)." : fault
    guard let reason else { return }
    throw Rule.Violation(
      lines: [
        "The upstream delivers a value on one thread, which is inside the subscriber.",
        "A second thread sends \(count) values. The first one continues.",
      ], reason: reason)
  }

  /// Counts the deliveries of one call while another thread sends; reports a fault in those of all threads.
  private func deliverForOthers(_ count: Int) -> (own: Int, fault: String?)? {
    let (helpers, sender) = (Helpers(), Shared<(any ThreadSender)?>(nil))
    let (main, own) = (currentThread(), Shared((count: 0, isTerminated: false)))
    return Interference.$current.withValue(Interference(feed: .foreign)) {
      let meeting = Meeting(self) { number in
        own.withLock { if currentThread() == main, !$0.isTerminated { $0.count += 1 } }
        guard number == 0, let sender = sender.withLock({ $0 }) else { return }
        helpers.run { for _ in 0..<count { _ = sender.sendNext() } }
        helpers.letOthersGoOn()
      }
      guard let meeting else { return nil }
      sender.withLock { $0 = meeting.sender }
      _ = meeting.sender.sendNext()
      own.withLock { $0.isTerminated = true }
      sender.withLock { $0 = nil }
      helpers.settle()
      HandOver.settle()
      meeting.finish()
      helpers.finish()
      let fault = helpers.isBlocked ? "The second thread was blocked." : meeting.concurrentRun.faultyDelivery
      return (own.withLock { $0.count }, fault)
    }
  }

  /// The maximum number of deliveries for one value.
  private var deliveriesForEach: Int {
    let count = 10
    return Interference.$current.withValue(Interference(feed: .foreign)) {
      guard let meeting = Meeting(self, onDelivery: { _ in }) else { return 1 }
      for _ in 0..<count { _ = meeting.sender.sendNext() }
      meeting.finish()
      return max(1, (meeting.concurrentRun.deliveries.count + count - 1) / count)
    }
  }
}
#endif
