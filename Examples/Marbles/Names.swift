extension Catalogue {
  /// The diagrams with a name.
  ///
  /// `drop` also matches `drop(while:)`, and `andThen` matches `Completable.andThen`. But `map` doesn't match
  /// `Single.map`, because there is an unqualified one.
  static func diagrams(named name: String) -> [Diagram] {
    let exact = diagrams.filter { $0.name == name }
    if !exact.isEmpty, name.contains("(") { return exact }
    let wanted = baseName(name)
    let plain = diagrams.filter { $0.fullName == wanted }
    return plain.isEmpty ? diagrams.filter { $0.baseName == wanted } : plain
  }

  /// The existing names that are most similar to an unknown one.
  static func suggestions(for name: String) -> [String] {
    let wanted = baseName(name).lowercased()
    let names = Set(diagrams.flatMap { [$0.baseName, $0.fullName] }).map { ($0, distance(wanted, $0.lowercased())) }
    let limit = max(2, wanted.count / 3)
    let near = names.filter { $0.1 <= limit || (wanted.count > 2 && $0.0.lowercased().contains(wanted)) }
    return near.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(3).map(\.0)
  }

  private static func baseName(_ name: String) -> String {
    String(name.drop { $0 == "." }.prefix { $0 != "(" })
  }
}

extension Diagram {
  /// The name without the argument labels.
  var fullName: String { String(name.prefix { $0 != "(" }) }

  /// The name without the argument labels and the type.
  var baseName: String { fullName.split(separator: ".").last.map(String.init) ?? fullName }

  /// The name of a file, and of an anchor in the page.
  var slug: String {
    name.replacing("()", with: "-all").replacing("_", with: "-of")
      .split { !($0.isLetter || $0.isNumber) }.joined(separator: "-")
  }
}

/// The edit distance of two words: insertions, deletions, substitutions and transpositions.
func distance(_ one: String, _ other: String) -> Int {
  let (a, b) = (Array(one), Array(other))
  var rows = [Array(0...b.count)]
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, rows[i - 1][j - 1] + 1) }
      row.append(best)
    }
    rows.append(row)
  }
  return rows[a.count][b.count]
}
