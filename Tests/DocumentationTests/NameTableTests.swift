import Foundation
import Testing

/// The pages that say what the names of another library are called here.
@Suite("The tables of names")
struct NameTableTests {
  static let pages = Article.all.filter { $0.path.contains("/ComingFrom") }

  @Test("have a line of code for each name that is another here", arguments: pages)
  func examples(page: Article) throws {
    for section in page.sections where !section.rows.isEmpty {
      for row in section.rows where !row.cells[1].hasPrefix("the same") && !row.cells[1].hasPrefix("none") {
        let name = try #require(row.names(in: 0).first, "line \(row.line) has no name")
        let isShown = section.shows(name)
        #expect(isShown, "line \(row.line): no example of \(name) in \(section.title)")
      }
    }
  }

  @Test("are found")
  func found() {
    #expect(Self.pages.count == 4)
    #expect(Self.pages.allSatisfy { $0.sections.contains { !$0.rows.isEmpty } })
  }
}

extension Article.Section {
  /// Whether a comment in the code is that name, or has it in a list.
  fileprivate func shows(_ name: String) -> Bool {
    blocks.flatMap(\.lines).contains { line in
      guard let comment = line.range(of: "// ") else { return false }
      return line[comment.upperBound...].split(separator: ", ").contains { $0 == name || $0.hasPrefix("\(name) ") }
    }
  }
}
