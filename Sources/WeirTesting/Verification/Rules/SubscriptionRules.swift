import Weir

// The rules for subscriptions. Reactive Streams numbers them 3.1 to 3.17.
extension Rule {
  static let mayBeAskedInside = Rule(
    "3.2", "A subscriber may request values while it receives the subscription or a value.", for: .operators,
    unless: [waits]
  ) { run in
    run.manner == .requestsInside ? run.stalls : nil
  }

  static let boundedRecursion = Rule(
    "3.3", "A value that is requested during a delivery follows it, with constant stack depth.",
    for: [.operator, .publisher],
    unless: [drops, (.servesOne, "it supports one subscriber only.")]
  ) { (target) throws(Violation) in
    let all = try target.everything(.counting(200))
    let scripts: [(manner: SubscriberBehavior, script: [Step])] = [
      (.requestsInside, []), (.requestsInValues, [.request(1)]),
    ]
    for (manner, script) in scripts {
      let nested = try target.mustRun(script, manner: manner, conduct: .counting(200))
      if let reason = Rule.oneAtATime.judge(nested) { throw Violation(run: nested, reason: reason) }
      guard let difference = nested.firstDifference(from: all) else { continue }
      let counts =
        "With nested requests \(nested.values.count) values arrived, with unlimited demand \(all.values.count)."
      throw Violation(run: nil, reason: "\(counts) The first difference: \(difference).")
    }
  }

  static let nothingIsAskedAfterCancel = Rule(
    "3.6", "A request after a cancellation has no effect.", for: .operators, unless: [handsOn]
  ) { run in
    guard run.isWellBehaved, let cancel = run.events.firstIndex(where: { $0.what == .cancelReturned }) else {
      return nil
    }
    return run.first(after: cancel) { what in
      if case .isAsked = what { "After the cancellation it \(what.text ?? "")." } else { nil }
    }
  }

  static let cancelOnce = Rule(
    "3.7", "A second cancellation has no effect.", for: .receivers, unless: [handsOn]
  ) { run in
    for event in run.events {
      if case .isCancelled(let number) = event.what, run.cancelCount(of: number) > 1 {
        return "The upstream was cancelled \(run.cancelCount(of: number)) times."
      }
    }
    return nil
  }

  static let requestsAddUp = Rule(
    "3.8", "Demand adds up, requested or returned, also during a delivery: 2 and 3 are 5.", for: .publishers
  ) { (target) throws(Violation) in
    let all = try target.receive([.requestUnlimited]).values.count
    let demands: [(script: [Step], manner: SubscriberBehavior, count: Int)] = [
      ([.request(2), .request(3)], .plain, 5), ([.request(2)], .requestsThreeOnce, 5),
      ([.request(1)], .returnsOneOnce, 2), ([.request(1)], .returnsOne, .max),
    ]
    // A subject drops only values without demand, and here each value has been requested.
    let drops = target.kind != .subject && target.traits.contains(.dropsValues)
    for (script, manner, count) in demands {
      let run = try target.receive(script, manner)
      let expected = drops ? count : min(count, all)
      if run.values.count > expected || (run.values.count < expected && !drops) {
        throw Violation(run: run, reason: "\(run.values.count) values arrived instead of \(expected).")
      }
    }
  }

  static let neverForNothing = Rule(
    "3.9", "The upstream never receives a request for 0 values.", for: .receivers, unless: [handsOn]
  ) {
    run in
    run.first { what in
      if case .isAsked(_, let demand) = what, demand == .none {
        "The upstream received a request for 0 values."
      } else {
        nil
      }
    }
  }

  static let cancelReachesTheUpstream = Rule("3.12", "A cancellation reaches the upstream.", for: .receivers) { run in
    if run.manner == .cancelsInside || run.manner == .cancelsInSubscription { return nil }
    return run.keepsUpstream
  }

  static let demandIsAbsorbed = Rule(
    "3.17", "Demands may add up to any number. An overflow is unlimited demand.",
    for: [.operator, .publisher], unless: [drops]
  ) { (target) throws(Violation) in
    // More values than an operator would replace unlimited demand by.
    let values = UpstreamBehavior.counting(1100)
    let all = try target.everything(values)
    var scripts: [[Step]] = [[.request(.max), .request(.max), .requestUnlimited]]
    if all.values.count <= 2000 { scripts += [[.request(2000)], Array(repeating: .request(100), count: 20)] }
    for script in scripts {
      let run = try target.mustRun(script, conduct: values)
      if run.deliveries == all.deliveries { continue }
      throw Violation(
        run: run,
        reason: "\(run.values.count) values arrived, and with unlimited demand from the start \(all.values.count).")
    }
  }
}

extension Rule {
  /// The violation in a run, if the rule checks runs.
  func judge(_ run: Run) -> String? {
    if case .everyRun(let judge) = check { judge(run) } else { nil }
  }
}

extension Run {
  /// The first difference between the deliveries and those of another run.
  ///
  /// Their order is compared unless it depends on the time of requests.
  func firstDifference(from other: Run) -> String? {
    let isOrdered = !traits.contains(.dependsOnTiming)
    let found = isOrdered ? deliveries : deliveries.sorted()
    let expected = isOrdered ? other.deliveries : other.deliveries.sorted()
    if found == expected { return nil }
    let index = zip(found, expected).prefix { $0 == $1 }.count
    func text(_ texts: [String]) -> String { index < texts.count ? texts[index] : "nothing" }
    return "\(text(found)) instead of \(text(expected))"
  }

  /// The violation if a cancellation did not reach the upstream.
  var keepsUpstream: String? {
    guard isWellBehaved, let cancel = cancelIndex else { return nil }
    if let end = completionIndex, end < cancel { return nil }
    for number in liveSubscriptions(before: cancel) {
      if cancelCount(of: number) == 0 { return "The upstream was not cancelled." }
    }
    return nil
  }
}

extension VerificationTarget {
  /// A run that must be possible.
  func mustRun(
    _ script: [Step], manner: SubscriberBehavior = .plain, conduct: UpstreamBehavior,
    preparing: (VerificationHarness) -> Void = { _ in }, before: (VerificationHarness) -> Void = { _ in }
  ) throws(Rule.Violation) -> Run {
    // An asynchronous object may need time before it can be requested.
    for script in [script, [.wait] + script] {
      let run = run(
        script, manner: manner, conduct: conduct, untilIdle: true, preparing: preparing, before: before)
      if let run { return run }
    }
    throw Rule.Violation(run: nil, reason: "There is no subscription to request values from.")
  }

  /// A run with this demand, and up to 20 values.
  fileprivate func receive(
    _ demand: [Step], _ manner: SubscriberBehavior = .plain
  ) throws(Rule.Violation) -> Run {
    if kind != .subject { return try mustRun(demand, manner: manner, conduct: .counting(20)) }
    return try mustRun(demand + Array(repeating: .send, count: 20), manner: manner, conduct: .good)
  }

  /// A run with unlimited demand.
  func everything(_ conduct: UpstreamBehavior) throws(Rule.Violation) -> Run {
    try mustRun([.requestUnlimited], conduct: conduct)
  }
}
