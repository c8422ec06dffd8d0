import Foundation

/// The names of all public publishers and subjects in the sources.
///
/// A nested type named `Publisher` is named after its file.
func publicTypes() throws -> Set<String> {
  var names: Set<String> = []
  for (file, text) in try publicSources() {
    let stem = file.prefix { $0 != "+" && $0 != "." }
    for name in publishers(in: text) { names.insert(name == "Publisher" ? "\(stem).Publisher" : name) }
  }
  return names
}

/// The names of all types that record where they were assembled.
func assembledTypes() throws -> Set<String> {
  var names: Set<String> = []
  for (_, text) in try publicSources() {
    for match in text.matches(of: /extension ([\w.]+): AssemblyTraced/) {
      let parts = match.output.1.split(separator: ".")
      names.insert(parts.last == "Publisher" ? String(match.output.1) : String(parts.last ?? ""))
    }
  }
  return names
}

/// The names and texts of the source files of verified types.
func publicSources() throws -> [(name: String, text: String)] {
  let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Sources")
  return try ["Weir", "WeirDispatch", "WeirFoundation", "WeirRx", "WeirControls"].flatMap { module in
    let folder = root.appendingPathComponent(module).path
    return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }.map { file in
      ((file as NSString).lastPathComponent, try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8))
    }
  }
}

/// The types that a file declares as publishers, relays or subjects.
func publishers(in text: String) -> [String] {
  let declaration = /(?m)^\s*(?:public (?:final class|struct)|extension) (\w[\w.]*)([^{]*)\{/
  let protocols: Set = ["Publisher", "_DirectPublisher", "Weir.Publisher", "ConnectablePublisher", "Subject", "Relay"]
  return text.matches(of: declaration).compactMap { match -> String? in
    var header = String(match.output.2)
    // A generic argument may be a publisher too.
    while let brackets = header.firstMatch(of: /<[^<>]*>/) { header.removeSubrange(brackets.range) }
    let clause = header.components(separatedBy: " where ")[0].components(separatedBy: "\n").joined(separator: " ")
    guard let colon = clause.firstIndex(of: ":") else { return nil }
    let inherited = clause[clause.index(after: colon)...].components(separatedBy: "where")[0]
      .split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    return inherited.contains(where: protocols.contains) ? String(match.output.1) : nil
  }
}
