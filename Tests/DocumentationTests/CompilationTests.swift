import Testing

/// What the documentation shows as Swift is Swift.
@Suite("The code of the documentation", .serialized)
struct CompilationTests {
  @Test("compiles in every article", arguments: Article.all.filter { !$0.blocks.isEmpty })
  func article(_ article: Article) async throws {
    guard let compiler = Compiler() else { return }
    let complaints = try await compiler.complaints(about: ["Blocks.swift": article.program])
    #expect(complaints.isEmpty, "\(complaints)")
  }

  @Test("is found")
  func found() {
    let paths = Article.all.filter { !$0.blocks.isEmpty }.map(\.path)
    #expect(paths.contains("Sources/Weir/Weir.docc/ComingFromRx.md"))
    #expect(paths.contains("Sources/WeirTesting/WeirTesting.docc/WeirTesting.md"))
  }
}
