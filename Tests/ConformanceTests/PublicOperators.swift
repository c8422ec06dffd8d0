import Foundation

/// The name of a public function that makes a publisher, and its required labels.
struct OperatorName: Hashable, CustomStringConvertible {
  var name: String
  /// Excludes arguments without a label.
  var labels: Set<String>

  var description: String { labels.isEmpty ? name : "\(name)(\(labels.sorted().map { "\($0):" }.joined()))" }

  init(_ name: String, labels: Set<String>) {
    self.name = name
    self.labels = labels
  }

  /// Parses the name at the beginning of a text such as `buffer(size: 2, prefetch: .keepFull), and more`.
  init(beginning text: String) {
    let base = text.prefix { $0.isLetter || $0.isNumber || $0 == "." }
    let rest = text.dropFirst(base.count)
    let arguments = rest.hasPrefix("(") ? rest.prefix { $0 != ")" } : ""
    self.init(String(base), labels: Set(arguments.matches(of: /([a-z]\w*):/).map { String($0.output.1) }))
  }
}

/// A public function that makes a publisher, with all overloads of its name.
struct PublicOperator {
  let name: OperatorName
  /// The possible labels.
  var labels: Set<String>
  /// The types of its results, without `Publishers`.
  var types: Set<String>

  /// The type that declares it; `nil` for an operator of all publishers.
  var owner: Substring? {
    let parts = name.name.split(separator: ".")
    return parts.count > 1 ? parts.first : nil
  }

  /// Whether it has this name.
  func isCalled(_ other: OperatorName) -> Bool {
    name.name == other.name && name.labels.isSubset(of: other.labels) && other.labels.isSubset(of: labels)
  }
}

/// All public functions that make publishers from publishers.
///
/// Functions of a type that is not a protocol are prefixed with its name, as in `Single.map`.
func publicOperators() throws -> [PublicOperator] { try parsedOperators.get() }

/// Parsed once, because it takes seconds.
private let parsedOperators = Result { () throws -> [PublicOperator] in
  var operators: [OperatorName: PublicOperator] = [:]
  for (_, text) in try publicSources() {
    for found in PublicOperatorParser.operators(in: text) {
      operators[found.name, default: found].labels.formUnion(found.labels)
      operators[found.name]?.types.formUnion(found.types)
    }
  }
  return operators.values.sorted { $0.name.description < $1.name.description }
}

/// Finds the public functions that make publishers in the text of a source file.
enum PublicOperatorParser {
  /// The extended types whose functions are parsed, and the prefixes of their names.
  private static let extended = [
    "Publisher": "", "ConnectablePublisher": "", "Collection": "Collection.", "Single": "Single.", "Maybe": "Maybe.",
    "Completable": "Completable.", "SharedSequence": "SharedSequence.",
  ]

  static func operators(in text: String) -> [PublicOperator] {
    var prefix: String?
    var found: [PublicOperator] = []
    let lines = text.components(separatedBy: "\n")
    for (index, line) in lines.enumerated() {
      // In a debug build, a regular expression takes much longer than a prefix.
      if line.hasPrefix("extension ") || line.hasPrefix("public struct "),
        let match = line.firstMatch(of: /^(?:extension|public struct) ([\w.]+)/)
      {
        prefix = extended[String(match.output.1)]
      }
      guard let prefix, line.hasPrefix("  public "),
        let match = line.firstMatch(of: /^  public (?:static )?func `?(\w+)/)
      else { continue }
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

  /// The arguments, and the rest of the signature.
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
