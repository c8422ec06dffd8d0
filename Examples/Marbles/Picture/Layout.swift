import WeirTesting

/// Computes the positions of all parts of a recording.
///
/// The width of a frame fits its contents: demand at the left, then the marks of a line side by side, so that they
/// don't overlap. All lines have the same frames, so simultaneous events are aligned vertically.
struct Layout {
  private let recording: Recording
  private let colours: Colours

  private var frames: [Frame] = []

  /// The positions in a frame.
  private struct Frame {
    /// The position of demand.
    var demand: Double

    /// The center of the first value of each line, or of its first mark.
    var anchor: Double
  }

  private var end = 0.0
  private var picture: Picture

  static func picture(of recording: Recording, named name: String) -> Picture {
    var layout = Layout(recording, named: name)
    layout.placeFrames()
    layout.placeRows()
    return layout.picture
  }

  private init(_ recording: Recording, named name: String) {
    self.recording = recording
    colours = Colours(recording)
    picture = Picture(name: name, description: recording.words)
  }

  // MARK: Horizontal

  private mutating func placeFrames() {
    let needs = (0..<max(1, recording.frameCount)).map { frame in
      let demand = recording.tracks.flatMap { demands(of: $0, in: frame).map(Measure.width(ofDemand:)) }.max() ?? 0
      let extents = recording.tracks.map { self.extents(of: marks(of: $0, in: frame)) }
      return (demand: demand, left: extents.map(\.left).max() ?? 0, right: extents.map(\.right).max() ?? 0)
    }
    let natural = needs.map { $0.demand + max($0.left + $0.right, Measure.emptyFrame) }.reduce(0, +)
    // Few frames are spread over the width of a phone.
    let spread = min(max((Measure.usualWidth - natural) / Double(needs.count), 0), 14)
    var x = Measure.margin
    for need in needs {
      frames.append(Frame(demand: x, anchor: x + need.demand + need.left))
      x += need.demand + max(need.left + need.right, Measure.emptyFrame) + spread
    }
    let code = Double(codeLines.map(\.count).max() ?? 0) * Measure.sign + 28
    let labels = recording.tracks.map { Double($0.label.count) * Measure.sign }.max() ?? 0
    end = max(x + 18, Measure.margin + max(code, min(labels, 300)), Measure.margin + Measure.usualWidth + 18)
    picture.width = end + Measure.margin
  }

  /// The extent of the marks from the center of the first value, or of the first mark.
  private func extents(of events: [Track.Event]) -> (left: Double, right: Double) {
    guard !events.isEmpty else { return (0, 0) }
    let widths = events.map { Measure.width(of: $0.mark) + 4 }
    let anchor = events.firstIndex { if case .value = $0.mark { true } else { false } } ?? 0
    let left = widths[..<anchor].reduce(0, +) + widths[anchor] / 2
    return (left, widths.reduce(0, +) - left)
  }

  private func marks(of track: Track, in frame: Int) -> [Track.Event] {
    // The line begins at its subscription, which isn't drawn in the first frame.
    track.events.filter { $0.frame == frame && !(frame == 0 && $0.mark == .subscription) }
  }

  private func demands(of track: Track, in frame: Int) -> [String] {
    track.demand.entries.filter { $0.frame == frame }.compactMap {
      if case .value(let text) = $0.mark { text } else { nil }
    }
  }

  // MARK: Vertical

  private mutating func placeRows() {
    let upper = recording.tracks.filter { $0.role != .result }
    let lower = recording.tracks.filter { $0.role == .result }
    var y = Measure.margin - 4
    var values: [(x: Double, from: Double, colour: Int?)] = []
    for track in upper { values += place(track, at: &y) }
    if !upper.isEmpty { y += Measure.gap }
    let lines = codeLines
    let code = Box(
      x: Measure.margin, y: y, width: end - Measure.margin, height: Double(lines.count) * Measure.codeLine + 12)
    picture.shapes.append(Picture.Shape(kind: .code(lines), box: code))
    for value in values {
      picture.falls.append(Picture.Fall(x: value.x, from: value.from, to: code.y, colour: value.colour))
    }
    y = code.bottom + Measure.gap
    for track in lower {
      for value in place(track, at: &y) {
        let top = value.from - Measure.mark
        picture.falls.append(Picture.Fall(x: value.x, from: code.bottom, to: top, colour: value.colour))
      }
    }
    picture.height = y + Measure.margin - 6
  }

  /// Places a line, and returns the origins of its falling values.
  private mutating func place(_ track: Track, at y: inout Double) -> [(x: Double, from: Double, colour: Int?)] {
    if track.label != recording.code {
      let width = Double(track.label.count) * Measure.sign
      let box = Box(x: Measure.margin, y: y, width: width, height: Measure.label - 6)
      picture.shapes.append(Picture.Shape(kind: .label(track.label), box: box))
      y += Measure.label
    }
    let hasLane = !track.demand.entries.isEmpty || track.events.contains { $0.mark == .cancellation }
    let middle = y + Measure.mark / 2 + 1
    let lane = hasLane ? Measure.lane : 2
    var values: [(x: Double, from: Double, colour: Int?)] = []
    var from = frames[0].demand
    var start: Double? = track.start == 0 ? from : nil
    for (frame, place) in frames.enumerated() {
      for text in demands(of: track, in: frame) {
        let box = Box(
          x: place.demand, y: middle + Measure.mark / 2 + 1, width: Measure.width(ofDemand: text), height: lane - 2)
        picture.shapes.append(Picture.Shape(kind: .demand(text), box: box))
      }
      let events = marks(of: track, in: frame)
      var x = place.anchor - extents(of: events).left + 2
      for event in events {
        let width = Measure.width(of: event.mark)
        var box = Box(x: x, y: middle - Measure.mark / 2, width: width, height: Measure.mark)
        if event.mark == .cancellation {
          box.y = middle - 6
          box.height = Measure.mark / 2 + 6 + lane
        }
        let colour = colours[event.order]
        picture.shapes.append(Picture.Shape(kind: kind(of: event.mark, colour), box: box))
        switch event.mark {
        case .value: values.append((box.middle, box.bottom, colour))
        case .subscription:
          from = box.middle
          start = from
        case .finished, .failure, .cancellation:
          if let begin = start {
            picture.strands.append(Picture.Strand(y: middle, from: begin, to: box.middle, isOpen: false))
          }
          start = nil
        }
        x += width + 4
      }
    }
    if let start { picture.strands.append(Picture.Strand(y: middle, from: start, to: end - 2, isOpen: true)) }
    y = middle + Measure.mark / 2 + lane + 4
    return values
  }

  private func kind(of mark: MarbleDiagram.Mark, _ colour: Int?) -> Picture.Kind {
    switch mark {
    case .value(let token): .value(token, colour: colour)
    case .finished: .finish
    case .failure: .failure
    case .subscription: .subscription
    case .cancellation: .cancellation
    }
  }

  /// The code in lines that fit on a phone.
  private var codeLines: [String] {
    var lines = [""]
    for word in recording.code.split(separator: " ") {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if last.count + word.count < 46 {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append("  \(word)")
      }
    }
    return lines
  }
}

/// The colors of the values: a forwarded value keeps its color, and a created one has that of its cause.
private struct Colours {
  private var colours: [Int: Int] = [:]

  init(_ recording: Recording) {
    var byToken: [String: Int] = [:]
    var cause: (frame: Int, colour: Int)?
    let events = recording.tracks.flatMap { track in track.events.map { ($0, track.role) } }
    for (event, role) in events.sorted(by: { $0.0.order < $1.0.order }) {
      guard case .value(let token) = event.mark else {
        // A value at the completion is made from all values.
        if role != .result, event.mark == .finished || event.mark == .failure { cause = nil }
        continue
      }
      if role == .result {
        let made = cause.flatMap { $0.frame == event.frame ? $0.colour : nil }
        colours[event.order] = byToken[token] ?? made
      } else {
        let colour = byToken[token] ?? byToken.count % 6
        byToken[token] = colour
        colours[event.order] = colour
        cause = (event.frame, colour)
      }
    }
  }

  subscript(order: Int) -> Int? { colours[order] }
}

extension Recording {
  /// The events in words, for screen readers.
  var words: String {
    tracks.map { track in
      let events = track.events.filter { !($0.frame == 0 && $0.mark == .subscription) }.map { event in
        let what =
          switch event.mark {
          case .value(let token): token
          case .finished: "the end"
          case .failure: "a failure"
          case .subscription: "a subscription"
          case .cancellation: "a cancellation"
          }
        return "\(what) at \(event.frame)"
      }
      let demand = track.demand.entries.map { "\($0.mark.description) at \($0.frame)" }
      return "\(track.label): \(events.isEmpty ? "nothing" : events.joined(separator: ", "))"
        + (demand.isEmpty ? "." : "; asked for \(demand.joined(separator: ", ")).")
    }.joined(separator: " ")
  }
}
