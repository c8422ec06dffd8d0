/// Pairs of diagrams, which a mismatch shows one below the other, aligned by frame.
struct MarbleComparison {
  struct Pair {
    let name: String
    let expected: MarbleDiagram
    let received: MarbleDiagram
  }

  let timeline: MarbleTimeline
  private(set) var pairs: [Pair] = []
  /// The events between two frames.
  private(set) var inexact: [String] = []

  init(_ timeline: MarbleTimeline) {
    self.timeline = timeline
  }

  mutating func add(_ name: String, expected: MarbleDiagram, received: MarbleDiagram) {
    pairs.append(Pair(name: name, expected: expected, received: received))
  }

  mutating func checkTime(of event: some CustomStringConvertible, at time: VirtualTime) {
    if !timeline.isExact(time) { inexact.append("\(event) at \(time)") }
  }

  /// `nil` if all pairs match.
  var mismatch: String? {
    let differences = pairs.compactMap { pair in difference(of: pair).map { "\(pair.name) from frame \($0)" } }
    var sentences: [String] = []
    if !differences.isEmpty { sentences.append("The diagrams differ: " + differences.joined(separator: ", ") + ".") }
    if !inexact.isEmpty {
      sentences.append(
        "With frames of \(timeline.frame), events are between frames: " + inexact.joined(separator: ", ") + ".")
    }
    return sentences.isEmpty ? nil : sentences.joined(separator: "\n") + "\n" + drawing
  }

  /// The first frame with different marks.
  private func difference(of pair: Pair) -> Int? {
    let expected = pair.expected.entries
    let received = pair.received.entries
    let common = zip(expected, received).prefix { $0 == $1 }.count
    let first = [expected.dropFirst(common).first, received.dropFirst(common).first].compactMap { $0?.frame }
    return first.min()
  }

  private var drawing: String {
    let rows = pairs.flatMap { pair in
      [("expected \(pair.name)", pair.expected, nil), ("received \(pair.name)", pair.received, difference(of: pair))]
    }
    let labelWidth = rows.map(\.0.count).max() ?? 0
    if rows.contains(where: { $0.1.frameCount > 2000 }) {
      return rows.map { "\(padded($0.0, to: labelWidth))  \($0.1)" }.joined(separator: "\n")
    }
    let cells: [[String]] = rows.map(\.1.cells)
    let widths: [Int] = (0..<(cells.map(\.count).max() ?? 0)).map { (column: Int) -> Int in
      cells.map { (row: [String]) -> Int in column < row.count ? row[column].count : 0 }.max() ?? 0
    }
    return zip(rows, cells).map { row, cells in
      let line = padded(row.0, to: labelWidth) + "  " + zip(cells, widths).map(padded).joined()
      guard let difference = row.2 else { return trimmed(line) }
      let indent = labelWidth + 2 + widths.prefix(difference).reduce(0, +)
      return trimmed(line) + "\n" + String(repeating: " ", count: indent) + "↑"
    }.joined(separator: "\n")
  }

  private func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private func trimmed(_ line: String) -> String {
    String(line.reversed().drop { $0 == " " }.reversed())
  }
}
