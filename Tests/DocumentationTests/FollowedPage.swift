import Foundation

/// The steps of a reader that follows a page word for word, from top to bottom.
///
/// `.ci/pages` does the same.
///
/// - Swift code that begins with `// swift-tools-version` is the manifest. Code that begins with a path, as in
///   `// Sources/App/main.swift`, is that file. Other Swift code continues the file before it.
/// - `sh` code is commands. Code in no language directly below is what they print.
/// - `mkdir` begins a package: the reader is in the folder that contains the clone of Weir. Before it, commands run in
///   the clone, and code is for a file of any package.
/// - `@Code` of a tutorial is a file. If it is named `Terminal`, its lines behind a `$` are commands, and the others
///   are what they print.
struct FollowedPage: Sendable {
  enum Action: Sendable {
    /// Lines for a file, behind those that it has if `continues` is true.
    case write(file: String, lines: [String], continues: Bool)

    /// Commands, and what they print if the page says so.
    case run([String], prints: [String]?)
  }

  struct Step: Sendable {
    let action: Action

    /// The number of the first line, from 1: of the page, or of the file that a tutorial shows.
    let line: Int

    /// Where that line is, from the root of the package.
    let source: String
  }

  /// The path from the root of the package.
  let path: String

  /// The steps that make each package.
  ///
  /// The first one has no manifest: it is the code that has no `mkdir` before it.
  private(set) var packages: [[Step]] = [[]]

  /// The commands that run in the clone.
  private(set) var commandsInClone: [String] = []

  /// The file that the next code continues.
  private var file: String

  init(_ path: String, root: URL) throws {
    self.path = path
    let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
    let page = URL(filePath: path).deletingPathExtension().lastPathComponent
    file = text.contains("\n@Test ") ? "Tests/\(page)Tests/\(page)Tests.swift" : "Sources/\(page)/main.swift"
    var lines = text.components(separatedBy: "\n").enumerated().map { (number: $0 + 1, text: $1) }[...]
    var isBelowCode = false
    while let line = lines.popFirst() {
      let indentation = line.text.prefix { $0 == " " }.count
      let trimmed = line.text.dropFirst(indentation)
      if let code = trimmed.wholeMatch(of: /@Code\(name: "([^"]+)", file: "([^"]+)"(?:, reset: true)?\)/) {
        let source = URL(filePath: path).deletingLastPathComponent().relativePath + "/Code/\(code.output.2)"
        let shown = try String(contentsOf: root.appending(path: source), encoding: .utf8)
        addFile(Array(shown.components(separatedBy: "\n").dropLast()), named: String(code.output.1), source: source)
      } else if trimmed.hasPrefix("```") {
        let block = lines.prefix { $0.text.dropFirst(indentation) != "```" }
        lines = lines.dropFirst(block.count + 1)
        let code = block.map { String($0.text.dropFirst(indentation)) }
        switch trimmed.dropFirst(3) {
        case "swift": addCode(code, line: line.number + 1)
        case "sh": addCommands(code, line: line.number + 1)
        case "" where isBelowCode: addOutput(code)
        default: break
        }
        isBelowCode = true
      } else if !trimmed.isEmpty {
        isBelowCode = false
      }
    }
  }

  private mutating func addFile(_ lines: [String], named name: String, source: String) {
    guard name == "Terminal" else {
      return add(.write(file: name, lines: lines, continues: false), line: 1, source: source)
    }
    let commands = lines.filter { $0.hasPrefix("$ ") }.map { String($0.dropFirst(2)) }
    let output = lines.filter { !$0.hasPrefix("$ ") }
    if commands.contains(where: { $0.hasPrefix("mkdir ") }) { packages.append([]) }
    add(.run(commands, prints: output.isEmpty ? nil : output), line: 1, source: source)
  }

  private mutating func addCode(_ code: [String], line: Int) {
    var continues = packages[packages.count - 1].contains { if case .write = $0.action { true } else { false } }
    if let named = Self.fileName(code) { (file, continues) = (named, false) }
    add(.write(file: file, lines: code, continues: continues), line: line, source: path)
  }

  private mutating func addCommands(_ commands: [String], line: Int) {
    if commands.contains(where: { $0.hasPrefix("mkdir ") }) { packages.append([]) }
    if packages.count == 1 {
      commandsInClone += commands
    } else {
      add(.run(commands, prints: nil), line: line, source: path)
    }
  }

  private mutating func addOutput(_ lines: [String]) {
    guard let last = packages[packages.count - 1].last, case .run(let commands, nil) = last.action else { return }
    packages[packages.count - 1].removeLast()
    add(.run(commands, prints: lines), line: last.line, source: last.source)
  }

  private mutating func add(_ action: Action, line: Int, source: String) {
    packages[packages.count - 1].append(Step(action: action, line: line, source: source))
  }

  private static func fileName(_ code: [String]) -> String? {
    guard let first = code.first else { return nil }
    if first.hasPrefix("// swift-tools-version") { return "Package.swift" }
    return first.wholeMatch(of: /\/\/ ((?:Sources|Tests)\/\S+\.swift)/).map { String($0.output.1) }
  }
}

extension Sequence<FollowedPage.Step> {
  /// The files after these steps, by their paths in the order in which they were begun.
  ///
  /// The compiler takes each line for the one that it is on the page.
  var files: [(path: String, text: String)] {
    var files: [(path: String, text: String)] = []
    for step in self {
      guard case .write(let path, let lines, let continues) = step.action else { continue }
      let code = lines.joined(separator: "\n")
      let text =
        path == "Package.swift"
        ? code : "#sourceLocation(file: \"\(step.source)\", line: \(step.line))\n\(code)\n#sourceLocation()\n"
      if let index = files.firstIndex(where: { $0.path == path }) {
        files[index].text = (continues ? files[index].text : "") + text
      } else {
        files.append((path, text))
      }
    }
    return files
  }
}
