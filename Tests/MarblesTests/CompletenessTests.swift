import Foundation
import Testing

@testable import Marbles

@Suite("All is drawn")
struct CompletenessTests {
  /// The names that can't be drawn, with the reasons: a name, or `Type.name` for one type only.
  static let excused = [
    "asyncMap": "its results come from tasks, not when a script says so",
    "tryAsyncMap": "its results come from tasks, not when a script says so",
    "asyncFlatMap": "its publishers come from tasks, not when a script says so",
    "AsyncSequence.publisher": "its values come from a task",
    "dataTaskPublisher": "its answers come from a server",
    "AsyncSequencePublisher": "its values come from a task",
    "observe": "it reads on an actor, in a task; publisher(for:on:) is drawn",
    "GestureRecognizerPublisher": "its values are what fingers do, which has no marbles",
    "Timer.publish": "it runs on a RunLoop, in real time; Driver.interval is drawn",
    "when": "it filters what fingers do, as filter does",
  ]

  @Test("every operator of every type has a drawing in its documentation")
  func everyOperator() throws {
    let operators = try publicOperators()
    #expect(operators.count > 200)
    let missing = operators.filter { !$0.value }.keys.filter { !isExcused($0) }
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

  @Test("the list of exceptions contains no unnecessary name")
  func excuses() throws {
    #expect(Self.excused.count <= 10)
    let operators = try publicOperators()
    let undrawn = operators.filter { !$0.value }.keys.flatMap { [$0, baseName($0)] }
    let types = try Set(publicPublishers()).subtracting(Catalogue.diagrams.flatMap { [$0.baseName, $0.declaredName] })
    #expect(Self.excused.keys.filter { !undrawn.contains($0) && !types.contains($0) } == [])
  }

  private func isExcused(_ name: String) -> Bool {
    Self.excused[name] != nil || Self.excused[baseName(name)] != nil
  }

  @Test("the search finds operators with their types and drawings")
  func findsOperators() {
    let text = """
      extension Publisher {
        /// A word.
        public func plain() -> Publishers.Map<Self, Int> {
        public func `quoted`<T>(
          _ transform: @escaping (Output) -> Publishers.Map<T, Int>
        ) -> AnyPublisher<T, Failure>
        where T: Equatable {
        /// A drawing.
        ///
        ///     source    -1-|
        ///     .drawn()  -1-|
        @inlinable
        public func drawn() -> Publishers.Map<Self, Int> {
        public func drawn(_ number: Int) -> Publishers.Map<Self, Int> {
        public func sink() -> AnyCancellable {
        func hidden() -> Publishers.Map<Self, Int> {
      }
      public struct Single<Output, Failure: Error>: Publisher {
        public func drawn() -> Single<Output, Failure> {
        public func asSingle() -> Single { self }
        public func asMaybe() -> Maybe<Output, Failure> {
          Maybe(trusting: source)
        }
        public func asPublisher() -> AnyPublisher<Output, Failure> {
          eraseToAnyPublisher()
        }
      }
      extension Publishers.Map {
        public func composed() -> Publishers.Map<Self, Int> {
      }
      """
    #expect(
      operators(in: text.components(separatedBy: "\n")) == [
        "Publisher.plain": false, "Publisher.quoted": false, "Publisher.drawn": true, "Single.drawn": false,
        "Single.asMaybe": false,
      ])
  }
}

extension Diagram {
  /// The name of the declaration that shows it.
  var declaredName: String {
    let text = declaration.text
    if text.hasPrefix("case ") { return text }
    return String(text.drop { $0 != " " }.drop { $0 == " " }.filter { $0 != "`" }.prefix { $0.isLetter })
  }
}

/// The text of the files of all public modules, with their names.
private func texts() throws -> [(stem: String, text: String)] {
  try SourceFiles(package: package).files.map { ($0.stem, $0.lines.joined(separator: "\n")) }
}

/// The public functions that make publishers, as `Type.name`, and whether that type has a drawing with that name.
private func publicOperators() throws -> [String: Bool] {
  try SourceFiles(package: package).files.map { operators(in: $0.lines) }
    .reduce(into: [:]) { $0.merge($1) { $0 || $1 } }
}

func operators(in lines: [String]) -> [String: Bool] {
  // `Just` and the synchronous results of an optional and a result are not among these, because they take no time.
  let made =
    /^(?:Publishers\.|AnyPublisher|Single\b|Maybe\b|Completable\b|SharedSequence|Driver|Signal|DataTaskPublisher|TimerPublisher|Publisher\b|NotificationCenter\.|Control|AsyncSequencePublisher|\(matches)/
  var owner = ""
  var found: [String: Bool] = [:]
  for (index, line) in lines.enumerated() {
    owner = SourceFiles.owner(in: line) ?? owner
    // The first are combined with the operator before. The properties under `rx` of controls are drawn as their types.
    guard line.hasPrefix("  public "), !owner.hasPrefix("Publishers."), owner != "Reactive",
      let match = line.firstMatch(of: /^  public (?:static )?func `?(\w+)/)
    else { continue }
    var signature = ""
    for line in lines[index...].prefix(12) {
      signature += line + " "
      if line.hasSuffix("{") || line.hasSuffix("}") { break }
    }
    let result = signature.matches(of: /-> (?=[A-Z(])/).last.map { signature[$0.range.upperBound...] } ?? ""
    guard result.contains(made) || signature.contains("-> Publishers.") && signature.contains(" where "),
      !isAnotherName(signature, body: index + 1 < lines.count ? lines[index + 1].trimmed : "")
    else { continue }
    let isDrawn = !SourceFiles.drawings(in: lines, SourceFiles.comment(above: index, in: lines)).isEmpty
    found.merge(["\(owner).\(match.output.1)": isDrawn]) { $0 || $1 }
  }
  return found
}

/// Whether a function only returns its receiver as another type, so that a drawing is unnecessary.
private func isAnotherName(_ signature: String, body: String) -> Bool {
  guard signature.contains(/func as\w+\(\)/) else { return false }
  return signature.contains(/\{ \w+ \} $/) || body == "eraseToAnyPublisher()"
}

private func baseName(_ name: String) -> String {
  String(name.split(separator: ".").last ?? "")
}

/// The names of all public publishers that are not in `Publishers`.
private func publicPublishers() throws -> [String] {
  // The sequence of a driver and a signal is drawn as these, a group with the operator, and any publisher as its
  // source.
  let others = ["SharedSequence", "GroupedPublisher", "AnyPublisher"]
  let types = try texts().flatMap { _, text -> [String] in
    // Declarations at the left margin.
    let text = text.split(separator: "\n").filter { !$0.hasPrefix(" ") && !$0.hasPrefix("/") }.joined(separator: "\n")
    return text.matches(of: /(?m)^(?:public|open) (?:final )?(?:class|struct) (\w+)(?:<[^{]*?>)?: ([^{]*)\{/)
      .filter { $0.output.2.contains(/\b(?:Publisher|_DirectPublisher|Subject|Relay)\b/) }.map { String($0.output.1) }
      + text.matches(of: /(?m)^public typealias (\w+)<\w+> = SharedSequence/).map { String($0.output.1) }
  }
  return types.filter { !others.contains($0) }
}

/// The cases of the enumeration for values without demand.
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
