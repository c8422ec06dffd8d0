/// One rule of the contract: its number, what it says, and how to see that it is broken.
struct Rule: Sendable {
  enum Check: Sendable {
    /// Looks at each script that is run; the result says what is wrong.
    case everyRun(@Sendable (Run) -> String?)
    /// Runs scripts of its own.
    case scenario(@Sendable (Bench) throws(Breach) -> Void)
  }

  /// How a rule was broken.
  struct Breach: Error {
    let lines: [String]
    /// How many steps the script has.
    let length: Int
    let reason: String

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
  let kinds: Set<Bench.Kind>
  let check: Check
  /// The traits that lift the rule, each with the reason.
  let exemptions: [(traits: VerificationTraits, reason: String)]
  /// Several threads are let at it in rounds, if there are to be any.
  var isTriedInRounds = false
  /// It says something only about what has a bound.
  var needsBound = false

  /// A rule that is seen in every run.
  init(
    _ number: String, _ text: String, for kinds: Set<Bench.Kind>,
    unless exemptions: [(traits: VerificationTraits, reason: String)] = [],
    everyRun: @escaping @Sendable (Run) -> String?
  ) {
    self.number = number
    self.text = text
    self.kinds = kinds
    self.exemptions = exemptions
    check = .everyRun(everyRun)
  }

  /// A rule that needs runs of its own.
  init(
    _ number: String, _ text: String, for kinds: Set<Bench.Kind>,
    unless exemptions: [(traits: VerificationTraits, reason: String)] = [], inRounds isTriedInRounds: Bool = false,
    withBound needsBound: Bool = false, scenario: @escaping @Sendable (Bench) throws(Breach) -> Void
  ) {
    self.number = number
    self.text = text
    self.kinds = kinds
    self.exemptions = exemptions
    check = .scenario(scenario)
    self.isTriedInRounds = isTriedInRounds
    self.needsBound = needsBound
  }

  /// Whether it looks at each script that is run.
  var looksAtRuns: Bool {
    if case .everyRun = check { true } else { false }
  }

  /// Why the rule says nothing about a thing.
  func exemption(for bench: Bench) -> String? {
    if isTriedInRounds, bench.rounds == 0 {
      return "several threads are let at it only in rounds, of which there are none."
    }
    if needsBound, bench.traits.bound == nil { return "it names no bound." }
    return exemptions.first { bench.traits.contains($0.traits) }?.reason
  }
}

extension Set<Bench.Kind> {
  static let all = Set(Bench.Kind.allCases)
  static let publishers: Set = [.operator, .publisher, .subject]
  static let receivers: Set = [.operator, .subscriber]
  static let operators: Set = [.operator]
}

extension Rule {
  typealias Exemption = (traits: VerificationTraits, reason: String)

  static var handsOn: Exemption {
    (.passesSubscriptionOn, "it hands the upstream's own subscription on.")
  }
  static var drops: Exemption { (.dropsValues, "it drops what was not asked for in time.") }
}
