import Weir

// The rules for publishers, as observed by the subscriber. Reactive Streams numbers them 1.1 to 1.11.
extension Rule {
  static let neverMoreThanAsked = Rule("1.1", "Never more values than were asked for.", for: .publishers) { run in
    if run.conduct == .rude || run.conduct == .early { return nil }
    var demand = Subscribers.Demand.none
    var asked = Subscribers.Demand.none
    for event in run.events {
      switch event.what {
      case .asks(let more), .returns(let more):
        demand += more
        asked += more
      case .value(let value):
        if demand == .none { return "When value(\(value)) came, the demand had been \(asked.text) in all." }
        demand -= 1
      case .completion: return nil
      default: break
      }
    }
    return nil
  }

  static let endsWithItsUpstream = Rule(
    "1.2", "It ends when its upstream has ended, not before.", for: [.operator, .subject],
    unless: [(.endsEarly, "it may end early.")]
  ) { run in
    guard run.isWellBehaved, let end = run.completionIndex else { return nil }
    if case .completion(_, isFailure: true) = run.events[end].what {
      if run.traits.contains(.failsByItself) || run.upstreamFails(before: end) { return nil }
      return "It failed, but its upstream had not."
    }
    return run.upstreamEnd(before: end) == nil ? "It finished, but its upstream had not." : nil
  }

  static let oneAtATime = Rule(
    "1.3", "One event at a time: no delivery comes inside another.", for: .publishers,
    unless: [(.deliversNested, "what is sent from inside a delivery comes at once.")]
  ) { run in
    var depth = 0
    return run.first { what in
      if what == .left { depth -= 1 }
      guard what.isDelivery else { return nil }
      depth += 1
      return depth > 1 ? "\(what.text ?? "") came inside another delivery." : nil
    }
  }

  static let failureIsTold = Rule(
    "1.4", "The upstream's failure reaches the subscriber.", for: [.operator, .subject],
    unless: [(.recovers, "a failure of the upstream need not be its own.")]
  ) { run in
    if run.asksForNothing || (run.traits.contains(.holdsFailure) && !run.asksForAll) { return nil }
    return run.missesFailure
  }

  static let endIsTold = Rule(
    "1.5", "The upstream's end reaches the subscriber.", for: [.operator, .subject],
    unless: [(.outlivesUpstream, "its upstream's end need not be its own.")]
  ) { run in
    if run.asksForNothing || (run.traits.contains(.holdsValues) && !run.asksForAll) { return nil }
    return run.missesEnd
  }

  static let endIsTheEnd = Rule(
    "1.6", "After its end the subscription is dead: the upstream hears of no request and no cancel.", for: .operators,
    unless: [handsOn]
  ) { run in
    guard run.isWellBehaved, let end = run.completionIndex else { return nil }
    let step = run.events[end].step
    for event in run.events[end...] where event.step > step && run.scripts(event.step) {
      switch event.what {
      case .isAsked, .isCancelled: return "After the end it \(event.what.text ?? "")."
      default: break
      }
    }
    return nil
  }

  static let nothingAfterTheEnd = Rule(
    "1.7", "Nothing follows the end, and there is one at the most.", for: .publishers
  ) { run in
    guard run.mayJudgeLateEvents, let end = run.completionIndex else { return nil }
    return run.first(after: end) { $0.isDelivery ? "\($0.text ?? "") came after the end." : nil }
  }

  static let nothingAfterCancel = Rule("1.8", "Nothing is delivered after cancel() has returned.", for: .publishers) {
    run in
    if run.manner == .cancelsInside || run.manner == .cancelsInSubscription { return nil }
    return run.deliversAfterCancel
  }

  static let subscriptionFirst = Rule(
    "1.9", "One subscription, and nothing before it.", for: .publishers
  ) { run in
    guard run.isWellBehaved else { return nil }
    if run.subscriptionCount > 1 { return "There were \(run.subscriptionCount) subscriptions." }
    let first = run.first { what in
      if case .subscription = what { return "" }
      return what.isDelivery ? "\(what.text ?? "") came before the subscription." : nil
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
    return first(after: cancel) { $0.isDelivery ? "\($0.text ?? "") came after cancel() had returned." : nil }
  }

  /// The violation if the upstream's failure was not delivered.
  var missesFailure: String? {
    guard isWellBehaved, cancelIndex == nil, let end = upstreamEnd(), end.isFailure else { return nil }
    guard let completion = completionIndex else { return "The failure was not told." }
    if completion < end.index { return nil }
    if case .completion(_, isFailure: false) = events[completion].what {
      return "The upstream failed, but the subscriber was told that all went well."
    }
    return nil
  }

  /// The violation if the upstream's completion was not delivered.
  var missesEnd: String? {
    guard isWellBehaved, cancelIndex == nil, completionIndex == nil, let end = upstreamEnd(), !end.isFailure else {
      return nil
    }
    return "The end was not told."
  }
}
