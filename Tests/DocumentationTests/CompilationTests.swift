import Foundation
import Testing

/// What the documentation shows as Swift compiles where it is to be written, with only what the page imports.
///
/// `.ci/pages` also builds the packages and runs the commands.
@Suite("The code of the documentation", .serialized)
struct CompilationTests {
  static let pages: [FollowedPage] = (["README.md"] + Article.paths(endingIn: ".md")).compactMap {
    try? FollowedPage($0, root: Article.root)
  }

  @Test("compiles in every article", arguments: pages.filter(\.hasCode))
  func article(_ page: FollowedPage) async throws {
    guard let compiler = Compiler() else { return }
    for package in page.packages {
      for step in package {
        guard case .write("Package.swift", let lines, _) = step.action else { continue }
        let complaints = try await compiler.complaints(aboutManifest: lines.joined(separator: "\n"))
        #expect(complaints.isEmpty, "\(complaints)")
      }
      let complaints = try await compiler.complaints(about: package.files)
      #expect(complaints.isEmpty, "\(complaints)")
    }
  }

  @Test("is found")
  func found() {
    let paths = Self.pages.filter(\.hasCode).map(\.path)
    #expect(paths.contains("Sources/Weir/Weir.docc/ComingFromRx.md"))
    #expect(paths.contains("Sources/WeirTesting/WeirTesting.docc/WeirTesting.md"))
  }
}

extension FollowedPage: CustomTestStringConvertible {
  var testDescription: String { path }

  fileprivate var hasCode: Bool { packages.contains { !$0.isEmpty } }
}
