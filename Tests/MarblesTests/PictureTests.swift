import Foundation
import Testing
import WeirTesting

@testable import Marbles

@MainActor
@Suite("Pictures")
struct PictureTests {
  @Test("all elements are inside, and none overlap")
  func nothingOverlaps() throws {
    for diagram in Catalogue.diagrams {
      let picture = Layout.picture(of: try diagram.record(), named: diagram.name)
      let page = Box(x: 0, y: 0, width: picture.width, height: picture.height)
      for (index, shape) in picture.shapes.enumerated() {
        let isInside =
          shape.box.x >= page.x && shape.box.y >= page.y && shape.box.right <= page.right
          && shape.box.bottom <= page.bottom
        if !isInside { Issue.record("\(diagram.name): \(shape) is not inside \(page)") }
        for other in picture.shapes[..<index] where other.box.overlaps(shape.box) {
          Issue.record("\(diagram.name): \(other) and \(shape)")
        }
      }
    }
  }

  @Test("text fits its space")
  func textFits() throws {
    for diagram in Catalogue.diagrams {
      for shape in Layout.picture(of: try diagram.record(), named: diagram.name).shapes {
        let need =
          switch shape.kind {
          case .value(let token, _): Double(token.count) * Measure.valueSign
          case .label(let text): Double(text.count) * Measure.sign
          case .code(let lines): Double(lines.map(\.count).max() ?? 0) * Measure.sign + 24
          case .demand(let text): Double(text.count) * Measure.sign + 10
          case .finish, .failure, .subscription, .cancellation: 0.0
          }
        if need > shape.box.width { Issue.record("\(diagram.name): \(shape) needs \(need)") }
      }
    }
  }

  @Test("marks of one frame are side by side, and simultaneous ones are stacked")
  func framesAlign() throws {
    let picture = try picture(of: "collect(byTimeOrCount:)")
    let values = picture.shapes.filter { if case .value = $0.kind { true } else { false } }
    let (a, b, made) = (values[0].box, values[1].box, values[4].box)
    #expect(a.right < b.x)
    #expect(b.middle == made.middle)
    #expect(made.width > b.width)
  }

  @Test("every mark of a recording has its shape")
  func allIsDrawn() throws {
    for diagram in Catalogue.diagrams {
      let recording = try diagram.record()
      let shapes = Layout.picture(of: recording, named: diagram.name).shapes
      let marks = recording.tracks.flatMap { track in
        track.events.filter { !($0.frame == 0 && $0.mark == .subscription) }.map(\.mark.description)
          + track.demand.entries.map { _ in "demand" }
      }
      let drawn = shapes.compactMap { shape -> String? in
        switch shape.kind {
        case .value(let token, _): MarbleDiagram.Mark.value(token).description
        case .finish: "|"
        case .failure: "#"
        case .subscription: "^"
        case .cancellation: "!"
        case .demand: "demand"
        case .label, .code: nil
        }
      }
      if marks.sorted() != drawn.sorted() { Issue.record("\(diagram.name): \(marks) and \(drawn)") }
    }
  }

  @Test("a forwarded value keeps its color, and a created one has that of its cause")
  func colours() throws {
    #expect(try colours(of: "filter") == ["1": 0, "2": 1, "3": 2, "4": 3])
    #expect(try colours(of: "map") == ["1": 0, "10": 0, "2": 1, "20": 1, "3": 2, "30": 2])
    #expect(try colours(of: "delay") == ["a": 0, "b": 1])
    #expect(try colours(of: "count")["3"] == .some(nil), "It is made of all of them.")
  }

  @Test("demand and cancellations are below their line")
  func whatRises() throws {
    let shapes = try picture(of: "prefix(while:)").shapes
    let cancel = try #require(shapes.first { $0.kind == .cancellation }).box
    let code = try #require(shapes.first { if case .code = $0.kind { true } else { false } }).box
    let value = try #require(shapes.first { $0.kind == .value("3", colour: 2) }).box
    #expect(cancel.x > value.right)
    #expect(cancel.y > value.y && cancel.bottom > value.bottom && cancel.bottom < code.y)
  }

  @Test("a picture is a separate document with a name and a description")
  func isAccessible() throws {
    let svg = SVG.file(try picture(of: "encode"))
    #expect(svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\""))
    #expect(svg.contains("role=\"img\""))
    #expect(svg.contains("<title id=\"d-t\">encode</title>"))
    #expect(svg.contains("source: 1 at 1, 2 at 3, 3 at 5, 9 at 7, a cancellation at 7; asked for ∞ at 0."))
    #expect(svg.contains("prefers-color-scheme: dark"))
    #expect(try SVG.file(picture(of: "replaceNil")).contains(">nil<"))
    #expect(SVG.escaped("a < b & \"c\" > d") == "a &lt; b &amp; &quot;c&quot; &gt; d")
  }

  @Test("all files and the page are written, without external resources")
  func writesFiles() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("marbles-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    var command = Command()
    #expect(try command.run(["--svg", folder.path]) == 0)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(files.count == 2 * Catalogue.diagrams.count + 1)
    #expect(Set(files.map { $0.lowercased() }).count == files.count, "Some file systems take these for the same.")
    let page = try String(contentsOf: folder.appendingPathComponent("index.html"), encoding: .utf8)
    for diagram in Catalogue.diagrams { #expect(page.contains("<figure id=\"\(diagram.slug)\"")) }
    let drawing = try String(contentsOf: folder.appendingPathComponent("filter.txt"), encoding: .utf8)
    #expect(drawing.hasPrefix("source                   -1-2-3-4\n"))
    #expect(page.replacing("http://www.w3.org/2000/svg", with: "").contains("http") == false)
  }

  @Test("an unwritable folder stops the program with a message")
  func unwritable() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("marbles-\(UUID().uuidString)")
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    var command = Command()
    #expect(try command.run(["--svg", file.appendingPathComponent("in").path]) == 73)
    #expect(command.complaints.hasPrefix("Can't write to \(file.path)/in: "))
  }

  private func picture(of name: String) throws -> Picture {
    let diagram = try #require(Catalogue.diagrams.first { $0.name == name })
    return Layout.picture(of: try diagram.record(), named: name)
  }

  private func colours(of name: String) throws -> [String: Int?] {
    var colours: [String: Int?] = [:]
    for shape in try picture(of: name).shapes {
      if case .value(let token, let colour) = shape.kind { colours[token] = .some(colour) }
    }
    return colours
  }
}
