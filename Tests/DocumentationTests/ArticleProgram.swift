extension Article {
  /// A program with all code of the page in order.
  ///
  /// Types stand where a program has them, the rest in a function. A block sees what those before it declare, and may use a
  /// name anew.
  var program: String {
    var imports: Set<String> = [
      "import Dispatch", "import Foundation", "import Weir", "import WeirControls", "import WeirDispatch",
      "import WeirFoundation", "import WeirRx", "import WeirTesting",
    ]
    var types = ""
    var statements = ""
    for block in blocks {
      statements += "do {\n"
      for chunk in chunks(of: block) {
        switch chunk.kind {
        case .importing: imports.formUnion(chunk.lines)
        case .type: types += located(chunk)
        case .statement: statements += located(chunk)
        }
      }
    }
    return """
      \(imports.sorted().joined(separator: "\n"))
      #if canImport(FoundationNetworking)
      import FoundationNetworking
      #endif
      \(types)
      @MainActor func blocks() async throws {
      \(statements)
      \(String(repeating: "}", count: blocks.count))
      }
      """
  }

  /// The lines from one that isn't indented to the next.
  private struct Chunk {
    enum Kind {
      case importing, type, statement
    }

    var lines: [String]
    let line: Int

    var kind: Kind {
      let words = lines.filter { !$0.hasPrefix("//") }.joined(separator: " ").split(separator: " ")
        .drop { $0.hasPrefix("@") || Self.modifiers.contains($0) }
      if words.first == "import" { return .importing }
      if lines.contains(where: { $0.hasPrefix("@Test") || $0.hasPrefix("@Suite") || $0.hasPrefix("@main") }) {
        return .type
      }
      return words.first.map(Self.types.contains) == true ? .type : .statement
    }

    /// Whether the next line that isn't indented belongs to it.
    var isOpen: Bool {
      lines.allSatisfy { $0.hasPrefix("//") || $0.hasPrefix("@") && !$0.contains(" ") }
    }

    private static let modifiers: Set<Substring> = ["public", "private", "fileprivate", "open", "final", "nonisolated"]
    private static let types: Set<Substring> = [
      "struct", "class", "enum", "actor", "protocol", "extension", "infix", "prefix", "postfix",
    ]
  }

  private func chunks(of block: Block) -> [Chunk] {
    var chunks: [Chunk] = []
    for (index, line) in block.lines.enumerated() {
      let begins = line.first.map { !" })]".contains($0) } ?? false
      if let last = chunks.indices.last, !begins || chunks[last].isOpen {
        chunks[last].lines.append(line)
      } else {
        chunks.append(Chunk(lines: [line], line: block.line + index))
      }
    }
    return chunks
  }

  /// The chunk, which the compiler takes for what stands on the page.
  private func located(_ chunk: Chunk) -> String {
    "#sourceLocation(file: \"\(path)\", line: \(chunk.line))\n\(chunk.lines.joined(separator: "\n"))\n#sourceLocation()\n"
  }
}
