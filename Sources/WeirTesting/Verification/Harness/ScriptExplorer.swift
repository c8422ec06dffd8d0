/// Runs all scripts up to a length, short ones first, and keeps the shortest violation of each rule.
struct ScriptExplorer {
  private var target: VerificationTarget
  private let rules: [Rule]
  private var violations: [Int: Rule.Violation] = [:]
  private var scriptCount = 0
  private var passesSubscriptionOn = false
  /// Whether a lock is held during a delivery.
  ///
  /// A call during a delivery could then block this thread forever.
  private var holdsLock = false

  init(_ target: VerificationTarget, rounds: Int = 0) {
    self.target = target
    self.target.rounds = rounds
    rules = Catalogue.rules(for: target.kind).filter { VerifiedRules.current?.contains($0.number) ?? true }
  }

  /// - Parameter length: The maximum number of steps in a script.
  /// - Returns: The result of each rule.
  mutating func run(length: Int) -> VerificationReport {
    runScenarios { Catalogue.locks.contains($0) }
    holdsLock = violations.values.contains(where: \.showsLock)
    if rules.contains(where: \.looksAtRuns) { runScripts(length) }
    runScenarios { !Catalogue.locks.contains($0) }
    return VerificationReport(
      subject: target.name, rows: rules.indices.map(row), scriptCount: scriptCount, hint: hint)
  }

  private mutating func runScenarios(where isIncluded: (_ number: String) -> Bool) {
    for (index, rule) in rules.enumerated() where isIncluded(rule.number) && exemption(from: rule) == nil {
      guard case .scenario(let scenario) = rule.check else { continue }
      do { try scenario(target) } catch { violations[index] = error }
    }
  }

  private func exemption(from rule: Rule) -> String? {
    if holdsLock, Catalogue.callingBack.contains(rule.number) { return Rule.couldBlock }
    return rule.exemption(for: target)
  }

  private var hint: String? {
    guard passesSubscriptionOn, !target.traits.contains(.passesSubscriptionOn) else { return nil }
    return """
      It passes the upstream's own subscription downstream, as map does. If that is intended, verify it with the trait \
      .passesSubscriptionOn.
      """
  }

  private mutating func runScripts(_ length: Int) {
    enumerate(.plain, .good, length)
    if target.kind != .subscriber {
      for manner in SubscriberBehavior.scripted(for: target.kind) where !(holdsLock && manner.callsBack) {
        enumerate(manner, .good, length - 1)
      }
    }
    if target.kind == .operator || target.kind == .subscriber {
      enumerate(.plain, .nonconforming, length - 1)
    }
    if target.kind == .operator { enumerate(.plain, .early, length - 2) }
  }

  private func row(_ index: Int) -> VerificationReport.Row {
    let rule = rules[index]
    let outcome: VerificationReport.Outcome =
      if let reason = exemption(from: rule) {
        .notApplicable(reason)
      } else if let violation = violations[index] {
        .failed(script: violation.lines, reason: violation.reason)
      } else { .passed }
    return VerificationReport.Row(rule: rule.number, text: rule.text, outcome: outcome)
  }

  // MARK: Scripts

  private mutating func enumerate(_ manner: SubscriberBehavior, _ conduct: UpstreamBehavior, _ length: Int) {
    var scripts: [[Step]] = [[]]
    for count in 0...max(0, length) {
      // An impossible script can't become possible by more steps.
      scripts = scripts.filter { judge($0, manner, conduct) }
      if count == length { break }
      scripts = scripts.flatMap { script in steps(after: script, conduct).map { script + [$0] } }
    }
  }

  private mutating func judge(_ script: [Step], _ manner: SubscriberBehavior, _ conduct: UpstreamBehavior) -> Bool {
    guard let run = target.run(script, manner: manner, conduct: conduct) else { return false }
    scriptCount += 1
    if !passesSubscriptionOn, target.kind == .operator {
      passesSubscriptionOn = run.receivesUpstreamsSubscription
    }
    for (index, rule) in rules.enumerated() {
      guard case .everyRun(let judge) = rule.check, exemption(from: rule) == nil else { continue }
      if let known = violations[index], known.length <= script.count { continue }
      if let reason = judge(run) { violations[index] = Rule.Violation(run: run, reason: reason) }
    }
    return true
  }

  private func steps(after script: [Step], _ conduct: UpstreamBehavior) -> [Step] {
    var steps: [Step] = []
    if target.kind != .subscriber {
      steps.append(.request(1))
      if !script.contains(.requestUnlimited) { steps.append(.requestUnlimited) }
    }
    if target.kind != .publisher {
      steps += target.canFail ? [.send, .finish, .fail] : [.send, .finish]
    }
    if target.canCancel, script.count(where: { $0 == .cancel }) < 2 { steps.append(.cancel) }
    if conduct == .nonconforming || conduct == .early { steps.append(.sendSubscription) }
    if target.isAsynchronous, script.last != .wait { steps.append(.wait) }
    return steps
  }
}
