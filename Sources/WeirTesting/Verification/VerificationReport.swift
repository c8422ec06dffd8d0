/// The result of a verification: a row for each rule.
///
/// The ``description`` is a table. A broken rule is shown with the shortest script that breaks it. Each line is a step,
/// with the resulting events after the arrow:
///
///     MyOperator breaks 1 of 30 rules.
///     ✗ 1.1   The number of values never exceeds the demand.
///             subscribe        → requests unlimited from the upstream, subscription(MyOperator)
///             upstream sends 1 → value(1)
///             value(1) arrived when the total demand was 0.
public struct VerificationReport: Sendable, CustomStringConvertible {
  /// The result of a rule.
  public enum Outcome: Hashable, Sendable {
    /// No script breaks it.
    case passed

    /// The shortest script that breaks the rule, line by line, and the violation.
    case failed(script: [String], reason: String)

    /// The reason why the rule doesn't apply.
    case notApplicable(String)
  }

  /// A rule and its result.
  public struct Row: Hashable, Sendable, CustomStringConvertible {
    /// The number of the rule: that of Reactive Streams, or `C` and a number for the rules of Combine alone.
    public let rule: String

    /// The text of the rule.
    public let text: String

    /// The result of the rule.
    public let outcome: Outcome

    /// Whether the rule is broken.
    public var isFailed: Bool {
      if case .failed = outcome { true } else { false }
    }

    /// The row of the table.
    public var description: String {
      let number = rule + String(repeating: " ", count: max(0, 5 - rule.count))
      let indent = "\n        "
      switch outcome {
      case .passed: return "✓ \(number) \(text)"
      case .failed(let script, let reason):
        return "✗ \(number) \(text)" + script.map { indent + $0 }.joined() + indent + reason
      case .notApplicable(let reason): return "– \(number) \(text) Not applicable: \(reason)"
      }
    }
  }

  /// The name of the verified object.
  public let subject: String

  /// The rules, in order.
  public let rows: [Row]

  /// The number of scripts that were run.
  public let scriptCount: Int

  /// The trait that may be missing, if a rule is broken.
  let hint: String?

  /// The rows of the broken rules.
  public var failures: [Row] { rows.filter(\.isFailed) }

  /// The result of a rule, or `nil` if there is no rule with this number.
  public subscript(rule: String) -> Outcome? { rows.first { $0.rule == rule }?.outcome }

  private var summary: String {
    let checked = rows.count { if case .notApplicable = $0.outcome { false } else { true } }
    if failures.isEmpty { return "\(subject) conforms to all \(checked) rules." }
    return "\(subject) breaks \(failures.count) of \(checked) rules." + (hint.map { "\n\($0)" } ?? "")
  }

  /// The whole table.
  public var description: String {
    ([summary] + rows.map(\.description)).joined(separator: "\n")
  }

  /// Throws if a rule is broken.
  ///
  /// - Throws: ``TestFailure``, which shows the rows of the broken rules.
  public func check(fileID: StaticString = #fileID, line: UInt = #line) throws {
    if failures.isEmpty { return }
    throw TestFailure(
      ([summary] + failures.map(\.description)).joined(separator: "\n"), fileID: fileID, line: line)
  }
}
