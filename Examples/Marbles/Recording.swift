import Weir
import WeirTesting

/// The events of one line of a diagram.
struct Track: Sendable {
  enum Role: Sendable {
    /// A publisher that the pipeline subscribes to.
    case upstream

    /// Events that are sent from outside.
    case sent

    /// Events that a subscriber receives.
    case result
  }

  /// A mark, and its index among all events.
  struct Event: Sendable {
    let frame: Int
    let mark: MarbleDiagram.Mark
    let order: Int
  }

  let role: Role
  let label: String
  var events: [Event] = []

  /// The requests to an upstream or by a subscriber.
  var demand = MarbleDiagram()

  /// Whether no more events can follow.
  var hasEnded: Bool {
    switch events.last?.mark {
    case .finished, .failure, .cancellation: true
    case .value, .subscription, nil: false
    }
  }

  /// The start of the line.
  var start: Int {
    events.first?.mark == .subscription ? events[0].frame : 0
  }

  /// Whether unlimited demand is requested at the start, and nothing else.
  var asksForAll: Bool {
    demand.entries == [MarbleDiagram.Entry(frame: start, mark: .value("∞"))]
  }

  /// The drawn marks, without a subscription in the first frame.
  var diagram: MarbleDiagram {
    let marks = events.map { MarbleDiagram.Entry(frame: $0.frame, mark: $0.mark) }
    let isPlain = marks.first == MarbleDiagram.Entry(frame: 0, mark: .subscription)
    return MarbleDiagram(isPlain ? Array(marks.dropFirst()) : marks)
  }
}

/// The events of a diagram's pipeline.
struct Recording: Sendable {
  let code: String
  let tracks: [Track]
  let showsAsking: Bool

  /// The number of frames up to the last event.
  let frameCount: Int

  // With a given number of frames, trailing frames are drawn even without events.
  init(_ tracks: [Track], code: String, showsAsking: Bool, frames: Int = 0) {
    self.code = code
    self.tracks =
      tracks.filter { $0.role != .result && Recording.beginnings.contains($0.label) }
      + tracks.filter { $0.role != .result && !Recording.beginnings.contains($0.label) }
      + tracks.filter { $0.role == .result }
    self.showsAsking = showsAsking
    frameCount = tracks.map { max($0.diagram.frameCount, $0.demand.frameCount) }.reduce(frames, max)
  }

  /// The labels of first upstreams, which are drawn above the others.
  private static let beginnings: Set = ["source", "single", "maybe", "completable", "driver", "signal"]

  /// The lines of the drawing.
  var lines: [Line] {
    tracks.flatMap { track in
      var lines = [Line(label: track.label, diagram: track.diagram, isOpen: !track.hasEnded)]
      switch track.role {
      case .upstream where showsAsking && !track.demand.entries.isEmpty:
        lines.append(Line(label: "asked", diagram: track.demand))
      case .result where !track.asksForAll && !track.demand.entries.isEmpty:
        lines.insert(Line(label: "demand", diagram: track.demand), at: 0)
      case .upstream, .sent, .result: break
      }
      return lines
    }
  }

  /// The lines, aligned by frame.
  var drawing: [String] {
    let lines = lines
    let cells = lines.map { $0.cells(frameCount) }
    let widths = (0..<frameCount).map { frame in
      cells.map { frame < $0.count ? $0[frame].count : 0 }.max() ?? 0
    }
    let indent = lines.map(\.label.count).max() ?? 0
    return zip(lines, cells).map { line, cells in
      let drawn = zip(cells, widths).map { $0.padded(to: $1) }.joined()
      return "\(line.label.padded(to: indent))  \(drawn)".trimmingEnd()
    }
  }
}

/// A line of a drawing.
struct Line {
  let label: String
  let diagram: MarbleDiagram

  /// Whether it continues to the right end.
  var isOpen = false

  /// The line without the others.
  func drawn(_ frameCount: Int) -> String { "\(label)  \(cells(frameCount).joined())" }

  /// The contents of each frame.
  func cells(_ frameCount: Int) -> [String] {
    let open = isOpen ? max(0, frameCount - diagram.frameCount) : 0
    return diagram.cells + Array(repeating: "-", count: open)
  }
}

extension Line: Equatable {
  /// Trailing frames without events are ignored.
  static func == (lhs: Line, rhs: Line) -> Bool {
    lhs.label == rhs.label && lhs.diagram.entries == rhs.diagram.entries
  }
}

extension String {
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  func trimmingEnd() -> String {
    String(reversed().drop { $0 == " " }.reversed())
  }
}
