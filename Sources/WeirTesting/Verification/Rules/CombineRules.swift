import Weir

// Combine's additional rules, from C1 on, and the rules for several subscribers.
extension Rule {
  static let eachByItself = Rule(
    "1.10", "It accepts any number of subscribers, and serves each one separately.",
    for: [.operator, .publisher],
    unless: [
      (.isShared, "its subscribers share a subscription."), (.servesOne, "it supports one subscriber only."),
    ]
  ) { (target) throws(Violation) in
    let other = Trace()
    var second: (any SubscriberHandle)?
    let first = try target.mustRun([.requestUnlimited], conduct: .counting(6)) { harness in
      second = harness.attach?(other, .plain)
      if target.isAsynchronous { harness.scheduler.advance() }
      second?.request(.unlimited)
    }
    try requireSameEvents(of: other, as: first)
  }

  static let sameForAll = Rule(
    "1.11",
    "All subscribers receive the same events in the same order, and late ones a subscription and the completion.",
    for: [.subject],
    unless: [(.servesOne, "it supports one subscriber only.")]
  ) { (target) throws(Violation) in
    let other = Trace()
    var harness: VerificationHarness?
    // The harness is retained, because its members may complete when they are released.
    defer { withExtendedLifetime(harness) {} }
    let first = try target.mustRun([.requestUnlimited, .send, .send, .finish], conduct: .good) {
      harness = $0
      $0.attach?(other, .plain).request(.unlimited)
    }
    try requireSameEvents(of: other, as: first)
    guard first.completionIndex != nil else { return }
    let late = Trace()
    harness?.attach?(late, .plain).request(.unlimited)
    let lateRun = Run(
      target: target, script: [], manner: .plain, conduct: .good, events: late.events, texts: [], pendingCount: 0)
    if let reason = fault(of: lateRun, after: first) { throw Violation(run: first, reason: reason) }
  }

  /// The violation in the events of a subscriber that came after the completion.
  private static func fault(of late: Run, after first: Run) -> String? {
    let newcomer = "A subscriber that came after the completion"
    if late.completionIndex == nil { return "\(newcomer) received none." }
    if let reason = Rule.subscriptionFirst.judge(late) { return "\(newcomer): \(reason)" }
    // A subject that holds values may send the last ones again.
    let count = late.traits.contains(.holdsValues) ? late.deliveries.count : 1
    if late.deliveries == Array(first.deliveries.suffix(count)) { return nil }
    return "\(newcomer) received other events: \(late.deliveries.joined(separator: ", "))."
  }

  private static func requireSameEvents(of second: Trace, as first: Run) throws(Violation) {
    let texts = second.events.compactMap { $0.what.isDelivery ? $0.what.text : nil }
    if texts == first.deliveries { return }
    throw Violation(run: first, reason: "A second subscriber received other events: \(texts.joined(separator: ", ")).")
  }

  static let returnedDemandCounts = Rule(
    "C1", "Demand that a subscriber returns for a value counts.", for: .operators,
    unless: [waits]
  ) { run in
    run.manner == .returnsOne ? run.stalls : nil
  }

  static let nothingEarly = Rule(
    "C2", "Events before the subscription are ignored.", for: .operators,
    unless: [handsOn, (.passesEarlyEvents, "it forwards events that arrive before the subscription.")]
  ) { run in
    guard run.conduct == .early else { return nil }
    let first = run.first { what in
      if case .subscription = what { return "" }
      return what.isDelivery ? "\(what.text ?? "") arrived before the subscription." : nil
    }
    return first == "" ? nil : first
  }

  static let sameWhateverTheDemand = Rule(
    "C3", "The events don't depend on the demand, and all values precede the completion.",
    for: [.operator, .publisher],
    unless: [drops, (.servesOne, "it supports one subscriber only.")]
  ) { (target) throws(Violation) in
    let all = try target.everything(.counting(6))
    let steps: [Step] = (0...all.deliveries.count).flatMap { _ in [Step.request(1)] }
    let oneByOne = try target.mustRun(steps, conduct: .counting(6))
    if oneByOne.deliveries != all.deliveries {
      throw Violation(
        run: oneByOne,
        reason: "With unlimited demand, the subscriber received: \(all.deliveries.joined(separator: ", ")).")
    }
  }

  static let droppedCancellable = Rule(
    "C4", "Releasing the cancellable of a sink cancels the upstream once.", for: .operators
  ) { (target) throws(Violation) in
    let harness = VerificationHarness(manner: .plain, conduct: .good)
    target.build(harness)
    var cancellable = harness.sink?()
    if target.isAsynchronous { harness.scheduler.advance() }
    let live = harness.trace.events.filter { if case .sendsSubscription = $0.what { true } else { false } }.count
    let wasCancelled = harness.trace.events.contains { if case .isCancelled = $0.what { true } else { false } }
    withExtendedLifetime(cancellable) {}
    cancellable = nil
    if target.isAsynchronous { harness.scheduler.advance(by: 100) }
    let count = harness.trace.events.count { $0.what == .isCancelled(0) }
    if live > 0, !wasCancelled, count != 1 {
      throw Violation(run: nil, reason: "The upstream was cancelled \(count) times.")
    }
  }

  #if !WEIR_BARE
  static let noLock = Rule(
    "C5",
    "While a subscriber handles an event, a request on another thread neither blocks nor delivers a second value.",
    for: [.operator, .publisher, .subject]
  ) { (target) throws(Violation) in
    // Values wait while the subscriber handles the only one that it has requested.
    let isSubject = target.kind == .subject
    try target.letOthersIn(isSubject ? [.send, .send, .request(1), .send] : [.request(1)]) { subscription, _ in
      [("A request", { subscription.request(.max(1)) })]
    }
  }
  #endif

  static let noOrphans = Rule(
    "C8", "After a completion or a cancellation, no action is pending on the scheduler.", for: .publishers
  ) { run in
    guard run.isWellBehaved, run.isTerminated, run.pendingCount > 0 else { return nil }
    return "After 100 s, the number of pending actions is \(run.pendingCount)."
  }

  static let nestedSend = Rule(
    "C9", "Values that are sent during a delivery are delivered once and in order.", for: [.subject]
  ) { (target) throws(Violation) in
    let run = try target.mustRun([.requestUnlimited, .send], manner: .sendsInside, conduct: .good)
    let plain = try target.mustRun([.requestUnlimited, .send, .send], conduct: .good)
    if run.values != plain.values {
      throw Violation(run: run, reason: "The subscriber should receive: \(plain.values).")
    }
  }

  static let mayBeCancelledInside = Rule(
    "C10", "A subscriber may cancel while it receives the subscription or a value.", for: .publishers
  ) { run in
    if run.manner != .cancelsInside, run.manner != .cancelsInSubscription { return nil }
    return run.deliversAfterCancel ?? (run.target.kind == .operator ? run.keepsUpstream : nil)
  }
}
