import Foundation
import Testing

@testable import Marbles

@Suite("All is drawn")
struct CompletenessTests {
  /// What can't be drawn, and why.
  static let excused = [
    "asyncMap": "its results come from tasks, not when a script says so",
    "tryAsyncMap": "its results come from tasks, not when a script says so",
    "asyncFlatMap": "its publishers come from tasks, not when a script says so",
    "dataTaskPublisher": "its answers come from a server",
    "AsyncSequencePublisher": "its values come from a task",
    "observe": "it reads on an actor, in a task; publisher(for:on:) is drawn",
    "GestureRecognizerPublisher": "its values are what fingers do, which has no marbles",
    "publish": "it runs on a RunLoop, in real time; Driver.interval is drawn",
    "when": "it filters what fingers do, as filter does",
  ]

  @Test("every operator has a diagram")
  func operators() throws {
    let names = try Set(publicOperators())
    #expect(names.count > 120)
    let drawn = Set(Catalogue.diagrams.flatMap { [$0.baseName, $0.declaredName] })
    let missing = names.subtracting(drawn).subtracting(Self.excused.keys)
    #expect(missing.isEmpty, "No diagram in Examples/Marbles/Catalogue: \(missing.sorted().joined(separator: ", "))")
  }

  @Test("every source, subject, relay, trait and strategy has a diagram")
  func types() throws {
    let names = try Set(publicPublishers() + strategies())
    #expect(names.isSuperset(of: ["Just", "PassthroughSubject", "Single", "Driver", "case dropOldest"]))
    let drawn = Set(Catalogue.diagrams.flatMap { [$0.baseName, $0.declaredName] })
    let missing = names.subtracting(drawn).subtracting(Self.excused.keys)
    #expect(missing.isEmpty, "No diagram in Examples/Marbles/Catalogue: \(missing.sorted().joined(separator: ", "))")
  }

  @Test("there is no more excused than need be")
  func excuses() throws {
    #expect(Self.excused.count < 10)
    let names = try Set(publicOperators() + publicPublishers())
    #expect(Self.excused.keys.filter { !names.contains($0) } == [])
    let drawn = Set(Catalogue.diagrams.map(\.baseName))
    #expect(Self.excused.keys.filter(drawn.contains) == [])
  }

  @Test("operators are found")
  func findsOperators() {
    let text = """
      extension Publisher {
        public func plain() -> Publishers.Map<Self, Int> {
        public func `quoted`<T>(
          _ transform: @escaping (Output) -> Publishers.Map<T, Int>
        ) -> AnyPublisher<T, Failure>
        where T: Equatable {
        public func sink() -> AnyCancellable {
        func hidden() -> Publishers.Map<Self, Int> {
      extension Publishers.Map {
        public func composed() -> Publishers.Map<Self, Int> {
      """
    #expect(operatorNames(in: text) == ["plain", "quoted"])
  }
}

extension Diagram {
  /// What the declaration that shows it is called.
  var declaredName: String {
    let text = declaration.text
    if text.hasPrefix("case ") { return text }
    return String(text.drop { $0 != " " }.drop { $0 == " " }.filter { $0 != "`" }.prefix { $0.isLetter })
  }
}

/// The text of every public module's files, with their names.
private func texts() throws -> [(stem: String, text: String)] {
  try SourceFiles(package: package).files.map { ($0.stem, $0.lines.joined(separator: "\n")) }
}

/// The names of all public functions that make publishers of publishers.
private func publicOperators() throws -> [String] {
  try texts().flatMap { operatorNames(in: $0.text) }
}

func operatorNames(in text: String) -> [String] {
  var isComposed = false
  var names: [String] = []
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  for (index, line) in lines.enumerated() {
    if line.hasPrefix("extension ") { isComposed = line.hasPrefix("extension Publishers.") }
    guard !isComposed, line.hasPrefix("  public "),
      let match = line.firstMatch(of: /^  public (?:static )?func `?(\w+)/)
    else { continue }
    var signature = ""
    for line in lines[index...].prefix(12) {
      signature += line + " "
      if line.hasSuffix("{") || line.hasSuffix("}") { break }
    }
    let result = signature.matches(of: /-> (?=[A-Z(])/).last.map { signature[$0.range.upperBound...] } ?? ""
    let made =
      /^(Publishers\.|AnyPublisher|Single|Maybe|Completable|SharedSequence|Driver|Signal|DataTaskPublisher|TimerPublisher|Publisher\b|\(matches)/
    if result.contains(made) || signature.contains("-> Publishers.") && signature.contains(" where ") {
      names.append(String(match.output.1))
    }
  }
  return names
}

/// The names of all public publishers that are not in `Publishers`.
private func publicPublishers() throws -> [String] {
  // The sequence of a driver and a signal is drawn as these, a group with the operator, and any publisher as what it hides.
  let others = ["SharedSequence", "GroupedPublisher", "AnyPublisher"]
  let types = try texts().flatMap { _, text -> [String] in
    // What is declared at the left margin.
    let text = text.split(separator: "\n").filter { !$0.hasPrefix(" ") && !$0.hasPrefix("/") }.joined(separator: "\n")
    return text.matches(of: /(?m)^(?:public|open) (?:final )?(?:class|struct) (\w+)(?:<[^{]*?>)?: ([^{]*)\{/)
      .filter { $0.output.2.contains(/\b(?:Publisher|Subject|Relay)\b/) }.map { String($0.output.1) }
      + text.matches(of: /(?m)^public typealias (\w+)<\w+> = SharedSequence/).map { String($0.output.1) }
  }
  return types.filter { !others.contains($0) }
}

/// The cases of what says what becomes of values without demand.
private func strategies() throws -> [String] {
  try texts().flatMap { _, text -> [String] in
    var names: [String] = []
    var isInside = false
    for line in text.split(separator: "\n") {
      if line.contains("Strategy"), line.contains(/public enum (?:Prefetch|Buffering|Backpressure)Strategy/) {
        isInside = true
      }
      if isInside, let match = line.firstMatch(of: /^ +case (\w+)/) { names.append("case \(match.output.1)") }
      if isInside, line.contains(/^(  )?\}/) { isInside = false }
    }
    return names
  }
}
