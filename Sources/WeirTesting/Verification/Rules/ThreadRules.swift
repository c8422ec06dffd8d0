#if !WEIR_BARE
import Dispatch
import Weir

// Multithreaded rules. They run in rounds, because a broken rule may hold most of the time.
extension Rule {
  static let askedInTurn = Rule(
    "2.7", "Requests to an upstream are serialized, whichever threads request and deliver.", for: .operators,
    inRounds: true
  ) { (target) throws(Violation) in
    try target.manyRounds { concurrentRun in
      concurrentRun.faults.contains(.overlappingRequests)
        ? "Two threads request from one upstream at the same time." : nil
    }
  }

  static let serialOnThreads = Rule(
    "2.11",
    "With several threads, deliveries are serial, match the demand, and stop at the completion.",
    for: .publishers, inRounds: true
  ) { (target) throws(Violation) in
    try target.manyRounds(\.faultyDelivery)
  }

  static let noWaiting = Rule(
    "C6", "While a subscriber handles an event, other threads subscribe and cancel without blocking.",
    for: .publishers, unless: [(.staysOnMainActor, "it accepts subscribers on the main actor only.")]
  ) { (target) throws(Violation) in
    let isSubject = target.kind == .subject
    try target.letOthersIn(isSubject ? [.requestUnlimited, .send] : [.requestUnlimited]) { subscription, attach in
      [
        ("A subscription", { _ = attach?(Trace(isCalledElsewhere: true), .plain) }),
        ("A cancellation", { subscription.cancel() }),
      ]
    }
  }

  static let keepsOrder = Rule(
    "C7", "The values of one thread arrive in order and before the completion, whichever thread requests.",
    for: .operators,
    unless: [
      Rule.drops, (.isShared, "its subscribers share its demand."),
      (.dependsOnTiming, "its values depend on the time of the request."),
    ], inRounds: true
  ) { (target) throws(Violation) in
    let all = try target.mustRun([.requestUnlimited], conduct: .counting(ConcurrentRun.count)).values
    try target.manyRounds { concurrentRun in
      guard let values = concurrentRun.values else { return nil }
      return values == Array(all.prefix(values.count))
        ? nil : "The subscriber received \(values), which is no prefix of \(all)."
    }
  }
}

extension VerificationTarget {
  typealias Attach = (Trace, SubscriberBehavior) -> any SubscriberHandle

  /// Runs steps on another thread while the subscriber handles its first value, its subscription or its completion; none
  /// may block, or deliver a second value.
  ///
  /// The script is that of the value. Each step has its name.
  func letOthersIn(
    _ script: [Step], _ steps: @escaping (any Subscription, Attach?) -> [(name: String, step: () -> Void)]
  ) throws(Rule.Violation) {
    if kind == .subject {
      try letOthersIn(during: .value, of: script, .good, steps)
      try letOthersIn(during: .subscription, of: [], .good, steps)
      return try letOthersIn(during: .completion, of: [.requestUnlimited, .send, .finish], .good, steps)
    }
    // An operator can deliver its first value after several of its upstream.
    try letOthersIn(during: .value, of: script, .counting(6), steps)
    try letOthersIn(during: .subscription, of: [], .counting(6), steps)
    // An operator can complete before its upstream, and with it.
    for count in [6, 0] { try letOthersIn(during: .completion, of: [.requestUnlimited], .counting(count), steps) }
  }

  /// After a step that blocks, there are no others: a lock that blocks two would release them together.
  private func letOthersIn(
    during arrival: Trace.Arrival, of script: [Step], _ conduct: UpstreamBehavior,
    _ steps: @escaping (any Subscription, Attach?) -> [(name: String, step: () -> Void)]
  ) throws(Rule.Violation) {
    var complaint: String?
    var showsLock = false
    var late: DispatchSemaphore?
    let waitForLateStep = { if late?.wait(timeout: .now() + 5) == .success { late = nil } }
    let before = { (harness: VerificationHarness) in
      harness.trace.isCalledElsewhere = true
      harness.trace.waitForOtherThread = waitForLateStep
      harness.trace.onArrival = { [weak harness] event, subscriber in
        guard event == arrival, let harness, let subscription = subscriber.subscription else { return }
        harness.trace.onArrival = { _, _ in }
        for (name, step) in steps(subscription, harness.attach) {
          // Safety: any thread may use a publisher and a subscription, and this thread waits meanwhile.
          // (`OperatorVerificationTests`)
          nonisolated(unsafe) let step = step
          // A separate queue gets a thread even if many others wait for one. The timeout starts when the step begins.
          let (begun, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
          DispatchQueue(label: "weir.verification").async {
            begun.signal()
            step()
            done.signal()
          }
          begun.wait()
          if done.wait(timeout: .now() + 5) == .timedOut {
            complaint = "\(name) on another thread was blocked\(arrival.text): a lock is held."
            showsLock = true
            late = done
            return
          }
          if arrival == .value, harness.trace.events.count(where: \.what.isDelivery) > 1 {
            complaint = "A call on another thread delivered a second value meanwhile."
            return
          }
        }
      }
    }
    // A step that the subscription has blocked must not overlap with the script.
    let run = try mustRun(script, conduct: conduct, preparing: { _ in waitForLateStep() }, before: before)
    // The delivery has ended. The late step must not overlap with the next attempt.
    waitForLateStep()
    guard let complaint else { return }
    var violation = Rule.Violation(run: run, reason: complaint)
    violation.showsLock = showsLock
    throw violation
  }

  /// The number of values that unlimited demand delivers in a round; `nil` if the threads may influence it.
  private func availableCount() throws(Rule.Violation) -> Int? {
    // A subject gets new values until it has delivered all requested ones.
    if kind == .subject { return .max }
    if isAsynchronous || !traits.isDisjoint(with: [.dropsValues, .waits, .isShared, .dependsOnTiming]) { return nil }
    // It may have threads of its own, which the rounds judge.
    let allowThreads = { (harness: VerificationHarness) in harness.trace.isCalledElsewhere = true }
    let all = try mustRun([.requestUnlimited], conduct: .counting(ConcurrentRun.count), before: allowThreads)
    return all.values.count
  }

  fileprivate func manyRounds(_ judge: (ConcurrentRun) -> String?) throws(Rule.Violation) {
    let available = try availableCount()
    for round in 0..<rounds {
      if let reason = judge(concurrentRun(isCancelled: round % 2 == 1, of: available)) {
        throw Rule.Violation(run: nil, reason: "\(reason) (Round \(round + 1) of \(rounds).)")
      }
    }
  }
}
#endif
