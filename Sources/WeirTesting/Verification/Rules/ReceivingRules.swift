import Weir

// The rules for receivers, as observed by the upstream. Reactive Streams numbers them 2.1 to 2.13.
extension Rule {
  static let asksWhenAsked = Rule(
    "2.1", "Downstream demand reaches the upstream.", for: .operators,
    unless: [waits]
  ) { run in
    run.manner == .plain ? run.stalls : nil
  }

  static let asksAtAll = Rule(
    "2.1", "A subscriber requests values.", for: [.subscriber],
    unless: [waits]
  ) { run in
    guard run.isWellBehaved, run.cancelIndex == nil, run.upstreamEnd() == nil, run.script.isEmpty else { return nil }
    return run.upstreamDemand ?? .none == .none ? "It requested no values." : nil
  }

  static let asksForSubscriptions = Rule(
    "2.1", "Downstream demand reaches a subscription that is sent.", for: [.subject], unless: [waits]
  ) { (target) throws(Violation) in
    for script: [Step] in [[.requestUnlimited, .sendSubscription], [.sendSubscription, .requestUnlimited]] {
      let run = try target.mustRun(script, conduct: .good)
      if let reason = run.stalls { throw Violation(run: run, reason: reason) }
    }
  }

  static let leavesTheEndAlone = Rule(
    "2.3", "During its completion, the upstream receives no request and no cancellation.", for: .receivers,
    unless: [handsOn]
  ) { run in
    run.touchesTheDead { $0 == $1 }
  }

  static let leavesTheDeadAlone = Rule(
    "2.4", "After its completion, the upstream receives no request and no cancellation.", for: .receivers,
    unless: [handsOn]
  ) { run in
    run.touchesTheDead { $0 < $1 }
  }

  static let oneUpstream = Rule(
    "2.5", "A second subscription is cancelled, and the first one kept.", for: .receivers, unless: [handsOn]
  ) { run in
    guard run.conduct == .nonconforming else { return nil }
    if run.subscriptionCount > 1 { return "The second subscription was passed downstream." }
    for event in run.events {
      // A subscription that the tested object has requested again is not an extra one.
      guard case .sendsSubscription(let number) = event.what, number > 0,
        // Nor is a subscription that the tested object requests after the script, while the time advances.
        run.script.indices.contains(event.step - 1), run.script[event.step - 1] == .sendSubscription
      else { continue }
      let answers = run.events.filter { $0.step == event.step }.map(\.what)
      if answers.contains(.isCancelled(0)) { return "The first subscription was cancelled." }
      for case .isAsked(number, _) in run.events.map(\.what) { return "The second subscription received a request." }
      switch run.cancelCount(of: number) {
      case 0: return "The second subscription was not cancelled."
      case 1: break
      default: return "The second subscription was cancelled \(run.cancelCount(of: number)) times."
      }
    }
    return nil
  }

  static let cancelsWhatItNeedsNoMore = Rule(
    "2.6", "An operator that completes before its upstream cancels it.", for: .operators
  ) { run in
    guard run.isWellBehaved, run.cancelIndex == nil, let end = run.completionIndex else { return nil }
    for number in run.liveSubscriptions(before: end) where run.cancelCount(of: number) == 0 {
      if run.events.contains(where: { if case .sendsCompletion(number, _) = $0.what { true } else { false } }) {
        continue
      }
      return "It completed, and the upstream was not cancelled."
    }
    return nil
  }

  static let ignoresLateValues = Rule(
    "2.8", "A value after a completion or a cancellation is ignored, and returns no demand.", for: .receivers,
    unless: [handsOn]
  ) { run in
    guard run.conduct == .nonconforming else { return nil }
    guard let end = run.events.firstIndex(where: { $0.what == .cancelReturned || $0.what.isCompletion }) else {
      return nil
    }
    let step = run.events[end].step
    for event in run.events[end...] where event.step > step {
      if case .isAnswered(_, let demand) = event.what, demand > .none {
        return "A late value returned a demand of \(demand.text)."
      }
    }
    return nil
  }

  static let endNeedsNoDemand = Rule(
    "2.9", "A completion needs no demand.", for: [.operator, .subject],
    unless: [holdsValues, outlivesUpstream]
  ) { run in
    run.asksForNothing ? run.missesEnd : nil
  }

  static let endNeedsNoMoreDemand = Rule(
    "2.9", "A completion needs no demand beyond that for the values.", for: [.publisher],
    unless: [holdsValues, drops]
  ) { (target) throws(Violation) in
    let all = try target.everything(.good)
    if all.completionIndex == nil { return }
    let count = all.values.count
    let run = try target.mustRun(count == 0 ? [] : [.request(count)], conduct: .good)
    // Another number of values breaks other rules.
    if run.values.count == count, run.completionIndex == nil {
      throw Violation(run: run, reason: "All values were delivered, but not the completion.")
    }
  }

  static let failureNeedsNoDemand = Rule(
    "2.10", "A failure needs no demand.", for: [.operator, .subject],
    unless: [
      (.holdsFailure, "the failure waits for the operator's own values."),
      recovers,
    ]
  ) { run in
    run.asksForNothing ? run.missesFailure : nil
  }
}

extension Run {
  /// The violation if downstream demand doesn't reach the upstream.
  var stalls: String? {
    guard isWellBehaved, !isTerminated, demand > .none, let left = upstreamDemand, left == .none else { return nil }
    return "The outstanding demand is \(demand.text), but the upstream received no further request."
  }

  /// The violation if a terminated subscription is used; `isMeant` compares the steps of the use and of the
  /// termination.
  func touchesTheDead(where isMeant: (Int, Int) -> Bool) -> String? {
    if conduct == .early { return nil }
    var ends: [Int: Int] = [:]
    var isCancelled = false
    for event in events {
      switch event.what {
      case .cancels:
        isCancelled = true
      case .isCancelled where isCancelled && target.isAsynchronous:
        // A cancellation that was in flight when the upstream completed.
        continue
      case .sendsCompletion(let number, _):
        if ends[number] == nil { ends[number] = event.step }
      case .isAsked(let number, _), .isCancelled(let number):
        if let end = ends[number], isMeant(end, event.step) {
          return "It \(event.what.text ?? "") after the upstream has completed."
        }
      default: break
      }
    }
    return nil
  }
}
