import Weir

// Combine's additional rules, from C1 on, and the rules for several subscribers.
extension Rule {
  static let eachByItself = Rule(
    "1.10", "It may be subscribed to any number of times, and serves each subscriber by itself.",
    for: [.operator, .publisher],
    unless: [
      (.isShared, "its subscribers share a subscription."), (.servesOne, "it serves one subscriber only."),
    ]
  ) { (bench) throws(Breach) in
    let other = Trace()
    var second: (any SubscriberHandle)?
    let first = try bench.mustRun([.requestUnlimited], conduct: .counting(6)) { stage in
      second = stage.attach?(other, .plain)
      if bench.isAsynchronous { stage.scheduler.advance() }
      second?.request(.unlimited)
    }
    let texts = other.events.compactMap { $0.what.isDelivery ? $0.what.text : nil }
    if texts != first.deliveries {
      throw Breach(run: first, reason: "A second subscriber got something else: \(texts.joined(separator: ", ")).")
    }
  }

  static let sameForAll = Rule(
    "1.11", "All subscribers get the same, in the same order.", for: [.subject],
    unless: [(.servesOne, "it serves one subscriber only.")]
  ) { (bench) throws(Breach) in
    let other = Trace()
    var stage: Stage?
    // The stage is retained, because its members may complete when they are released.
    defer { withExtendedLifetime(stage) {} }
    let first = try bench.mustRun([.requestUnlimited, .send, .send, .finish], conduct: .good) {
      stage = $0
      $0.attach?(other, .plain).request(.unlimited)
    }
    let texts = other.events.compactMap { $0.what.isDelivery ? $0.what.text : nil }
    if texts != first.deliveries {
      throw Breach(run: first, reason: "A second subscriber got something else: \(texts.joined(separator: ", ")).")
    }
  }

  static let returnedDemandCounts = Rule(
    "C1", "Demand that a value brings back counts.", for: .operators,
    unless: [(.waits, "it may wait for something else first.")]
  ) { run in
    run.manner == .returnsOne ? run.stalls : nil
  }

  static let nothingEarly = Rule(
    "C2", "What comes before the subscription is ignored.", for: .operators,
    unless: [handsOn, (.passesEarlyEvents, "it passes on what comes before the subscription.")]
  ) { run in
    guard run.conduct == .early else { return nil }
    let first = run.first { what in
      if case .subscription = what { return "" }
      return what.isDelivery ? "\(what.text ?? "") came before the subscription." : nil
    }
    return first == "" ? nil : first
  }

  static let sameWhateverTheDemand = Rule(
    "C3", "The same comes, one by one or all at once, and all of it before the end.", for: [.operator, .publisher],
    unless: [drops, (.servesOne, "it serves one subscriber only.")]
  ) { (bench) throws(Breach) in
    let all = try bench.everything(.counting(6))
    let steps: [Step] = (0...all.deliveries.count).flatMap { _ in [Step.request(1)] }
    let oneByOne = try bench.mustRun(steps, conduct: .counting(6))
    if oneByOne.deliveries != all.deliveries {
      throw Breach(run: oneByOne, reason: "Asked for at once, there came: \(all.deliveries.joined(separator: ", ")).")
    }
  }

  static let droppedCancellable = Rule(
    "C4", "Dropping the cancellable of a sink cancels the upstream, once.", for: .operators
  ) { (bench) throws(Breach) in
    let stage = Stage(manner: .plain, conduct: .good)
    bench.build(stage)
    var cancellable = stage.sink?()
    if bench.isAsynchronous { stage.scheduler.advance() }
    let live = stage.trace.events.filter { if case .sendsSubscription = $0.what { true } else { false } }.count
    let isOver = stage.trace.events.contains { if case .isCancelled = $0.what { true } else { false } }
    withExtendedLifetime(cancellable) {}
    cancellable = nil
    if bench.isAsynchronous { stage.scheduler.advance(by: 100) }
    let count = stage.trace.events.count { $0.what == .isCancelled(0) }
    if live > 0, !isOver, count != 1 { throw Breach(run: nil, reason: "The upstream was cancelled \(count) times.") }
  }

  #if !WEIR_BARE
  static let noLock = Rule(
    "C5", "While a subscriber handles a value, another thread may request and need not wait.",
    for: [.operator, .publisher, .subject]
  ) { (bench) throws(Breach) in
    try bench.letOthersIn { subscription, _ in
      [("The request of another thread had to wait: a lock is held.", { subscription.request(.max(1)) })]
    }
  }
  #endif

  static let noOrphans = Rule(
    "C8", "After the end and after a cancel, no work goes on on the scheduler.", for: .publishers
  ) { run in
    guard run.isWellBehaved, run.isOver, run.pendingCount > 0 else { return nil }
    return "After 100 s there is work that waits still: \(run.pendingCount)."
  }

  static let nestedSend = Rule(
    "C9", "What is sent from inside a delivery is delivered, once and in order.", for: [.subject]
  ) { (bench) throws(Breach) in
    let run = try bench.mustRun([.requestUnlimited, .send], conduct: .good) { stage in
      var isFirst = true
      stage.subscriber?.onValue = { [unowned stage] in
        guard isFirst, stage.trace.step > 1 else { return }
        isFirst = false
        stage.upstream?.perform(.send)
      }
    }
    let plain = try bench.mustRun([.requestUnlimited, .send, .send], conduct: .good)
    if run.values != plain.values { throw Breach(run: run, reason: "There should come: \(plain.values).") }
  }

  static let mayBeCancelledInside = Rule(
    "C10", "A cancel inside the subscription or inside a value is like any other.", for: .publishers
  ) { run in
    if run.manner != .cancelsInside, run.manner != .cancelsInSubscription { return nil }
    return run.deliversAfterCancel ?? (run.bench.kind == .operator ? run.keepsUpstream : nil)
  }
}
