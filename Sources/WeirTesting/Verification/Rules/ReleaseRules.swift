import Weir

// Rules for the objects and values that remain after a termination.
extension Rule {
  static let letsGo = Rule(
    "3.13", "After a completion or a cancellation, the subscriber and the values are released.", for: .publishers
  ) { (target) throws(Violation) in
    for ending in target.endingsWithSubscription { try target.mustLetGo(after: ending) }
  }

  static let leavesNothing = Rule(
    "C17",
    "After a completion or a cancellation, the objects that it passed to its neighbors are deallocated.",
    for: .publishers
  ) { (target) throws(Violation) in
    for (manner, ending) in target.endings { try target.mustLeaveNothing(after: ending, manner) }
  }
}

extension VerificationTarget {
  fileprivate var endingsWithSubscription: [[Step]] {
    [
      [.requestUnlimited, .send, .cancel], [.cancel], [.requestUnlimited, .send, .finish],
      [.requestUnlimited, .send, .fail],
    ]
  }

  /// Terminates an object whose subscription is still retained.
  fileprivate func mustLetGo(after ending: [Step]) throws(Rule.Violation) {
    let live = LiveValues()
    let kept = LiveValues.$current.withValue(live) { () -> String? in
      let harness = VerificationHarness(manner: .plain, conduct: .good)
      build(harness)
      harness.subscribe()
      if isAsynchronous { harness.scheduler.advance() }
      // The object can have values before it receives any, such as that with which `scan` begins.
      let count = live.count
      for step in ending { _ = harness.perform(step) }
      if isAsynchronous { harness.scheduler.advance(by: 100) }
      if !harness.trace.events.contains(where: { $0.what == .cancels || $0.what.isCompletion }) { return nil }
      let subscription = harness.subscriber?.subscription
      weak let subscriber = harness.subscriber
      harness.subscriber = nil
      return withExtendedLifetime((harness, subscription)) {
        if subscriber != nil { return "The upstream or the subscription still retains the subscriber." }
        // A publisher that all subscribers share may keep values for later ones.
        if live.count > count, kind == .operator, !traits.contains(.isShared) {
          return "A value that the upstream has sent is still retained."
        }
        return nil
      }
    }
    if let kept { throw Rule.Violation(run: run(ending), reason: kept) }
  }

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
      let reason = Interference.$current.withValue(Interference(feed: feed)) {
        Attachments.$current.withValue(attachments) { () -> String? in
          var harness = play(ending, manner)
          if harness == nil { return nil }
          // The harness retains the tested object. Its shared subscription may outlive the subscribers.
          if traits.contains(.isShared) { harness = nil }
          return withExtendedLifetime(harness) { attachments.living }
        }
      }
      guard let reason else { continue }
      let run = run(ending, manner: manner)
      throw Rule.Violation(lines: run?.lines ?? [], reason: reason + feed.text)
    }
  }

  /// Runs a script on its own harness, which releases all neighbors of the tested object; `nil` if the script doesn't
  /// terminate.
  private func play(_ ending: [Step], _ manner: SubscriberBehavior) -> VerificationHarness? {
    let harness = VerificationHarness(manner: manner, conduct: .good)
    build(harness)
    harness.subscribe()
    if isAsynchronous { harness.scheduler.advance() }
    for step in ending { _ = harness.perform(step) }
    if isAsynchronous { harness.scheduler.advance(by: 100) }
    let isTerminated = harness.trace.events.contains { $0.what == .cancels || $0.what.isCompletion }
    if !isTerminated { return nil }
    harness.breaksCycles = false
    harness.releaseNeighbors()
    return harness
  }
}
