import Foundation
import Testing

/// Expects that every Swift block of a page stands word for word in the file that calls this, which runs it.
///
/// That is so of all but the manifests, the imports and the name of a block's file.
func checkBlocks(of page: String, count: Int, in file: String = #filePath) throws {
  let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
  let source = squeezed(try String(contentsOf: URL(filePath: file), encoding: .utf8))
  let blocks = text.components(separatedBy: "```swift\n").dropFirst().map { block in
    block.components(separatedBy: "```")[0]
  }.filter { !$0.hasPrefix("// swift-tools-version") }
  #expect(blocks.count == count)
  for block in blocks {
    let code = block.split(separator: "\n").filter { !$0.contains(/^import |^\/\/ (Sources|Tests)\//) }
      .joined(separator: "\n")
    #expect(code.isEmpty || source.contains(squeezed(code)), "not run:\n\(code)")
  }
}

/// The code as the compiler sees it, whatever its indentation, so that the formatter may indent it.
private func squeezed(_ code: String) -> String {
  code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
}
