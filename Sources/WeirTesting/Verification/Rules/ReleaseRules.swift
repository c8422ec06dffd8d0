import Weir

// Rules for the objects that remain after an object's neighbors have released it.
extension Rule {
  static let leavesNothing = Rule(
    "C17",
    "After a completion or a cancellation, the objects that it passed to its neighbors are deallocated.",
    for: .publishers
  ) { (target) throws(Violation) in
    for (manner, ending) in target.endings { try target.mustLeaveNothing(after: ending, manner) }
  }
}

extension VerificationTarget {
  /// The scripts after which no object may remain.
  ///
  /// An impossible script has no result.
  fileprivate var endings: [(SubscriberBehavior, [Step])] {
    var endings: [(SubscriberBehavior, [Step])] = [
      (.plain, [.cancel]), (.plain, [.request(1), .cancel]), (.cancelsInSubscription, []),
      (.plain, [.requestUnlimited]), (.cancelsInside, [.requestUnlimited]),
    ]
    if kind == .publisher { return endings }
    endings += [
      (.plain, [.finish]), (.plain, [.requestUnlimited, .send, .send, .finish]),
      (.plain, [.requestUnlimited, .send, .cancel]), (.plain, [.request(1), .send, .finish, .cancel]),
      (.plain, [.request(1), .send, .send, .cancel]), (.cancelsInside, [.requestUnlimited, .send, .send]),
    ]
    if canFail { endings += [(.plain, [.fail]), (.plain, [.requestUnlimited, .send, .fail])] }
    return endings
  }

  fileprivate func mustLeaveNothing(after ending: [Step], _ manner: SubscriberBehavior) throws(Rule.Violation) {
    for feed in kind == .operator ? Interference.Feed.allCases : [.foreign] {
      let attachments = Attachments()
      let isTerminated = Interference.$current.withValue(Interference(feed: feed)) {
        Attachments.$current.withValue(attachments) { play(ending, manner) }
      }
      guard isTerminated, let reason = attachments.living else { continue }
      let run = run(ending, manner: manner)
      throw Rule.Violation(lines: run?.lines ?? [], reason: reason + feed.text)
    }
  }

  /// Runs a script on its own harness, and releases that; returns `false` if the script doesn't terminate.
  private func play(_ ending: [Step], _ manner: SubscriberBehavior) -> Bool {
    let harness = VerificationHarness(manner: manner, conduct: .good)
    build(harness)
    harness.subscribe()
    if isAsynchronous { harness.scheduler.advance() }
    for step in ending { _ = harness.perform(step) }
    if isAsynchronous { harness.scheduler.advance(by: 100) }
    return harness.trace.events.contains { $0.what == .cancels || $0.what.isCompletion }
  }
}
