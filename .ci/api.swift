// Reads symbol graphs, and compares the public declarations in them with those that were recorded. See .ci/api.
//
//   api record FOLDER FILE             writes the declarations
//   api compare FOLDER FILE CHANGELOG  fails for a missing declaration that the changelog doesn't announce
import Foundation

struct Graph: Decodable {
  struct Symbol: Decodable {
    struct Identifier: Decodable { var precise: String }
    struct Fragment: Decodable { var kind, spelling: String }

    var identifier: Identifier
    var pathComponents: [String]
    var declarationFragments: [Fragment]?
  }

  struct Relationship: Decodable {
    struct Constraint: Decodable { var kind, lhs, rhs: String }

    var kind, source, target: String
    var targetFallback: String?
    var swiftConstraints: [Constraint]?
  }

  struct Module: Decodable { var name: String }

  var module: Module
  var symbols: [Symbol]
  var relationships: [Relationship]
}

/// A public declaration, or a conformance.
struct Line: Hashable, Comparable {
  var module: String
  var path: String
  var declaration: String

  static func < (lhs: Line, rhs: Line) -> Bool {
    (lhs.module, lhs.path, lhs.declaration) < (rhs.module, rhs.path, rhs.declaration)
  }
}

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("\(message)\n".utf8))
  exit(1)
}

func text(_ path: String) -> String {
  guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { fail("\(path) can't be read.") }
  return text
}

/// Whether a name is not public interface, as VERSIONING.md defines it.
func isHidden(_ path: [String]) -> Bool {
  path.contains { $0.hasPrefix("_") && $0 != "_Introspection" }
}

func lines(in folder: String) throws -> Set<Line> {
  let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".symbols.json") }
  var lines: Set<Line> = []
  for name in names {
    let graph = try JSONDecoder().decode(Graph.self, from: Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
    // An extension of another module's type is in a file of its own, "Weir@Swift.symbols.json".
    let module = String(name.prefix { $0 != "@" && $0 != "." })
    var paths: [String: [String]] = [:]
    for symbol in graph.symbols {
      paths[symbol.identifier.precise] = symbol.pathComponents
      if isHidden(symbol.pathComponents) { continue }
      // A caller doesn't see a parameter's second name.
      let words = (symbol.declarationFragments ?? []).map { $0.kind == "internalParam" ? "_" : $0.spelling }.joined()
        .split(whereSeparator: \.isWhitespace)
      lines.insert(
        Line(
          module: module, path: symbol.pathComponents.joined(separator: "."), declaration: words.joined(separator: " "))
      )
    }
    for relationship in graph.relationships where relationship.kind == "conformsTo" {
      guard let path = paths[relationship.source], !isHidden(path) else { continue }
      let target =
        paths[relationship.target]?.joined(separator: ".") ?? relationship.targetFallback ?? relationship.target
      if target.hasSuffix("SendableMetatype") { continue }  // implied by Sendable
      if isHidden(target.split(separator: ".").map(String.init)) { continue }
      let constraints = (relationship.swiftConstraints ?? []).map { constraint in
        "\(constraint.lhs) \(constraint.kind == "sameType" ? "==" : ":") \(constraint.rhs)"
      }
      let clause = constraints.isEmpty ? "" : " where \(constraints.joined(separator: ", "))"
      lines.insert(Line(module: module, path: path.joined(separator: "."), declaration: ": \(target)\(clause)"))
    }
  }
  return lines
}

/// The recorded form: a heading for each module, and a line for each declaration.
func record(_ lines: Set<Line>) -> String {
  var text = "", module = ""
  for line in lines.sorted() {
    if line.module != module {
      module = line.module
      text += "# \(module)\n"
    }
    text += "\(line.path)\t\(line.declaration)\n"
  }
  return text
}

func recorded(_ text: String) -> Set<Line> {
  var lines: Set<Line> = [], module = ""
  for line in text.split(separator: "\n") {
    if line.hasPrefix("# ") {
      module = String(line.dropFirst(2))
      continue
    }
    let parts = line.split(separator: "\t", maxSplits: 1)
    guard parts.count == 2 else { fail("The line \(line) has no declaration.") }
    lines.insert(Line(module: module, path: String(parts[0]), declaration: String(parts[1])))
  }
  return lines
}

/// The names in backticks under "Changed" and "Removed" of the unreleased changes.
func announced(in changelog: String) -> Set<String> {
  var names: Set<String> = [], isUnreleased = false, isBreaking = false
  for line in changelog.split(separator: "\n") {
    if line.hasPrefix("## ") { isUnreleased = line.contains("[Unreleased]") }
    if line.hasPrefix("### ") { isBreaking = line.hasSuffix(" Changed") || line.hasSuffix(" Removed") }
    guard isUnreleased, isBreaking else { continue }
    for (index, part) in line.split(separator: "`", omittingEmptySubsequences: false).enumerated() where index % 2 == 1
    {
      names.insert(String(part))
    }
  }
  return names
}

/// Whether the changelog names the declaration, with or without its module, or a type that contains it.
func isAnnounced(_ line: Line, _ names: Set<String>) -> Bool {
  var path = line.path.split(separator: ".").map(String.init)
  while !path.isEmpty {
    let name = path.joined(separator: ".")
    if names.contains(name) || names.contains("\(line.module).\(name)") { return true }
    path.removeLast()
  }
  return false
}

let arguments = CommandLine.arguments
guard arguments.count >= 4 else { fail("Usage: api record FOLDER FILE | api compare FOLDER FILE CHANGELOG") }
let current = try lines(in: arguments[2])
if arguments[1] == "record" {
  try record(current).write(toFile: arguments[3], atomically: true, encoding: .utf8)
  print("\(current.count) declarations and conformances")
  exit(0)
}

let former = recorded(text(arguments[3]))
let names = announced(in: text(arguments[4]))
let missing = former.subtracting(current).sorted()
let added = current.subtracting(former)
let unannounced = missing.filter { !isAnnounced($0, names) }
for line in unannounced {
  let successors = added.filter { $0.module == line.module && $0.path == line.path }.sorted()
  print("\(successors.isEmpty ? "removed" : "changed"): \(line.module): \(line.path)\n  was \(line.declaration)")
  for successor in successors { print("  is  \(successor.declaration)") }
}
if !unannounced.isEmpty {
  fail(
    """

    Programs that use these \(unannounced.count) declarations may not compile any more. If that is intended, name each, or a type that \
    contains it, in backticks under "Changed" or "Removed" of the unreleased changes in CHANGELOG.md, for instance \
    `\(unannounced[0].path)`.
    """)
}
print(
  "\(former.count) recorded, \(added.count) added since, \(missing.count) changed or removed, as the changelog announces"
)
