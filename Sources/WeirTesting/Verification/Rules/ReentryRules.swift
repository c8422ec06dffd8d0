import Weir

// Re-entry from user code, on one thread.
extension Rule {
  static let reentry = Rule(
    "C15", "User code that it calls may send, complete, request, cancel and subscribe. The events stay in order.",
    for: .publishers
  ) { (target) throws(Violation) in
    try target.reenter { !$0.isRelease }
  }

  static let reentryOnRelease = Rule(
    "C16", "The deinit of an object that it releases may do the same as user code in rule C15.",
    for: .publishers
  ) { (target) throws(Violation) in
    try target.reenter { $0.isRelease }
  }
}

extension VerificationTarget {
  /// Runs scripts in which user code acts at each place, and compares them with the same actions in sequence.
  fileprivate func reenter(from isIncluded: (Interference.Place) -> Bool) throws(Rule.Violation) {
    for feed in kind == .operator ? Interference.Feed.allCases : [.foreign] {
      // The feeds differ in how the operator is guarded, not in its behavior, so one script suffices.
      for script in feed == .direct ? nestingScripts.prefix(1) : nestingScripts[...] {
        var serial = SerialRuns(target: self, script: script, feed: feed)
        let plain = nest(script, feed)
        for ordinal in plain.places.chosen(where: isIncluded) {
          for action in NestedAction.allCases where action.isPossible(for: self) {
            let nested = NestedRun(of: action, at: ordinal, in: script, feed, self)
            guard let reason = nested.violation(traits) ?? serial.difference(from: nested) else { continue }
            let line = "Inside \(nested.place.name), in step \(nested.place.step + 1), user code \(action.text)."
            throw Rule.Violation(lines: [line + feed.text] + nested.run.lines, reason: reason)
          }
        }
      }
    }
  }

  /// The scripts in which user code acts.
  private var nestingScripts: [[Step]] {
    let scripts: [[Step]] =
      switch kind {
      case .publisher: [[.requestUnlimited], [.request(1), .request(2), .requestUnlimited], [.request(1), .cancel]]
      case .operator, .subject, .subscriber:
        [
          [.requestUnlimited, .send, .send, .send, .finish], [.requestUnlimited, .send, .send, .fail],
          [.request(2), .send, .send, .cancel],
        ]
      }
    if !isAsynchronous { return scripts }
    return scripts.map { script in script.flatMap { $0.isSending || $0 == .request(1) ? [$0, .wait] : [$0] } }
  }

  /// Runs a script that records its places: `prepare` sets the user code, `act` is called after the subscription and
  /// after each step.
  fileprivate func nest(
    _ script: [Step], _ feed: Interference.Feed, prepare: (Interference, VerificationHarness) -> Void = { _, _ in },
    act: (VerificationHarness) -> Void = { _ in }
  ) -> (run: Run, places: [Interference.Place]) {
    let interference = Interference(feed: feed)
    return Interference.$current.withValue(interference) {
      let harness = VerificationHarness(manner: .plain, conduct: .good)
      build(harness)
      interference.trace = harness.trace
      prepare(interference, harness)
      var texts = ["subscribe"]
      harness.subscribe()
      act(harness)
      for step in script {
        harness.trace.step += 1
        texts.append(step.text(value: harness.upstream?.nextValue ?? "", sender: sender))
        // A nested action may have made the step impossible.
        _ = harness.perform(step)
        act(harness)
      }
      if isAsynchronous {
        harness.trace.step += 1
        texts.append("100 s pass")
        harness.scheduler.advance(by: 100)
      }
      let run = Run(
        target: self, script: script, manner: .plain, conduct: .good, events: harness.trace.events, texts: texts,
        pendingCount: harness.scheduler.pendingCount)
      return (run, interference.places)
    }
  }
}

/// A run in which user code acts at a place.
private struct NestedRun {
  let run: Run
  let place: Interference.Place
  let action: NestedAction
  /// Whether the action was possible.
  let hasActed: Bool

  init(
    of action: NestedAction, at ordinal: Int, in script: [Step], _ feed: Interference.Feed, _ target: VerificationTarget
  ) {
    var hasActed = false
    var place: Interference.Place?
    let (run, places) = target.nest(script, feed) { interference, harness in
      interference.act(at: ordinal) { [weak harness] reached in
        place = reached
        if let harness { hasActed = action.perform(on: harness) }
      }
    }
    self.run = run
    self.action = action
    self.hasActed = hasActed
    // The number of calls of `==` by a set varies between runs, so a place with this ordinal may not exist.
    self.place = place ?? places.last ?? Interference.Place(name: "nothing", step: 0, isRelease: false)
  }

  /// The violation of a rule that also applies to nested actions.
  func violation(_ traits: VerificationTraits) -> String? {
    var rules: [Rule] = [.neverMoreThanAsked, .nothingAfterTheEnd, .subscriptionFirst]
    // An operator that forwards the upstream's subscription doesn't observe a cancellation, so a value in flight
    // arrives.
    if !traits.contains(.passesSubscriptionOn) { rules.append(.nothingAfterCancel) }
    for rule in rules {
      if let reason = rule.judge(run) { return "\(reason) (Rule \(rule.number).)" }
    }
    return nil
  }
}

/// The deliveries of a script in which an action follows one of its steps.
private struct SerialRuns {
  let target: VerificationTarget
  let script: [Step]
  let feed: Interference.Feed
  private var known: [Key: [String]] = [:]

  private struct Key: Hashable {
    let step: Int?
    let action: NestedAction
  }

  init(target: VerificationTarget, script: [Step], feed: Interference.Feed) {
    (self.target, self.script, self.feed) = (target, script, feed)
  }

  /// The difference between the deliveries and those of a serial order; `nil` if there is none, or no comparison is
  /// possible.
  ///
  /// A cancellation may take effect between any deliveries, so the deliveries before it are compared with a run without
  /// it.
  mutating func difference(from nested: NestedRun) -> String? {
    guard nested.hasActed, isComparable(nested) else { return nil }
    let isCancel = nested.action == .cancel
    let expected = deliveries(Key(step: isCancel ? nil : nested.place.step, action: nested.action))
    let found = nested.run.deliveries
    if isCancel ? expected.starts(with: found) : found == expected { return nil }
    let isOvertaking = found.last == expected.last && expected.starts(with: found.dropLast())
    if nested.action == .fail, mayFailureOvertake, isOvertaking { return nil }
    func list(_ texts: [String]) -> String { texts.isEmpty ? "nothing" : texts.joined(separator: ", ") }
    let order = isCancel ? "Without the cancellation it receives" : "In sequence it receives"
    return "The subscriber received \(list(found)). \(order) \(list(expected))."
  }

  /// Whether the action has the same effect after the step: only a sending step completes before it returns.
  ///
  /// The completion of an upstream inside the subscription has the same effect after it.
  private func isComparable(_ nested: NestedRun) -> Bool {
    if nested.place.step == 0, target.kind == .operator { return nested.action == .finish || nested.action == .fail }
    let index = nested.place.step - 1
    guard script.indices.contains(index), script[index].isSending else { return false }
    // A scripted upstream sends only to its last subscriber.
    if nested.action == .subscribe, target.kind == .operator { return false }
    if target.traits.contains(.dependsOnTiming) { return false }
    if !target.traits.contains(.dropsValues) { return true }
    // With unlimited demand, only time can displace a single value.
    return !target.isAsynchronous && script.first == .requestUnlimited && nested.action != .sendTwice
  }

  /// Whether a failure may overtake the operator's own values.
  private var mayFailureOvertake: Bool {
    target.traits.contains(.holdsValues) && !target.traits.contains(.holdsFailure)
  }

  private mutating func deliveries(_ key: Key) -> [String] {
    if let known = known[key] { return known }
    let (run, _) = target.nest(
      script, feed, act: { harness in if harness.trace.step == key.step { _ = key.action.perform(on: harness) } })
    known[key] = run.deliveries
    return run.deliveries
  }
}

extension Step {
  /// Whether the upstream sends an event.
  fileprivate var isSending: Bool { self == .send || self == .finish || self == .fail }
}
