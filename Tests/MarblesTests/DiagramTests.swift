import Foundation
import Testing
import WeirTesting

@testable import Marbles

/// The folder of the package.
let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

@MainActor
@Suite("Marble diagrams")
struct DiagramTests {
  @Test("the drawing in a documentation comment matches the events")
  func diagramsHold() throws {
    let sources = try SourceFiles(package: package)
    for diagram in Catalogue.diagrams {
      let declaration = "\(diagram.declaration.text)"
      guard let comment = sources.comment(of: diagram.declaration) else {
        Issue.record("\(diagram.name): there is no “\(declaration)” with a documentation comment.")
        continue
      }
      let recording = try diagram.record()
      let documented = sources.drawing(in: comment)?.drawing ?? []
      guard documented.map({ Line($0) }) != recording.lines.map({ Line($0.drawn(recording.frameCount)) }) else {
        continue
      }
      Issue.record(
        """
        \(diagram.name), \(sources.files[comment.file].path):\(comment.lines.lowerBound + 1). The documentation draws
        \(documented.joined(separator: "\n"))
        and what happens is
        \(recording.drawing.joined(separator: "\n"))
        Put it right, or let `swift run Marbles --write .` redraw it.
        """)
    }
  }

  @Test("all diagrams in documentation comments are run")
  func nothingIsDrawnByHand() throws {
    let sources = try SourceFiles(package: package)
    var run = Set<String>()
    for diagram in Catalogue.diagrams {
      guard let comment = sources.comment(of: diagram.declaration) else { continue }
      guard let drawing = sources.drawing(in: comment) else { continue }
      let place = "\(sources.files[comment.file].path):\(drawing.lines.lowerBound + 1)"
      if !run.insert(place).inserted { Issue.record("\(diagram.name): another diagram is drawn at \(place).") }
    }
    for file in sources.files {
      for drawing in SourceFiles.drawings(in: file.lines) {
        let place = "\(file.path):\(drawing.lines.lowerBound + 1)"
        if !run.contains(place) { Issue.record("\(place): a diagram that nothing in Examples/Marbles/Catalogue runs.") }
      }
      for (line, text) in file.lines.enumerated() {
        let text = text.drop { $0 == " " }
        guard text.hasPrefix("///     "), text.contains("--"), text.contains(/\w-{2,}\S*[|#]/) else { continue }
        if Line(String(text.dropFirst(8))) == nil {
          Issue.record("\(file.path):\(line + 1): a diagram that can't be read.")
        }
      }
    }
  }

  @Test("the label of a result is the code that runs")
  func labelsAreCode() throws {
    let folder = package.appendingPathComponent("Examples/Marbles/Catalogue")
    let text = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    // The code of each entry, without literals and whitespace.
    var entries: [String: String] = [:]
    for entry in text.components(separatedBy: "Diagram(").dropFirst() {
      let name = entry.drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" }
      let code = entry.replacing(/"(?:[^"\\]|\\.)*"/, with: "")
      entries[String(name)] = code.split(whereSeparator: \.isWhitespace).joined()
    }
    for diagram in Catalogue.diagrams {
      let label = diagram.code.split(whereSeparator: \.isWhitespace).joined()
      #expect(entries[diagram.name]?.contains(label) == true, "“\(diagram.code)” is not what \(diagram.name) runs.")
      #expect(try diagram.record().tracks.contains { $0.label == diagram.code }, "\(diagram.name) has no result.")
    }
    #expect(Set(Catalogue.diagrams.map(\.name)).count == Catalogue.diagrams.count, "Two diagrams have one name.")
  }

  @Test("a drawing fits into a comment")
  func drawingsFit() throws {
    for diagram in Catalogue.diagrams {
      let width = try diagram.record().drawing.map(\.count).max() ?? 0
      #expect(width <= 108, "\(diagram.name) is \(width) signs wide.")
    }
  }
}
