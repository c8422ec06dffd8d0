#if !WEIR_BARE
import Dispatch
import Weir

// Multithreaded rules. They run in rounds, because a broken rule may hold most of the time.
extension Rule {
  static let askedInTurn = Rule(
    "2.7", "Whatever threads ask and deliver, each upstream is asked by one at a time.", for: .operators, inRounds: true
  ) { (bench) throws(Breach) in
    try bench.manyRounds { crowd in
      crowd.faults.contains(.overlappingRequests) ? "Two threads ask one upstream at once." : nil
    }
  }

  static let serialOnThreads = Rule(
    "2.11",
    "Whatever threads send, ask and cancel, deliveries come one by one, as many as were asked for, none after the end.",
    for: .publishers, inRounds: true
  ) { (bench) throws(Breach) in
    try bench.manyRounds(\.faultyDelivery)
  }

  static let noWaiting = Rule(
    "C6", "While a subscriber handles a value, other threads may subscribe and cancel, and need not wait.",
    for: .publishers, unless: [(.staysOnMainActor, "it is subscribed to on the main actor alone.")]
  ) { (bench) throws(Breach) in
    try bench.letOthersIn { subscription, attach in
      [
        ("A thread that subscribes had to wait: a lock is held.", { _ = attach?(Trace(), .plain) }),
        ("A thread that cancels had to wait: a lock is held.", { subscription.cancel() }),
      ]
    }
  }

  static let keepsOrder = Rule(
    "C7", "What one thread sends comes in its order, whatever thread asks, and the end last.", for: .operators,
    unless: [
      Rule.drops, (.isShared, "its subscribers share what it asks for."),
      (.dependsOnTiming, "what it sends depends on when it is asked."),
    ], inRounds: true
  ) { (bench) throws(Breach) in
    let all = try bench.mustRun([.requestUnlimited], conduct: .counting(6)).values
    try bench.manyRounds { crowd in
      guard let values = crowd.values else { return nil }
      return values == Array(all.prefix(values.count)) ? nil : "Got \(values), not the first of \(all)."
    }
  }
}

extension Bench {
  typealias Attach = (Trace, SubscriberManner) -> any SubscriberHandle

  /// Runs steps on another thread while the subscriber handles a value; none may block.
  ///
  /// Each step has the message for a step that blocks.
  func letOthersIn(
    _ steps: @escaping (any Subscription, Attach?) -> [(complaint: String, step: () -> Void)]
  ) throws(Rule.Breach) {
    var complaint: String?
    var late: [DispatchSemaphore] = []
    let script: [Step] = kind == .subject ? [.requestUnlimited, .send] : [.requestUnlimited]
    let run = try mustRun(script, conduct: kind == .subject ? .good : .counting(1)) { stage in
      let (subscriber, attach) = (stage.subscriber, stage.attach)
      subscriber?.onValue = { [weak subscriber] in
        guard let subscription = subscriber?.subscription else { return }
        for (text, step) in steps(subscription, attach) {
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
            complaint = text
            late.append(done)
          }
        }
      }
    }
    // The delivery has ended. Waits for the late steps, so that none overlaps with the next attempt.
    for done in late { _ = done.wait(timeout: .now() + 5) }
    if let complaint { throw Rule.Breach(run: run, reason: complaint) }
  }

  fileprivate func manyRounds(_ judge: (Crowd) -> String?) throws(Rule.Breach) {
    for round in 0..<rounds {
      if let reason = judge(crowd(isCancelled: round % 2 == 1)) {
        throw Rule.Breach(run: nil, reason: "\(reason) That was in round \(round + 1) of \(rounds).")
      }
    }
  }
}
#endif
