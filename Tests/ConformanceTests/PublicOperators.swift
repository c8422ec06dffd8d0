import Foundation

/// What a public function that makes a publisher is called: its name, and the labels that it can't be called without.
struct OperatorName: Hashable, CustomStringConvertible {
  var name: String
  /// Without those of one argument after another that have none.
  var labels: Set<String>

  var description: String { labels.isEmpty ? name : "\(name)(\(labels.sorted().map { "\($0):" }.joined()))" }

  init(_ name: String, labels: Set<String>) {
    self.name = name
    self.labels = labels
  }

  /// The name that a text begins with, as `buffer(size: 2, prefetch: .keepFull), and more` does.
  init(beginning text: String) {
    let base = text.prefix { $0.isLetter || $0.isNumber || $0 == "." }
    let rest = text.dropFirst(base.count)
    let arguments = rest.hasPrefix("(") ? rest.prefix { $0 != ")" } : ""
    self.init(String(base), labels: Set(arguments.matches(of: /([a-z]\w*):/).map { String($0.output.1) }))
  }
}

/// A public function that makes a publisher, with all its overloads of that name.
struct PublicOperator {
  let name: OperatorName
  /// The labels that it may be called with.
  var labels: Set<String>
  /// The types of what it makes, without `Publishers`.
  var types: Set<String>

  /// The type whose it is, `nil` for one of all publishers.
  var owner: Substring? {
    let parts = name.name.split(separator: ".")
    return parts.count > 1 ? parts.first : nil
  }

  /// Whether it is called so.
  func isCalled(_ other: OperatorName) -> Bool {
    name.name == other.name && name.labels.isSubset(of: other.labels) && other.labels.isSubset(of: labels)
  }
}

/// All public functions that make publishers of publishers.
///
/// Those of a type that is no protocol have its name before theirs, as `Single.map` has.
func publicOperators() throws -> [PublicOperator] {
  var operators: [OperatorName: PublicOperator] = [:]
  for (_, text) in try publicSources() {
    for found in PublicOperatorParser.operators(in: text) {
      operators[found.name, default: found].labels.formUnion(found.labels)
      operators[found.name]?.types.formUnion(found.types)
    }
  }
  return operators.values.sorted { $0.name.description < $1.name.description }
}

/// Finds the public functions that make publishers, in the text of a source.
enum PublicOperatorParser {
  /// Whose functions are looked at, and what is put before their names.
  private static let extended = [
    "Publisher": "", "ConnectablePublisher": "", "Collection": "Collection.", "Single": "Single.", "Maybe": "Maybe.",
    "Completable": "Completable.", "SharedSequence": "SharedSequence.",
  ]

  static func operators(in text: String) -> [PublicOperator] {
    var prefix: String?
    var found: [PublicOperator] = []
    let lines = text.components(separatedBy: "\n")
    for (index, line) in lines.enumerated() {
      if let match = line.firstMatch(of: /^(?:extension|public struct) ([\w.]+)/) {
        prefix = extended[String(match.output.1)]
      }
      guard let prefix, let match = line.firstMatch(of: /^  public (?:static )?func `?(\w+)/) else { continue }
      var signature = ""
      for line in lines[index...].prefix(14) {
        signature += line.trimmingCharacters(in: .whitespaces) + " "
        let isComplete = signature.count { $0 == "(" } == signature.count { $0 == ")" }
        if isComplete, line.hasSuffix("{") || line.hasSuffix("}") { break }
      }
      let (arguments, result) = parts(of: signature.replacingOccurrences(of: "->", with: "→"))
      let made =
        /^→ (?:Publishers\.(?:Map< *Publishers\.)?(\w+)|\(matches: Publishers\.(\w+)|(AnyPublisher|Single|Maybe|Completable)\b)/
      let shared = /^→ (?:SharedSequence|Driver|Signal)\b/
      let type = result.firstMatch(of: made).flatMap { $0.output.1 ?? $0.output.2 ?? $0.output.3 }.map(String.init)
      guard let type = type ?? (result.contains(shared) ? "SharedSequence" : nil) else { continue }
      let labels = arguments.filter { !$0.hasPrefix("_") }
      found.append(
        PublicOperator(
          name: OperatorName(
            prefix + match.output.1, labels: Set(labels.filter { !$0.contains(" = ") }.map(label))),
          labels: Set(labels.map(label)), types: [type]))
    }
    return found
  }

  private static func label(_ argument: String) -> String { String(argument.prefix { $0 != " " && $0 != ":" }) }

  /// The arguments, and what follows them.
  private static func parts(of signature: String) -> (arguments: [String], result: String) {
    var depth = 0
    var arguments: [String] = []
    for index in signature.indices {
      let character = signature[index]
      if "([{<".contains(character) { depth += 1 }
      if ")]}>".contains(character) { depth -= 1 }
      if character == "(", depth == 1 {
        arguments = [""]
      } else if character == ")", depth == 0 {
        let result = signature[signature.index(after: index)...].trimmingCharacters(in: .whitespaces)
        return (arguments.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }, result)
      } else if character == ",", depth == 1, !arguments.isEmpty {
        arguments.append("")
      } else if !arguments.isEmpty {
        arguments[arguments.count - 1].append(character)
      }
    }
    return ([], "")
  }
}
