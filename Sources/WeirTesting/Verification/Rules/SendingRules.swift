import Weir

// The rules for publishers, as observed by the subscriber. Reactive Streams numbers them 1.1 to 1.11.
extension Rule {
  static let neverMoreThanAsked = Rule("1.1", "The number of values never exceeds the demand.", for: .publishers) {
    run in
    if run.conduct == .nonconforming || run.conduct == .early { return nil }
    var demand = Subscribers.Demand.none
    var asked = Subscribers.Demand.none
    for event in run.events {
      switch event.what {
      case .asks(let more), .returns(let more):
        demand += more
        asked += more
      case .value(let value):
        if demand == .none { return "value(\(value)) arrived when the total demand was \(asked.text)." }
        demand -= 1
      case .completion: return nil
      default: break
      }
    }
    return nil
  }

  static let endsWithItsUpstream = Rule(
    "1.2", "It completes after its upstream, not before.", for: [.operator, .subject],
    unless: [(.endsEarly, "it may complete early.")]
  ) { run in
    guard run.isWellBehaved, let end = run.completionIndex else { return nil }
    if case .completion(_, isFailure: true) = run.events[end].what {
      if run.traits.contains(.failsByItself) || run.upstreamFails(before: end) { return nil }
      return "It failed, but its upstream had not failed."
    }
    return run.upstreamEnd(before: end) == nil ? "It finished, but its upstream had not completed." : nil
  }

  static let oneAtATime = Rule(
    "1.3", "Delivery is serial: no delivery is nested in another.", for: .publishers,
    unless: [(.deliversNested, "it delivers re-entrant events immediately.")]
  ) { run in
    var depth = 0
    return run.first { what in
      if what == .left { depth -= 1 }
      guard what.isDelivery else { return nil }
      depth += 1
      return depth > 1 ? "\(what.text ?? "") was nested in another delivery." : nil
    }
  }

  static let failureIsTold = Rule(
    "1.4", "The upstream's failure reaches the subscriber.", for: [.operator, .subject],
    unless: [recovers]
  ) { run in
    if run.asksForNothing || (run.traits.contains(.holdsFailure) && !run.asksForAll) { return nil }
    return run.missesFailure
  }

  static let endIsTold = Rule(
    "1.5", "The upstream's completion reaches the subscriber.", for: [.operator, .subject],
    unless: [outlivesUpstream]
  ) { run in
    if run.asksForNothing || (run.traits.contains(.holdsValues) && !run.asksForAll) { return nil }
    return run.missesEnd
  }

  static let completesByItself = Rule(
    "1.5", "With unlimited demand, it completes.", for: [.publisher]
  ) { (target) throws(Violation) in
    let all = try target.everything(.good)
    if all.completionIndex == nil { throw Violation(run: all, reason: "No completion was delivered.") }
  }

  static let endIsTheEnd = Rule(
    "1.6", "After its completion, the subscription forwards no request and no cancellation.", for: .operators,
    unless: [handsOn]
  ) { run in
    guard run.isWellBehaved, let end = run.completionIndex else { return nil }
    let step = run.events[end].step
    for event in run.events[end...] where event.step > step && run.scripts(event.step) {
      switch event.what {
      case .isAsked, .isCancelled: return "After the completion it \(event.what.text ?? "")."
      default: break
      }
    }
    return nil
  }

  static let nothingAfterTheEnd = Rule(
    "1.7", "There is at most one completion, and no event follows it.", for: .publishers
  ) { run in
    guard run.mayJudgeLateEvents, let end = run.completionIndex else { return nil }
    return run.first(after: end) { $0.isDelivery ? "\($0.text ?? "") arrived after the completion." : nil }
  }

  static let nothingAfterCancel = Rule("1.8", "Nothing is delivered after cancel() has returned.", for: .publishers) {
    run in
    if run.manner == .cancelsInside || run.manner == .cancelsInSubscription { return nil }
    return run.deliversAfterCancel
  }

  static let subscriptionFirst = Rule(
    "1.9", "There is exactly one subscription, and no event precedes it.", for: .publishers
  ) { run in
    guard run.isWellBehaved else { return nil }
    if run.subscriptionCount > 1 { return "There were \(run.subscriptionCount) subscriptions." }
    let first = run.first { what in
      if case .subscription = what { return "" }
      return what.isDelivery ? "\(what.text ?? "") arrived before the subscription." : nil
    }
    return first == nil ? "There was no subscription." : first == "" ? nil : first
  }
}

extension Run {
  /// Whether a late event is the fault of the tested object.
  var mayJudgeLateEvents: Bool {
    conduct == .good || !traits.contains(.passesSubscriptionOn)
  }

  var deliversAfterCancel: String? {
    guard mayJudgeLateEvents, let cancel = events.firstIndex(where: { $0.what == .cancelReturned }) else { return nil }
    return first(after: cancel) { $0.isDelivery ? "\($0.text ?? "") arrived after cancel() had returned." : nil }
  }

  /// The violation if the upstream's failure was not delivered.
  var missesFailure: String? {
    guard isWellBehaved, cancelIndex == nil, let end = upstreamEnd(), end.isFailure else { return nil }
    guard let completion = completionIndex else { return "No failure was delivered." }
    if completion < end.index { return nil }
    if case .completion(_, isFailure: false) = events[completion].what {
      return "The upstream failed, but the subscriber received finished."
    }
    return nil
  }

  /// The violation if the upstream's completion was not delivered.
  var missesEnd: String? {
    guard isWellBehaved, cancelIndex == nil, completionIndex == nil, let end = upstreamEnd(), !end.isFailure else {
      return nil
    }
    return "No completion was delivered."
  }
}
