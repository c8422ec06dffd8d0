import Foundation
import Testing

/// A page of the documentation: its Swift code, with where it stands, and its tables.
struct Article: CustomTestStringConvertible, Sendable {
  /// A block of Swift code.
  struct Block: Sendable {
    let lines: [String]
  }

  struct Row: Sendable {
    let cells: [String]
    let line: Int

    /// What stands in backquotes in a cell.
    func names(in column: Int) -> [String] {
      cells[column].components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    }
  }

  /// What follows a heading of the second or third level, up to the next.
  struct Section: Sendable {
    let title: String
    var blocks: [Block] = []
    var rows: [Row] = []
  }

  /// The path from the root of the package.
  let path: String

  private(set) var sections = [Section(title: "")]

  var blocks: [Block] { sections.flatMap(\.blocks) }

  var testDescription: String { path }

  init(_ path: String) throws {
    self.path = path
    let text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    var lines = Array(text.components(separatedBy: "\n").enumerated())[...]
    while let (index, line) = lines.popFirst() {
      switch line {
      case "```swift":
        let code = lines.prefix { $0.element != "```" }
        sections[sections.endIndex - 1].blocks.append(Block(lines: code.map(\.element)))
        lines = lines.dropFirst(code.count + 1)
      case _ where line.hasPrefix("```"): lines = lines.drop { $0.element != "```" }.dropFirst()
      case _ where line.hasPrefix("## ") || line.hasPrefix("### "):
        sections.append(Section(title: line.trimmingCharacters(in: CharacterSet(charactersIn: "# "))))
      case _ where line.hasPrefix("|"):
        // The heading of a table and the line below it are no rows.
        guard line.hasPrefix("| "), !line.hasPrefix("| --") else { continue }
        if let next = lines.first, next.element.hasPrefix("| --") || next.element.hasPrefix("|--") { continue }
        let cells = line.dropFirst().dropLast().components(separatedBy: " | ")
        sections[sections.endIndex - 1].rows.append(
          Row(cells: cells.map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " |")) }, line: index + 1))
      default: break
      }
    }
  }

  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The paths of all files of the catalogues that end like this, in order.
  static func paths(endingIn suffix: String) -> [String] {
    let found = FileManager.default.enumerator(atPath: root.appending(path: "Sources").path)?.compactMap {
      $0 as? String
    }
    return (found ?? []).filter { $0.contains(".docc/") && $0.hasSuffix(suffix) }.map { "Sources/\($0)" }.sorted()
  }

  static let all: [Article] = paths(endingIn: ".md").compactMap { try? Article($0) }
}
