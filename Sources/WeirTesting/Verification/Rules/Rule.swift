/// One rule of the contract: its number, its text, and its check.
struct Rule: Sendable {
  enum Check: Sendable {
    /// Checks each script that is run; the result is the violation.
    case everyRun(@Sendable (Run) -> String?)
    /// Runs its own scripts.
    case scenario(@Sendable (VerificationTarget) throws(Violation) -> Void)
  }

  /// A violation of a rule.
  struct Violation: Error {
    let lines: [String]
    /// The number of steps of the script.
    let length: Int
    let reason: String
    /// Whether a lock that is held during a delivery blocked another thread.
    var showsLock = false

    init(run: Run?, reason: String) {
      lines = run?.lines ?? []
      length = run?.script.count ?? 0
      self.reason = reason
    }

    init(lines: [String], reason: String) {
      self.lines = lines
      length = lines.count
      self.reason = reason
    }
  }

  let number: String
  let text: String
  let kinds: Set<VerificationTarget.Kind>
  let check: Check
  /// The traits that lift the rule, each with the reason.
  let exemptions: [(traits: VerificationTraits, reason: String)]
  /// Whether the rule runs in multithreaded rounds, if there are any.
  var isTriedInRounds = false
  /// Whether the rule applies only to objects with a bound.
  var needsBound = false

  /// Creates a rule that checks every run.
  init(
    _ number: String, _ text: String, for kinds: Set<VerificationTarget.Kind>,
    unless exemptions: [(traits: VerificationTraits, reason: String)] = [],
    everyRun: @escaping @Sendable (Run) -> String?
  ) {
    self.number = number
    self.text = text
    self.kinds = kinds
    self.exemptions = exemptions
    check = .everyRun(everyRun)
  }

  /// Creates a rule with its own runs.
  init(
    _ number: String, _ text: String, for kinds: Set<VerificationTarget.Kind>,
    unless exemptions: [(traits: VerificationTraits, reason: String)] = [], inRounds isTriedInRounds: Bool = false,
    withBound needsBound: Bool = false, scenario: @escaping @Sendable (VerificationTarget) throws(Violation) -> Void
  ) {
    self.number = number
    self.text = text
    self.kinds = kinds
    self.exemptions = exemptions
    check = .scenario(scenario)
    self.isTriedInRounds = isTriedInRounds
    self.needsBound = needsBound
  }

  /// Whether the rule checks each script that is run.
  var looksAtRuns: Bool {
    if case .everyRun = check { true } else { false }
  }

  static let couldBlock = "a lock is held during a delivery, which could block its scripts forever."

  static let needsRounds = "it runs only in multithreaded rounds, and `rounds` is 0."

  /// The reason why the rule doesn't apply to the tested object.
  func exemption(for target: VerificationTarget) -> String? {
    if isTriedInRounds, target.rounds == 0 {
      return Self.needsRounds
    }
    if needsBound, target.traits.bound == nil { return "it declares no bound." }
    return exemptions.first { target.traits.contains($0.traits) }?.reason
  }
}

extension Set<VerificationTarget.Kind> {
  static let publishers: Set = [.operator, .publisher, .subject]
  static let receivers: Set = [.operator, .subscriber]
  static let operators: Set = [.operator]
}

extension Rule {
  typealias Exemption = (traits: VerificationTraits, reason: String)

  static var handsOn: Exemption {
    (.passesSubscriptionOn, "it passes the upstream's own subscription downstream.")
  }
  static var drops: Exemption { (.dropsValues, "it drops values that were not requested in time.") }
  static var holdsValues: Exemption { (.holdsValues, "the completion waits for its own values.") }
  static var waits: Exemption { (.waits, "it may wait for another event first.") }
  static var recovers: Exemption { (.recovers, "it may recover from a failure of its upstream.") }
  static var outlivesUpstream: Exemption { (.outlivesUpstream, "it may outlive its upstream.") }
}
