import Foundation
import Testing

/// The tests that the documentation names exist.
@Suite("The tests that articles name")
struct NamedTestsTests {
  /// A suite, or a suite and one of its functions: `SinkTests`, `SinkTests/order`.
  struct Name: Hashable, CustomStringConvertible {
    let suite: String
    let function: String?

    var description: String { function.map { "\(suite)/\($0)" } ?? suite }
  }

  /// The text of each file with tests, by the suites that it declares.
  private static let suites: [String: String] = {
    var suites: [String: String] = [:]
    let tests = Article.root.appending(path: "Tests")
    let targets = (try? FileManager.default.contentsOfDirectory(atPath: tests.path)) ?? []
    for target in targets where target.hasSuffix("Tests") {
      let folder = tests.appending(path: target)
      let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
      for path in paths where path.hasSuffix(".swift") {
        guard let text = try? String(contentsOf: folder.appending(path: path), encoding: .utf8) else { continue }
        for match in text.matches(of: /(?:struct|class|actor) (\w+Tests)\b/) { suites[String(match.output.1)] = text }
      }
    }
    return suites
  }()

  private static func names(in article: Article) throws -> Set<Name> {
    let text = try String(contentsOf: Article.root.appending(path: article.path), encoding: .utf8)
    return Set(
      text.matches(of: /`(\w+Tests)(?:\/(\w+))?`/).map {
        Name(suite: String($0.output.1), function: $0.output.2.map(String.init))
      })
  }

  @Test("exist", arguments: Article.all)
  func exist(article: Article) throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Article.root.appending(path: "Tests").path)
    for name in try Self.names(in: article) where name.function != nil || !folders.contains(name.suite) {
      guard let text = Self.suites[name.suite] else {
        Issue.record("\(article.path) names \(name), and there is no such suite in Tests.")
        continue
      }
      guard let function = name.function else { continue }
      let isThere = text.contains("func \(function)(") || text.contains("func `\(function)`(")
      #expect(isThere, "\(article.path) names \(name), and the suite has no such function.")
    }
  }

  @Test("are found", arguments: ["ExcludedFaults", "DifferencesFromCombine"])
  func found(page: String) throws {
    let article = try #require(Article.all.first { $0.path.hasSuffix("/\(page).md") })
    #expect(try Self.names(in: article).count > 15)
  }

  @Test("of a fault are named for each fault")
  func faults() throws {
    let path = "Sources/Weir/Weir.docc/ExcludedFaults.md"
    let text = try String(contentsOf: Article.root.appending(path: path), encoding: .utf8)
    let faults = text.components(separatedBy: "\n- **").dropFirst()
    #expect(faults.count > 10)
    for fault in faults {
      let entry = fault.components(separatedBy: "\n\n")[0]
      #expect(entry.hasSuffix("`)"), "no test: \(entry)")
      #expect(entry.contains("](https://"), "no source: \(entry)")
    }
  }
}
