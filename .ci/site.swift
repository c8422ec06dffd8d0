// Completes the site that docc builds. Before docc runs, it replaces the marble diagrams of documentation comments by
// pictures. Afterwards it adds a first page, short and distinct titles in the sidebar, and a page for every folder.
//
//   site pictures MARBLES GRAPHS CATALOGS   replaces diagrams in symbol graphs, and adds their pictures to the catalogs
//   site finish GRAPHS SITE README          completes a site; the first page has the README's first sentence and picture

import Foundation

typealias JSON = [String: Any]

struct Fault: Error, CustomStringConvertible {
  let description: String
}

func read(_ path: String) throws -> JSON {
  guard let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path))) as? JSON else {
    throw Fault(description: "\(path) contains no object")
  }
  return json
}

func save(_ json: JSON, to path: String) throws {
  try JSONSerialization.data(withJSONObject: json, options: [.sortedKeys, .withoutEscapingSlashes])
    .write(to: URL(filePath: path))
}

func text(of path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

/// The paths of the files below a folder, relative to it.
func files(below folder: String, endingIn suffix: String) -> [String] {
  (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? [])
    .filter { $0.hasSuffix(suffix) }.sorted()
}

// MARK: - Pictures

/// A drawing of a marble diagram.
struct Drawing {
  /// The name of the file, without its suffix.
  let name: String

  /// The description of the diagram for screen readers.
  let words: String

  let svg: String
}

/// Reads the drawings that Marbles has written.
///
/// The key of each is its text in documentation comments.
func drawings(in folder: String) throws -> [[String]: Drawing] {
  var drawings: [[String]: Drawing] = [:]
  for file in files(below: folder, endingIn: ".txt") {
    let name = String(file.dropLast(4))
    let svg = try text(of: "\(folder)/\(name).svg")
    let words = svg.firstMatch(of: /<desc[^>]*>(.*?)<\/desc>/.dotMatchesNewlines()).map { String($0.1) } ?? ""
    let lines = try text(of: "\(folder)/\(file)").split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init).reversed().drop(while: \.isEmpty).reversed()
    drawings[Array(lines)] = Drawing(name: "marbles-\(name)", words: unescaped(words), svg: svg)
  }
  return drawings
}

func unescaped(_ text: String) -> String {
  text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
    .replacing("&amp;", with: "&")
}

/// Replaces the diagrams in the comments of a symbol graph, and returns their drawings.
func replaceDiagrams(in path: String, by drawings: [[String]: Drawing]) throws -> [Drawing] {
  var graph = try read(path)
  var used: [Drawing] = []
  let symbols = (graph["symbols"] as? [JSON] ?? []).map { symbol in
    var symbol = symbol
    guard var comment = symbol["docComment"] as? JSON, let lines = comment["lines"] as? [JSON] else { return symbol }
    var result: [JSON] = []
    var block: [JSON] = []
    func text(_ line: JSON) -> String { line["text"] as? String ?? "" }
    func endBlock() {
      if let drawing = drawings[block.map { String(text($0).dropFirst(4)) }], var line = block.first {
        // Brackets would end the text of the image.
        let words = drawing.words.replacing(/[\[\]\\`*_<]/) { "\\\($0.output)" }
        line["text"] = "![\(words)](\(drawing.name))"
        result.append(line)
        used.append(drawing)
      } else {
        result += block
      }
      block = []
    }
    for line in lines {
      if text(line).hasPrefix("    ") {
        block.append(line)
      } else {
        endBlock()
        result.append(line)
      }
    }
    endBlock()
    comment["lines"] = result
    symbol["docComment"] = comment
    return symbol
  }
  if !used.isEmpty {
    graph["symbols"] = symbols
    try save(graph, to: path)
  }
  return used
}

/// Writes a picture as two files.
///
/// Docc shows the file for the appearance that the reader chose, which can differ from the system's.
func write(_ svg: String, light: String, dark: String) throws {
  let query = "@media (prefers-color-scheme: dark)"
  try svg.replacing(query, with: "@media not all").write(toFile: light, atomically: true, encoding: .utf8)
  try svg.replacing(query, with: "@media all").write(toFile: dark, atomically: true, encoding: .utf8)
}

func addPictures(marbles: String, graphs: String, catalogs: String) throws {
  let drawings = try drawings(in: marbles)
  var count = 0
  for catalog in try FileManager.default.contentsOfDirectory(atPath: catalogs).sorted() {
    let module = catalog.replacing(".docc", with: "")
    let resources = "\(catalogs)/\(catalog)/Resources"
    for file in files(below: resources, endingIn: ".svg") {
      let svg = try text(of: "\(resources)/\(file)")
      if svg.contains("prefers-color-scheme") {
        try write(svg, light: "\(resources)/\(file)", dark: "\(resources)/\(file.dropLast(4))~dark.svg")
      }
    }
    try FileManager.default.createDirectory(atPath: resources, withIntermediateDirectories: true)
    for graph in files(below: "\(graphs)/\(module)", endingIn: ".symbols.json") {
      let used = try replaceDiagrams(in: "\(graphs)/\(module)/\(graph)", by: drawings)
      for drawing in used {
        let path = "\(resources)/\(drawing.name)"
        try write(drawing.svg, light: "\(path).svg", dark: "\(path)~dark.svg")
      }
      count += used.count
    }
  }
  print("\(count) diagrams of documentation comments are pictures")
  guard count > 0 else { throw Fault(description: "No comment has a diagram of \(marbles).") }
}

// MARK: - Titles of the sidebar

/// The properties that distinguish a symbol from others with the same name.
struct Symbol {
  /// The name with the labels of its parameters.
  let title: String

  let parameters: [(label: String, type: String)]

  /// The types that it requires to be the same, and the protocols that it requires of types.
  let constraints: [(type: String, requirement: String)]

  /// The type of the result, or of the property, with a sign before it.
  let result: String

  /// The first line of its documentation.
  let summary: String

  /// Words such as `async`.
  let effects: [String]

  init?(_ symbol: JSON) {
    guard let title = (symbol["pathComponents"] as? [String])?.last else { return nil }
    func fragments(_ value: Any?) -> String {
      (value as? [JSON] ?? []).compactMap { $0["spelling"] as? String }.joined()
    }
    var constraints: [(type: String, requirement: String)] = []
    let declared = ["swiftExtension", "swiftGenerics"]
      .flatMap { (symbol[$0] as? JSON)?["constraints"] as? [JSON] ?? [] }
    for constraint in declared {
      guard let left = constraint["lhs"] as? String, let right = constraint["rhs"] as? String else { continue }
      let sign = constraint["kind"] as? String == "sameType" ? "==" : ":"
      let new = (type: Symbol.short(left), requirement: "\(sign) \(Symbol.short(right))")
      if !constraints.contains(where: { $0 == new }) { constraints.append(new) }
    }
    // A parameter of a generic type is named by the protocol that the type conforms to.
    let protocols = Dictionary(
      constraints.filter { $0.requirement.hasPrefix(": ") }
        .map { ($0.type, "some \($0.requirement.dropFirst(2))") }, uniquingKeysWith: { first, _ in first })
    let signature = symbol["functionSignature"] as? JSON
    let types = (signature?["parameters"] as? [JSON] ?? []).map { parameter in
      let declaration = fragments(parameter["declarationFragments"])
      let type = declaration.firstMatch(of: /:\s*(.*)/).map { Symbol.short(String($0.1)) } ?? declaration
      return protocols[type] ?? type
    }
    let labels = title.drop { $0 != "(" }.dropFirst().dropLast().split(separator: ":").map(String.init)
    let declaration = fragments(symbol["declarationFragments"])
    self.title = title
    self.constraints = constraints
    parameters = labels.count == types.count ? Array(zip(labels, types)) : []
    result =
      signature.map { " -> \(Symbol.short(fragments($0["returns"])))" }
      ?? declaration.firstMatch(of: /: ([^{]*)/).map { ": \(Symbol.short(String($0.1)))" } ?? ""
    let comment = (symbol["docComment"] as? JSON)?["lines"] as? [JSON] ?? []
    summary = comment.first?["text"] as? String ?? ""
    effects = ["async", "throws", "@Sendable"].filter(declaration.contains)
  }

  /// A type without the words that a reader doesn't need.
  static func short(_ type: String) -> String {
    type.replacing(#/\b(Self|Publishers|Subscribers)\.|@\w+ |\bany /#, with: "")
  }

  /// Titles for symbols with the same name.
  ///
  /// They differ in their first characters if possible, or else as a whole.
  static func titles(of overloads: [Symbol], limit: Int) -> [String] {
    let choices: [(Symbol) -> String] = [
      { $0.signature(of: $0.parameters) },
      { $0.signature(of: $0.differences(among: overloads)) },
      { symbol in
        let requirements = symbol.requirements(among: overloads)
        // The labels would leave no space for the distinct words.
        let name = requirements.isEmpty || symbol.title.count <= 13 ? symbol.title : symbol.name
        return "\(name) · \(requirements)"
      },
      { "\($0.title)\($0.result)" },
      { "\($0.name) · \($0.effects.joined(separator: " ")) \($0.types(of: $0.differences(among: overloads)))" },
      { symbol in
        let rest = [symbol.requirements(among: overloads)] + symbol.effects
        return "\(symbol.signature(of: symbol.differences(among: overloads))) · \(rest.joined(separator: " "))"
      },
      { "\($0.title) · \($0.summary)" },
    ]
    let titles = choices.map { overloads.map($0).map { $0.replacing(/\s*·\s*$/, with: "") } }
    return titles.first { areDistinct($0, limit: limit) } ?? shortTitles(of: overloads, limit: limit)
      ?? titles.first { areDistinct($0) } ?? titles[0]
  }

  static func areDistinct(_ titles: [String], limit: Int = .max) -> Bool {
    Set(titles.map { $0.prefix(limit) }).count == titles.count
  }

  private var name: String { String(title.prefix { $0 != "(" }) }

  /// The parameters whose types are not the same in all others.
  private func differences(among others: [Symbol]) -> [(label: String, type: String)] {
    parameters.indices.filter { index in
      !others.allSatisfy { $0.parameters.indices.contains(index) && $0.parameters[index] == parameters[index] }
    }.map { parameters[$0] }
  }

  private func signature(of parameters: [(label: String, type: String)]) -> String {
    let list = parameters.map { $0.label == "_" ? $0.type : "\($0.label): \($0.type)" }
    return list.isEmpty ? title : "\(name)(\(list.joined(separator: ", ")))"
  }

  private func types(of parameters: [(label: String, type: String)]) -> String {
    parameters.map(\.type).joined(separator: ", ")
  }

  /// The names, each with the fewest words of its declaration that distinguish it.
  private static func shortTitles(of overloads: [Symbol], limit: Int) -> [String]? {
    let words = overloads.map(\.words)
    let all = Set(words.joined()).filter { word in !words.allSatisfy { $0.contains(word) } }
      .sorted { ($0.text.count, $0.text, $0.position) > ($1.text.count, $1.text, $1.position) }
    // Each bit represents a word.
    let choices = (0..<1 << min(all.count, 12)).sorted { ($0.nonzeroBitCount, $0) < ($1.nonzeroBitCount, $1) }
    for choice in choices {
      let chosen = Set(all.indices.filter { $0 < 12 && choice & 1 << $0 != 0 }.map { all[$0] })
      let details = words.map { $0.filter(chosen.contains).map(\.text).joined(separator: ", ") }
      for name in [\Symbol.title, \Symbol.name] {
        let titles = zip(overloads, details).map { $1.isEmpty ? $0[keyPath: name] : "\($0[keyPath: name]) · \($1)" }
        if areDistinct(titles, limit: limit) { return titles }
      }
    }
    return nil
  }

  /// A word of a declaration, and the number of its occurrences before this one.
  private struct Word: Hashable {
    let text: String
    let position: Int
  }

  private var words: [Word] {
    let types = parameters.flatMap { $0.type.split { !$0.isLetter && $0 != "?" }.map(String.init) }
    let texts = types.filter { $0 != "some" } + effects + constraints.map { "\($0.type) \($0.requirement)" }
    var counts: [String: Int] = [:]
    return texts.map { text in
      counts[text, default: -1] += 1
      return Word(text: text, position: counts[text] ?? 0)
    }
  }

  /// Names that begin with the same label, without the following labels that all have in common.
  static func elided(_ titles: [String]) -> [String]? {
    let parts = titles.map { $0.split(separator: "(").map(String.init) }
    guard parts.allSatisfy({ $0.count == 2 && $0[0] == parts[0][0] && $0[1].hasSuffix(":)") }) else { return nil }
    let labels = parts.map { $0[1].dropLast().split(separator: ":") }
    let common = labels[0].indices.prefix { index in
      labels.allSatisfy { $0.indices.contains(index) && $0[index] == labels[0][index] }
    }.count
    guard common > 1 else { return nil }
    return labels.map { list in
      "\(parts[0][0])(\(list[0]):…\(list.dropFirst(common).map { "\($0):" }.joined()))"
    }
  }

  /// The constraints that not all others have.
  ///
  /// The rarest are first. Constraints with the same requirement are together.
  private func requirements(among others: [Symbol]) -> String {
    func holders(_ constraint: (type: String, requirement: String)) -> Int {
      others.count { $0.constraints.contains { $0 == constraint } }
    }
    let own = constraints.filter { holders($0) < others.count }.sorted { holders($0) < holders($1) }
    var requirements: [String] = []
    for (_, requirement) in own where !requirements.contains(requirement) { requirements.append(requirement) }
    return requirements.map { requirement in
      "\(own.filter { $0.requirement == requirement }.map(\.type).joined(separator: ", ")) \(requirement)"
    }.joined(separator: ", ")
  }
}

/// Gives the sidebar's entries the titles of their pages, instead of declarations that the sidebar truncates.
struct Sidebar {
  let site: String
  let symbols: [String: Symbol]

  /// The number of characters that fit into the sidebar in a window of a usual width.
  let limit = 30

  private(set) var faults: [String] = []

  init(site: String, graphs: String) throws {
    self.site = site
    var symbols: [String: Symbol] = [:]
    for graph in files(below: graphs, endingIn: ".symbols.json") {
      for symbol in try read("\(graphs)/\(graph)")["symbols"] as? [JSON] ?? [] {
        guard let identifier = (symbol["identifier"] as? JSON)?["precise"] as? String else { continue }
        symbols[identifier] = Symbol(symbol)
      }
    }
    self.symbols = symbols
  }

  mutating func rename() throws {
    let path = "\(site)/index/index.json"
    var index = try read(path)
    guard var languages = index["interfaceLanguages"] as? [String: [JSON]] else {
      throw Fault(description: "\(path) has no languages")
    }
    for (language, nodes) in languages { languages[language] = renamed(nodes, below: []) }
    index["interfaceLanguages"] = languages
    try save(index, to: path)
  }

  private mutating func renamed(_ nodes: [JSON], below ancestors: [String]) -> [JSON] {
    var nodes = nodes
    let titles = nodes.map { $0["title"] as? String ?? "" }
    for (index, title) in titles.enumerated() {
      if let children = nodes[index]["children"] as? [JSON] {
        nodes[index]["children"] = renamed(children, below: ancestors + [title])
      }
      // A type's title begins with the name of the type that contains it, which is the entry above.
      if let outer = ancestors.last(where: { title.hasPrefix($0 + ".") }) {
        nodes[index]["title"] = String(title.dropFirst(outer.count + 1))
      }
    }
    let symbols = nodes.map(symbol)
    for (title, overloads) in Dictionary(grouping: nodes.indices, by: { symbols[$0]?.title }) where title != nil {
      let titles = Symbol.titles(of: overloads.compactMap { symbols[$0] }, limit: limit)
      for (index, distinct) in zip(overloads, titles) {
        nodes[index]["title"] = overloads.count == 1 ? title : distinct
      }
    }
    for alike in self.alike(among: nodes) {
      guard let titles = Symbol.elided(alike.map { nodes[$0]["title"] as? String ?? "" }) else { continue }
      for (index, title) in zip(alike, titles) { nodes[index]["title"] = title }
    }
    for alike in self.alike(among: nodes) {
      faults.append("\(ancestors): \(alike.map { nodes[$0]["title"] as? String ?? "" })")
    }
    return nodes
  }

  /// The entries whose titles begin with the same characters.
  private func alike(among nodes: [JSON]) -> [[Int]] {
    let entries = nodes.indices.filter { nodes[$0]["path"] != nil && nodes[$0]["title"] is String }
    return Dictionary(grouping: entries, by: { (nodes[$0]["title"] as? String ?? "").prefix(limit) }).values
      .filter { $0.count > 1 }
  }

  /// The symbol of an entry, if the entry is a member with a declaration.
  private func symbol(of node: JSON) -> Symbol? {
    guard let path = node["path"] as? String, let type = node["type"] as? String,
      ["method", "init", "op", "property", "func", "var", "subscript", "case"].contains(type),
      let page = try? read("\(site)/data\(path).json"),
      let identifier = (page["metadata"] as? JSON)?["externalID"] as? String
    else { return nil }
    return symbols[identifier]
  }
}

// MARK: - The first page

/// The page that addresses without their own page redirect to.
struct FirstPage {
  let site: String
  let readme: String

  private let sections: [(title: String, pages: [(file: String, reference: String)])] = [
    (
      "Start here",
      [
        ("documentation/weir", "doc://Weir/documentation/Weir/GettingStarted"),
        ("tutorials/tutorials", "doc://WeirControls/tutorials/WeirControls/SignupForm"),
        ("documentation/weir", "doc://Weir/documentation/Weir/Cookbook"),
      ]
    ),
    (
      "Libraries",
      ["Weir", "WeirRx", "WeirControls", "WeirTesting", "WeirDispatch", "WeirFoundation", "Combine"].map {
        ("documentation", "doc://\($0)/documentation/\($0)")
      }
    ),
    (
      "Coming from another library",
      ["ComingFromCombine", "ComingFromRx", "ComingFromReactiveSwift", "ComingFromAsyncAlgorithms"].map {
        ("documentation/weir", "doc://Weir/documentation/Weir/\($0)")
      }
    ),
  ]

  func write() throws {
    let path = "\(site)/data/documentation.json"
    let before = try read(path)
    var references: JSON = [:]
    for page in sections.flatMap(\.pages) {
      guard let reference = (try read("\(site)/data/\(page.file).json")["references"] as? JSON)?[page.reference] else {
        throw Fault(description: "\(page.file) doesn't mention \(page.reference)")
      }
      references[page.reference] = reference
    }
    let introduction = try text(of: readme)
    guard let sentence = introduction.firstMatch(of: /\n\n(\w.*?\.)\s/.dotMatchesNewlines()),
      let picture = introduction.firstMatch(of: /!\[(.*?)\]\((.*?\.svg)\)/)
    else { throw Fault(description: "\(readme) has no first sentence, or no picture") }
    let source = URL(filePath: readme).deletingLastPathComponent().appending(path: String(picture.2))
    let image = "images/\(source.lastPathComponent)"
    try? FileManager.default.removeItem(atPath: "\(site)/\(image)")
    try FileManager.default.copyItem(atPath: source.path, toPath: "\(site)/\(image)")
    references["picture"] = [
      "type": "image", "identifier": "picture", "alt": String(picture.1),
      "variants": [["url": "/\(image)", "traits": ["1x", "light"]] as JSON],
    ]
    var page = before
    page["metadata"] = ["role": "collection", "roleHeading": "Swift package", "title": "Weir"]
    page["abstract"] = [["type": "text", "text": sentence.1.replacing("\n", with: " ").replacing("'", with: "’")]]
    page["primaryContentSections"] = [
      [
        "kind": "content",
        "content": [["type": "paragraph", "inlineContent": [["type": "image", "identifier": "picture"]]] as JSON],
      ] as JSON
    ]
    page["topicSections"] = sections.map { section in
      [
        "title": section.title, "anchor": section.title.replacing(" ", with: "-"),
        "identifiers": section.pages.map(\.reference),
      ] as JSON
    }
    page["references"] = references
    try save(page, to: path)
  }
}

// MARK: - Addresses

/// Removes parents without a page from the paths of pages, and returns the number of pages with such a parent.
///
/// Docc names the modules of other packages' types as parents, but doesn't write pages for them.
func removeMissingParents(in site: String) throws -> Int {
  var count = 0
  for file in files(below: "\(site)/data/documentation", endingIn: ".json") {
    let path = "\(site)/data/documentation/\(file)"
    var page = try read(path)
    guard var hierarchy = page["hierarchy"] as? JSON, let ways = hierarchy["paths"] as? [[String]],
      let references = page["references"] as? JSON
    else { continue }
    let existing = ways.map { way in
      way.filter { parent in
        guard let address = (references[parent] as? JSON)?["url"] as? String else { return true }
        return FileManager.default.fileExists(atPath: "\(site)/data\(address).json")
      }
    }
    guard existing != ways else { continue }
    hierarchy["paths"] = existing
    page["hierarchy"] = hierarchy
    try save(page, to: path)
    count += 1
  }
  return count
}

/// Writes a page that redirects to another page, whose path is relative to the folder.
func lead(from folder: String, to target: String) throws {
  let html = """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <title>Weir</title>
    <link rel="icon" href="data:,">
    <meta http-equiv="refresh" content="0; url=\(target)">
    <p><a href="\(target)">The documentation of Weir</a></p>
    </html>

    """
  try html.write(toFile: "\(folder)/index.html", atomically: true, encoding: .utf8)
}

/// Adds a redirecting page to each folder that has no page, and returns the number of these folders.
func fillFolders(of site: String) throws -> Int {
  let manager = FileManager.default
  try lead(from: site, to: "documentation/")
  try lead(from: "\(site)/tutorials", to: "tutorials/")
  var count = 1
  for section in ["documentation", "tutorials"] {
    for path in files(below: "\(site)/\(section)", endingIn: "") {
      let folder = "\(site)/\(section)/\(path)"
      var isFolder: ObjCBool = false
      guard manager.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue,
        !manager.fileExists(atPath: "\(folder)/index.html")
      else { continue }
      try lead(from: folder, to: "../")
      count += 1
    }
  }
  return count
}

func finish(site: String, graphs: String, readme: String) throws {
  try FirstPage(site: site, readme: readme).write()
  // The pages load this file. Empty settings keep docc's appearance.
  try "{}\n".write(toFile: "\(site)/theme-settings.json", atomically: true, encoding: .utf8)
  let orphans = try removeMissingParents(in: site)
  let folders = try fillFolders(of: site)
  print("\(orphans) pages had a parent without a page, \(folders) folders had no page")
  var sidebar = try Sidebar(site: site, graphs: graphs)
  try sidebar.rename()
  guard sidebar.faults.isEmpty else {
    throw Fault(
      description: "The first \(sidebar.limit) characters of these titles of the sidebar are the same:\n"
        + sidebar.faults.joined(separator: "\n"))
  }
}

let arguments = Array(CommandLine.arguments.dropFirst())
do {
  switch (arguments.first, arguments.count) {
  case ("pictures", 4): try addPictures(marbles: arguments[1], graphs: arguments[2], catalogs: arguments[3])
  case ("finish", 4): try finish(site: arguments[2], graphs: arguments[1], readme: arguments[3])
  default:
    print("usage: site pictures MARBLES GRAPHS CATALOGS\n       site finish GRAPHS SITE README")
    exit(2)
  }
} catch {
  print(error)
  exit(1)
}
