import Foundation
import WeirTesting

/// The library's source files, whose documentation contains the drawings.
struct SourceFiles {
  /// The lines of a file.
  struct File {
    /// The path relative to the package's folder.
    let path: String
    var lines: [String]

    /// The name, without the suffix of an extension.
    var stem: String { path.split(separator: "/").last.map { String($0.prefix { $0 != "." && $0 != "+" }) } ?? path }
  }

  var files: [File]

  /// The lines with public declarations, by name.
  private let places: [String?: [Place]]

  /// Reads the files of the modules; those with the general operators come first.
  init(package: URL) throws {
    let files = try ["Weir", "WeirFoundation", "WeirRx", "WeirControls"].flatMap { module in
      let folder = package.appendingPathComponent("Sources/\(module)").path
      let paths = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }
      return try paths.sorted { ($0.contains("+") ? 1 : 0, $0) < ($1.contains("+") ? 1 : 0, $1) }.map { path in
        let text = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
        return File(path: "Sources/\(module)/\(path)", lines: text.components(separatedBy: "\n"))
      }
    }
    self.files = files
    places = SourceFiles.places(in: files)
  }

  /// The documentation comment of the first matching declaration.
  func comment(of declaration: Declaration) -> (file: Int, lines: Range<Int>)? {
    for place in places[declaration.name] ?? [] where declares(place.text, declaration) {
      let lines = files[place.file].lines
      if let file = declaration.file, file != files[place.file].stem { continue }
      if let owner = declaration.owner, owner != place.owner { continue }
      // Lines may have been inserted above since the search.
      guard let line = lines[place.line...].firstIndex(where: { $0.hasSuffix(place.ending) }) else { continue }
      let comment = SourceFiles.comment(above: line, in: lines)
      if !comment.isEmpty { return (place.file, comment) }
    }
    return nil
  }

  /// The lines of the documentation comment above a declaration.
  static func comment(above line: Int, in lines: [String]) -> Range<Int> {
    var end = line
    while end > 0, lines[end - 1].trimmed.hasPrefix("@") { end -= 1 }
    var start = end
    while start > 0, lines[start - 1].trimmed.hasPrefix("///") { start -= 1 }
    return start..<end
  }

  /// The type that a line at the left margin declares or extends; an empty text at the end of its body.
  static func owner(in line: String) -> String? {
    if line == "}" { return "" }
    guard let first = line.utf8.first, first != UInt8(ascii: " "), first != UInt8(ascii: "/") else { return nil }
    let keywords: Set<Substring> = ["extension", "struct", "class", "actor", "enum", "protocol"]
    let words = line.split(separator: " ")
    guard let keyword = words.firstIndex(where: keywords.contains) else { return nil }
    return words.dropFirst(keyword + 1).first.map { name in
      // The module's name distinguishes Swift's type from RxSwift's.
      String(name.prefix { $0.isLetter || $0.isNumber || $0 == "." }.trimmingPrefix("Observation."))
    }
  }

  private func declares(_ line: String, _ declaration: Declaration) -> Bool {
    let line = line.replacing("`", with: "")
    return declaration.texts.contains { text in
      let text = text.replacing("`", with: "")
      guard let range = line.range(of: text) else { return false }
      if let before = line[..<range.lowerBound].last, before != " " { return false }
      guard let after = line[range.upperBound...].first, let last = text.last else { return true }
      return !(last.isLetter || last.isNumber) || !(after.isLetter || after.isNumber)
    }
  }

  /// A line with a public declaration.
  private struct Place {
    let file: Int
    let line: Int

    /// The type that contains it, if it isn't a type itself.
    let owner: String

    /// The unchanged line.
    let ending: String

    /// The line, and the next one if parameters begin there.
    let text: String
  }

  private static func places(in files: [File]) -> [String?: [Place]] {
    var places: [String?: [Place]] = [:]
    for (number, file) in files.enumerated() {
      var owner = ""
      for (line, ending) in file.lines.enumerated() {
        owner = SourceFiles.owner(in: ending) ?? owner
        // In these types, an operator is only combined with the previous one.
        let isComposed = owner.hasPrefix("Publishers.")
        guard ending.contains("public ") || ending.contains("open ") || ending.contains("case ") else { continue }
        var text = ending.trimmed
        guard ["public ", "open ", "case "].contains(where: text.hasPrefix), !isComposed || !text.contains(" func ")
        else { continue }
        if text.hasSuffix("("), line + 1 < file.lines.count { text += file.lines[line + 1].trimmed }
        if let name = Declaration(text).name {
          places[name, default: []].append(Place(file: number, line: line, owner: owner, ending: ending, text: text))
        }
      }
    }
    return places
  }

  /// The first sentence of a declaration's documentation.
  func summary(of declaration: Declaration) -> String? {
    guard let comment = comment(of: declaration) else { return nil }
    let lines = files[comment.file].lines[comment.lines].map {
      $0.trimmed.dropFirst(3).trimmingCharacters(in: .whitespaces)
    }
    let text = lines.prefix { !$0.isEmpty }.joined(separator: " ")
    return text.replacing(/[;,:] see .*$/, with: ".").replacing("``", with: "`")
  }

  /// The drawing in a comment.
  func drawing(in comment: (file: Int, lines: Range<Int>)) -> (lines: Range<Int>, drawing: [String])? {
    SourceFiles.drawings(in: files[comment.file].lines, comment.lines).first
  }

  /// All drawings of a file: indented lines with a label, two spaces and a diagram.
  static func drawings(in lines: [String], _ range: Range<Int>? = nil) -> [(lines: Range<Int>, drawing: [String])] {
    var found: [(lines: Range<Int>, drawing: [String])] = []
    var start: Int?
    let range = range ?? lines.indices
    for index in range.lowerBound...range.upperBound {
      let isCode = index < range.upperBound && lines[index].drop { $0 == " " }.hasPrefix("///     ")
      if isCode, start == nil { start = index }
      guard !isCode, let first = start else { continue }
      start = nil
      let block = lines[first..<index].map { String($0.trimmed.dropFirst(8)) }
      let lines = block.compactMap { Line($0) }
      if lines.count == block.count, lines.contains(where: \.hasTime) { found.append((first..<index, block)) }
    }
    return found
  }

  /// Writes a drawing into a comment: replaces an existing one, or inserts it below the summary.
  mutating func write(_ drawing: [String], into comment: (file: Int, lines: Range<Int>)) {
    let lines = files[comment.file].lines
    let indent = String(lines[comment.lines.lowerBound].prefix { $0 == " " })
    let block = drawing.map { "\(indent)///     \($0)" }
    if let old = self.drawing(in: comment) {
      files[comment.file].lines.replaceSubrange(old.lines, with: block)
    } else {
      let blank = lines[comment.lines].firstIndex { $0.trimmed == "///" }
      let place = blank ?? comment.lines.upperBound
      files[comment.file].lines.insert(contentsOf: ["\(indent)///"] + block, at: place)
    }
  }
}

extension Line {
  /// Parses a line of a drawing.
  init?(_ text: String) {
    guard !text.contains("//"), let gap = text.range(of: "  "),
      let diagram = try? MarbleDiagram(String(text[gap.upperBound...])),
      diagram.frameCount > 0, gap.lowerBound > text.startIndex
    else { return nil }
    self.init(label: String(text[..<gap.lowerBound]), diagram: diagram)
  }

  /// Whether it contains time or a completion, which distinguishes it from other text with two spaces.
  fileprivate var hasTime: Bool {
    diagram.frameCount > diagram.entries.count
      || diagram.entries.contains { [.finished, .failure, .cancellation].contains($0.mark) }
  }
}

extension String {
  var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
