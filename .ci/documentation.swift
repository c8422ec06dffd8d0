// Counts the public symbols in a folder of symbol graphs, and lists those without documentation. In a folder of
// archives it lists the symbols that are missing in a page's topics.

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

    /// An extension has no page of its own to document, but its members have.
    var isDeclaration: Bool { kind.identifier != "swift.extension" }

    var place: String {
      location.map { "\($0.uri.replacing("file://", with: "")):\($0.position.line + 1)" } ?? "made by the compiler"
    }
  }

  let symbols: [Symbol]
}

/// A page of docc's output.
struct Page: Decodable {
  struct Topic: Decodable {
    let title: String
    let identifiers: [String]
    let generated: Bool?
  }

  let topicSections: [Topic]?

  /// The symbols that are missing in the topics of a page with topics, for which docc generates sections.
  ///
  /// Extensions of other modules' types, and default implementations, may have generated sections.
  var strays: [String] {
    let topics = topicSections ?? []
    guard topics.contains(where: { $0.generated != true }) else { return [] }
    return topics.filter {
      $0.generated == true && !["Extended Modules", "Default Implementations"].contains($0.title)
    }
    .flatMap(\.identifiers)
  }
}

func read<Content: Decodable>(
  _ type: Content.Type, below folder: String, endingIn suffix: String, where part: String = ""
) throws -> [Content] {
  let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
  return try paths.filter { $0.hasSuffix(suffix) && (part.isEmpty || $0.contains(part)) }.sorted().map { path in
    try JSONDecoder().decode(type, from: Data(contentsOf: URL(filePath: folder).appending(path: path)))
  }
}

guard CommandLine.arguments.count == 3 else {
  print("usage: documentation GRAPHS ARCHIVES")
  exit(2)
}

let symbols = try read(SymbolGraph.self, below: CommandLine.arguments[1], endingIn: ".symbols.json")
  .flatMap { $0.symbols.filter(\.isDeclaration) }

let undocumented = symbols.filter { $0.docComment == nil }
for symbol in undocumented {
  print("\(symbol.place): \(symbol.pathComponents.joined(separator: ".")) has no documentation")
}
print("\(symbols.count) public symbols, \(symbols.count - undocumented.count) of them documented")

let strays = try read(Page.self, below: CommandLine.arguments[2], endingIn: ".json", where: "data/documentation/")
  .flatMap(\.strays)
for stray in strays { print("\(stray) is in no topic of its page, which has some") }
exit(symbols.isEmpty || !undocumented.isEmpty || !strays.isEmpty ? 1 : 0)
