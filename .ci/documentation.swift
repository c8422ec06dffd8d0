// Counts the public symbols in a folder of symbol graphs, and names those that have no documentation.

import Foundation

struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    struct Kind: Decodable {
      let identifier: String
    }

    struct Location: Decodable {
      struct Position: Decodable {
        let line: Int
      }

      let uri: String
      let position: Position
    }

    struct Comment: Decodable {}

    let kind: Kind
    let pathComponents: [String]
    let docComment: Comment?
    let location: Location?

    /// An extension as such has no page of its own to document: its members have.
    var isDeclaration: Bool { kind.identifier != "swift.extension" }

    var place: String {
      location.map { "\($0.uri.replacing("file://", with: "")):\($0.position.line + 1)" } ?? "made by the compiler"
    }
  }

  let symbols: [Symbol]
}

guard CommandLine.arguments.count == 2 else {
  print("usage: documentation DIR")
  exit(2)
}

let folder = CommandLine.arguments[1]
let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
var symbols: [SymbolGraph.Symbol] = []
for path in paths.sorted() where path.hasSuffix(".symbols.json") {
  let data = try Data(contentsOf: URL(filePath: folder).appending(path: path))
  symbols += try JSONDecoder().decode(SymbolGraph.self, from: data).symbols.filter(\.isDeclaration)
}

let undocumented = symbols.filter { $0.docComment == nil }
for symbol in undocumented {
  print("\(symbol.place): \(symbol.pathComponents.joined(separator: ".")) has no documentation")
}
print("\(symbols.count) public symbols, \(symbols.count - undocumented.count) of them documented")
exit(symbols.isEmpty || !undocumented.isEmpty ? 1 : 0)
