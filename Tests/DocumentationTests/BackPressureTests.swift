import Foundation
import Testing
import Weir

/// The tables of the page on back-pressure say what the code does.
@Suite("The page on back-pressure")
@MainActor
struct BackPressureTests {
  let page: Article

  init() throws {
    page = try Article("Sources/Weir/Weir.docc/BackPressure.md")
  }

  private func rows(of title: String) throws -> [Article.Row] {
    let section = try #require(page.sections.first { $0.title == title }, "there is no section \(title)")
    try #require(!section.rows.isEmpty)
    return section.rows
  }

  /// What a cell names, without its quotes.
  private func items(in cell: String) -> [String] {
    cell.replacing("`", with: "").components(separatedBy: ", ")
  }

  @Test("says what each operator asks for")
  func operators() throws {
    // The immediate demand, and all demand after a request of two values; the longest beginning of the cell counts.
    let meanings: [(String, OperatorCase.Asked)] = [
      ("the downstream's demand", .init(atOnce: .none, forTwo: .max(2))),
      ("the downstream's demand, and immediately the number", .init(atOnce: .max(3), forTwo: .max(5))),
      ("`count` values for each requested array or window", .init(atOnce: .none, forTwo: .max(6))),
      ("a fixed number", .init(atOnce: .max(4), forTwo: .max(4))),
      ("one value with each request", .init(atOnce: .none, forTwo: .max(1))),
      ("one value", .init(atOnce: .max(1), forTwo: .max(1))),
      ("unlimited demand, immediately", .init(atOnce: .unlimited, forTwo: .unlimited)),
      ("everything, with the first request", .init(atOnce: .none, forTwo: .unlimited)),
    ]
    for row in try rows(of: "Operators") + rows(of: "Shaping demand") {
      let meaning = meanings.filter { row.cells[1].hasPrefix($0.0) }.max { $0.0.count < $1.0.count }
      let expected = try #require(meaning?.1, "line \(row.line): what does \(row.cells[1]) mean?")
      for name in items(in: row.cells[0]) {
        let operators = OperatorCase.all.filter { $0.name == name }
        #expect(!operators.isEmpty, "line \(row.line): \(name) is not tried")
        for operation in operators {
          #expect(operation.asked() == expected, "line \(row.line): \(name)")
          if row.cells[1].contains("one more for each value that") {
            #expect(operation.asksAgain(), "line \(row.line): \(name)")
          }
        }
      }
    }
  }

  @Test("says what becomes of values that come too early")
  func values() throws {
    let meanings: [(String, Fate)] = [
      ("isn't made", .kept), ("waits", .kept), ("keeps", .kept), ("is lost, unless it is the latest", .latest),
      ("keeps the latest", .latest), ("is lost", .lost), ("drops", .lost),
    ]
    func fate(_ cell: String, _ line: Int) throws -> Fate {
      let meaning = meanings.filter { cell.hasPrefix($0.0) }.max { $0.0.count < $1.0.count }
      return try #require(meaning?.1, "line \(line): what does \(cell) mean?")
    }
    for row in try rows(of: "Shaping demand") {
      let expected = try fate(row.cells[2], row.line)
      for operation in OperatorCase.all where items(in: row.cells[0]).contains(operation.name) {
        #expect(operation.fate() == expected, "line \(row.line): \(operation.name)")
      }
    }
    for row in try rows(of: "Sources") where row.cells.count == 2 {
      for name in items(in: row.cells[0]) where !SourceCase.untried.contains(name) {
        let source = try #require(SourceCase.all.first { $0.name == name }, "line \(row.line): \(name) is not tried")
        #expect(source.fate() == (try fate(row.cells[1], row.line)), "line \(row.line): \(name)")
      }
    }
  }

  @Test("has every operator")
  func completeness() throws {
    let rows = try rows(of: "Operators") + rows(of: "Shaping demand")
    let names: [String] = rows.flatMap { $0.names(in: 0) }
    let named = Set(names.map { name in name.prefix { $0 != "(" } })
    let declared = try Self.declaredOperators()
    #expect(declared.count > 90)
    #expect(declared.subtracting(named).isEmpty)
  }

  /// The names of the methods of publishers in the folders that hold operators.
  private static func declaredOperators() throws -> Set<Substring> {
    let folders = [
      "Weir/Operators", "WeirRx/Operators", "WeirRx/Backpressure", "WeirRx/Multicasting", "WeirRx/Concurrency",
      "WeirRx/Sharing", "WeirRx/Traits",
    ]
    var names: Set<Substring> = []
    for folder in folders {
      let url = Article.root.appending(path: "Sources/\(folder)")
      for path in try FileManager.default.subpathsOfDirectory(atPath: url.path) where path.hasSuffix(".swift") {
        let text = try String(contentsOf: url.appending(path: path), encoding: .utf8)
        for part in "\n\(text)".components(separatedBy: "\nextension ") where part.hasPrefix("Publisher ") {
          // Up to the end of the extension.
          let body = part.components(separatedBy: "\n}\n")[0]
          for line in body.split(separator: "\n") where line.hasPrefix("  public ") {
            guard let function = line.firstRange(of: " func ") else { continue }
            names.insert(line[function.upperBound...].drop { $0 == "`" }.prefix { $0.isLetter })
          }
        }
      }
    }
    return names
  }
}

/// What becomes of values without demand.
enum Fate {
  case kept, latest, lost

  /// `nil` if it is none of these.
  init?(_ received: [String], of sent: [String]) {
    switch received {
    case []: self = .lost
    case sent: self = .kept
    case [sent[sent.count - 1]]: self = .latest
    default: return nil
    }
  }
}
