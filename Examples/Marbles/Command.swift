import Foundation

/// Runs the program for its arguments.
@MainActor
struct Command {
  var isColoured = false
  var columns = 80

  /// The sources, whose documentation summarizes each diagram.
  ///
  /// Without them, only diagrams are printed.
  var sources = try? SourceFiles(package: Command.package)

  private(set) var output = ""
  private(set) var complaints = ""

  /// Prints the output, and returns the exit status.
  mutating func run(_ arguments: [String]) throws -> Int32 {
    switch arguments.first {
    case "--help", "-h": write(Command.help)
    case "--list" where arguments.count == 1: list()
    case "--svg" where arguments.count == 2:
      do {
        try draw(into: URL(fileURLWithPath: arguments[1]))
      } catch let error as CocoaError {
        complaints += "Can't write to \(arguments[1]): \(error.localizedDescription)\n"
        return 73
      }
    case "--write" where arguments.count == 2: return try writeDrawings(into: URL(fileURLWithPath: arguments[1]))
    case nil: return misused("A name of a diagram is required. --list prints all names.")
    case let option? where option.hasPrefix("-"): return misused("\(option) is not valid here.")
    default: return try print(arguments)
    }
    return 0
  }

  static let help = """
    Draws marble diagrams. Each pipeline runs in virtual time, and its events are drawn.

    swift run Marbles map zip     prints diagrams by name
    swift run Marbles --list      prints the names
    swift run Marbles --svg DIR   writes all diagrams as SVG and text files to a folder, with an index page
    swift run Marbles --write .   writes them to the documentation comments of the package in this folder

    A frame takes a second. A value is a single character, or is quoted. Events in parentheses are in one frame.
      -  nothing   |  the end   #  a failure   ^  a subscription   !  a cancellation
    The lines “demand” and “asked” show the subscriber's demand, and the requests that the upstream received.

    """

  // MARK: Printing

  private mutating func print(_ names: [String]) throws -> Int32 {
    var status: Int32 = 0
    for name in names {
      let diagrams = Catalogue.diagrams(named: name)
      for diagram in diagrams {
        let recording = try diagram.record()
        if !output.isEmpty { write("\n") }
        if let summary = sources?.summary(of: diagram.declaration) { write(summary.filter { $0 != "`" } + "\n\n") }
        for line in recording.drawing { write(coloured(line, isCode: line.hasPrefix(diagram.code)) + "\n") }
      }
      guard diagrams.isEmpty else { continue }
      let suggestions = Catalogue.suggestions(for: name)
      let hint =
        suggestions.isEmpty
        ? "--list prints all names." : "Did you mean \(suggestions.joined(separator: ", "))?"
      complaints += "There is no diagram of “\(name)”. \(hint)\n"
      status = 1
    }
    return status
  }

  private mutating func list() {
    for family in Catalogue.families {
      if !output.isEmpty { write("\n") }
      write(coloured(family.name, "1") + "\n")
      let names = family.diagrams.map(\.name)
      let width = (names.map(\.count).max() ?? 0) + 2
      let count = max(1, (columns - 2) / width)
      for start in stride(from: 0, to: names.count, by: count) {
        let row = names[start..<min(start + count, names.count)].map { $0.padded(to: width) }.joined()
        write("  " + row.trimmingEnd() + "\n")
      }
    }
  }

  private mutating func misused(_ complaint: String) -> Int32 {
    complaints += complaint + "\nswift run Marbles --help lists the options.\n"
    return 64
  }

  private mutating func write(_ text: String) { output += text }

  private func coloured(_ text: String, _ code: String) -> String {
    isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  /// Highlights the label of the code, and colors demand separately.
  private func coloured(_ line: String, isCode: Bool) -> String {
    let isDemand = line.hasPrefix("demand ") || line.hasPrefix("asked ")
    return isCode ? coloured(line, "1") : isDemand ? coloured(line, "36") : line
  }

  // MARK: Writing

  private mutating func writeDrawings(into package: URL) throws -> Int32 {
    var sources = try SourceFiles(package: package)
    let before = sources.files
    for diagram in Catalogue.diagrams {
      guard let comment = sources.comment(of: diagram.declaration) else {
        complaints += "\(diagram.name): there is no “\(diagram.declaration.text)” with a documentation comment.\n"
        continue
      }
      sources.write(try diagram.record().drawing, into: comment)
    }
    for (old, new) in zip(before, sources.files) where old.lines != new.lines {
      try new.lines.joined(separator: "\n")
        .write(to: package.appendingPathComponent(new.path), atomically: true, encoding: .utf8)
      write("\(new.path)\n")
    }
    return complaints.isEmpty ? 0 : 1
  }

  private mutating func draw(into folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let families = try Catalogue.families.map { family in
      let cards = try family.diagrams.map { diagram in
        let recording = try diagram.record()
        try (recording.drawing.joined(separator: "\n") + "\n")
          .write(to: folder.appendingPathComponent("\(diagram.slug).txt"), atomically: true, encoding: .utf8)
        return Page.Card(
          diagram: diagram, picture: Layout.picture(of: recording, named: diagram.name),
          summary: sources?.summary(of: diagram.declaration))
      }
      return (family.name, cards)
    }
    for card in families.flatMap(\.1) {
      try SVG.file(card.picture)
        .write(to: folder.appendingPathComponent("\(card.diagram.slug).svg"), atomically: true, encoding: .utf8)
    }
    try Page.html(families)
      .write(to: folder.appendingPathComponent("index.html"), atomically: true, encoding: .utf8)
    write("\(Catalogue.diagrams.count) diagrams and index.html\n")
  }

  /// The folder from which this program was built.
  private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
}
