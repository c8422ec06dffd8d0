import Foundation

/// A page of the documentation: its tables and its Swift code.
struct DocumentedPage {
  struct Section {
    let title: String
    let rows: [Row]
    let blocks: [String]

    /// Whether a comment in the code is that name, or has it in a list.
    func shows(_ name: String) -> Bool {
      blocks.joined(separator: "\n").split(separator: "\n").contains { line in
        guard let comment = line.range(of: "// ") else { return false }
        return line[comment.upperBound...].components(separatedBy: ", ").contains {
          $0 == name || $0.hasPrefix("\(name) ")
        }
      }
    }
  }

  struct Row {
    /// The names in the first column.
    let names: [String]
    let here: String

    init(_ line: Substring) {
      let columns = line.components(separatedBy: " | ")
      names = Self.code(in: columns[0])
      here = columns.count > 1 ? columns[1].trimmingCharacters(in: CharacterSet(charactersIn: " |")) : ""
    }

    private static func code(in text: String) -> [String] {
      text.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    }
  }

  let sections: [Section]

  /// Reads the page at a path from the root of the package.
  init(_ path: String) throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
    sections = text.components(separatedBy: "\n### ").dropFirst().map { section in
      let lines = section.split(separator: "\n", omittingEmptySubsequences: false)
      return Section(
        title: String(lines[0]),
        rows: lines.filter { $0.hasPrefix("| ") }.dropFirst(2).map(Row.init),
        blocks: section.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] })
    }
  }

  /// The code as the compiler sees it, whatever its indentation.
  static func squeezed(_ code: String) -> String {
    code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
  }
}
