import Foundation
import Testing
import Weir

@testable import TestSupport
@testable import WeirTesting

@Suite("Conformance")
struct ConformanceTests {
  @Test("every public publisher, operator and subject conforms to the contract", .serialized, arguments: Table.chosen)
  func keepsTheContract(row: Row) async {
    let report = await row.report(length: Campaign.length, rounds: 0, rules: VerifiedRules.plain)
    Figures.add(1, to: "rows")
    Figures.add(report.scriptCount, to: "scripts of rules")
    row.expectNoBreach(in: report)
  }

  @Test("every public publisher, operator and subject tolerates re-entrancy", .serialized, arguments: Table.chosen)
  func survivesReentry(row: Row) async {
    row.expectNoBreach(in: await row.report(length: 0, rounds: 0, rules: VerifiedRules.reentry))
  }

  @Test("every public operator serializes two threads", .serialized, arguments: Table.chosen)
  func serializesThreads(row: Row) async {
    row.expectNoBreach(in: await row.report(length: 0, rounds: 0, rules: VerifiedRules.overlap))
  }

  @Test(
    "every public publisher, operator and subject keeps it on several threads", .serialized, arguments: Table.chosen)
  func keepsItOnThreads(row: Row) async {
    let report = await row.report(length: 0, rounds: Campaign.rounds, rules: VerifiedRules.plain)
    let applicable = report.rows.filter { if case .notApplicable = $0.outcome { false } else { true } }
    Figures.add(applicable.count, to: "rules of rows")
    Figures.add(applicable.count { row.excused[$0.rule] != nil }, to: "rules excused")
    Figures.add(Campaign.rounds * applicable.count { ["2.7", "2.11", "C7"].contains($0.rule) }, to: "races")
    let failures = report.failures.filter { row.excused[$0.rule] == nil }
    #expect(failures.isEmpty, "\(failures.map(\.description).joined(separator: "\n"))")
  }

  @Test("every public publisher, operator and subject has a row")
  func isComplete() throws {
    let types = try publicTypes()
    let rows = Set(Table.rows.map(\.type)).union(Table.excused.keys)
    #expect(types.count > 100)
    #expect(types.subtracting(rows).sorted() == [], "These have no row in Tests/ConformanceTests/Table.")
    #expect(rows.subtracting(types).sorted() == [], "There are no such types.")
  }

  @Test("every public operator has a row")
  func hasAllOperators() throws {
    // Operators of traits and shared sequences are composed of these.
    let operators = try publicOperators().filter { $0.owner == nil || $0.owner == "Collection" }
    #expect(operators.count > 120)
    func isOnlyMaker(of type: String) -> Bool { operators.count { $0.types.contains(type) } == 1 }
    let missing = operators.filter { op in
      !Table.rows.contains { row in
        op.types.contains(row.type)
          && (isOnlyMaker(of: row.type) || row.type.lowercased() == op.name.description.lowercased()
            || op.isCalled(OperatorName(beginning: row.use)))
      }
    }.map(\.name.description)
    #expect(
      missing.filter { Table.excusedOperators[$0] == nil } == [], "These have no row in Tests/ConformanceTests/Table.")
    #expect(Table.excusedOperators.keys.filter { !missing.contains($0) } == [], "There is no need for an excuse.")
  }

  @Test("every public publisher records where it was assembled, except values and nested names")
  func remembersPlaces() throws {
    let without: Set = [
      "Checkpoint", "Empty", "Fail", "Just", "Optional.Publisher", "Record", "Result.Publisher", "Sequence",
    ]
    #expect(
      try publicTypes().subtracting(try assembledTypes()) == without,
      "Those that are not expected have no line in Sources/Weir/Debugging/AssemblyTracedPublishers.swift or its like.")
  }

  @Test("the parser finds the declarations of publishers")
  func findsDeclarations() {
    let text = """
      extension Publishers {
        public struct Plain<Upstream: Publisher>: Publisher {
        public struct Long<A: Publisher, B: Publisher>: Publisher
        where A.Failure == B.Failure {
        public final class Connecting: Equatable, ConnectablePublisher {
        public struct Other<Upstream: Publisher>: Equatable {
        struct Inner: Publisher {
      extension Late: Publisher where Output: Equatable {
      """
    #expect(publishers(in: text) == ["Plain", "Long", "Connecting", "Late"])
  }
}

extension Row {
  /// Expects that the report has no broken rule except the excused ones, and that each excuse is necessary.
  fileprivate func expectNoBreach(in report: VerificationReport) {
    let failures = report.failures.filter { excused[$0.rule] == nil }
    #expect(failures.isEmpty, "\(failures.map(\.description).joined(separator: "\n"))")
    let broken = Set(report.failures.map(\.rule))
    let needless = excused.keys.filter { rule in
      guard mustBreak(rule, inScriptsOf: Campaign.length) else { return false }
      // A rule of multithreaded rounds can't show its excuse to be necessary without them.
      guard let outcome = report[rule], outcome != .notApplicable(Rule.needsRounds) else { return false }
      return !broken.contains(rule)
    }
    #expect(needless.isEmpty, "There is no need for an excuse.")
  }
}

/// The verified types: one or several rows for each public type.
enum Table {
  static let rows = one + several + timed + sources + subjects + rx + controls

  /// The rows of the type that the environment variable `WEIR_ROW` names, or all.
  static let chosen: [Row] = {
    guard let type = ProcessInfo.processInfo.environment["WEIR_ROW"] else { return rows }
    return rows.filter { $0.type == type }
  }()

  /// The types that scripts can't drive, with the reasons.
  static let excused = [
    "DataTaskPublisher": "its answers come from a server, on a thread of its own: WeirFoundationTests has a real one",
    "AsyncSequencePublisher": "its values come from a task, not when a script says so: see AsyncSequencePublisherTests",
    "TimerPublisher":
      "it ticks on a run loop in real time and never ends: WeirFoundationTests has 'A timer as a publisher'",
    "AsyncMap": "its results come from tasks, not when a script says so: see AsyncMapTests",
    "AsyncFlatMap": "its publishers come from tasks, not when a script says so: see AsyncFlatMapTests",
  ]

  /// The other operators without a row, with the reasons.
  static let excusedOperators = [
    "asObservable": "it is another name of eraseToAnyPublisher",
    "asyncMap": "its results come from tasks, not when a script says so: see AsyncMapTests",
    "tryAsyncMap": "its results come from tasks, not when a script says so: see AsyncMapTests",
    "asyncFlatMap": "its publishers come from tasks, not when a script says so: see AsyncFlatMapTests",
    "when": "it is a filter of what fingers do: see GestureRecognizerTests",
  ]
}
