/// Requests over time, as an SVG file whose colors follow the reader's light or dark mode.
struct Plot {
  private let window: Window
  private let windows: [(number: Int, count: Statistics.Count)]

  init(_ statistics: Statistics) {
    windows = statistics.windows
    window = statistics.window
  }

  private let size = (width: 860.0, height: 360.0)
  private let area = (left: 72.0, right: 836.0, top: 76.0, bottom: 300.0)

  /// More bars than this are merged, so that each stays visible.
  private let maxBarCount = 190

  var svg: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(size.width)) \(Int(size.height))" \
    width="\(Int(size.width))" height="\(Int(size.height))" \
    font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif">
    <style>
    .back { fill: #ffffff } text { fill: #1f2328; font-size: 12px } .note { font-size: 11px; fill: #59636e }
    .title { font-size: 15px; font-weight: 600 } .grid { stroke: #d8dee4 } .axis { stroke: #8c959f }
    .end { text-anchor: end } .middle { text-anchor: middle } .good { fill: #0969da } .bad { fill: #cf222e }
    @media (prefers-color-scheme: dark) {
    .back { fill: #0d1117 } text { fill: #e6edf3 } .note { fill: #9198a1 } .grid { stroke: #2a3038 }
    .axis { stroke: #656c76 } .good { fill: #58a6ff } .bad { fill: #ff7b72 }
    }
    </style>
    <rect class="back" width="100%" height="100%"/>
    \(elements.joined(separator: "\n"))
    </svg>

    """
  }

  private var elements: [String] {
    guard let first = windows.first?.number, let last = windows.last?.number else {
      return [text("There are no requests.", size.width / 2, size.height / 2, "middle")]
    }
    let joined = (last - first) / maxBarCount + 1
    let bars = bars(from: first, joining: joined)
    let most = bars.map(\.count.requests).max() ?? 1
    let step = niceStep(over: most)
    let top = (most + step - 1) / step * step
    func y(_ count: Int) -> Double { area.bottom - Double(count) / Double(top) * (area.bottom - area.top) }

    let length = joined == 1 ? window.rawValue : "\(joined) \(window.rawValue)s"
    var elements = [
      text("Requests per \(length)", area.left, 28, "title"),
      "<text x=\"\(area.left)\" y=\"52\"><tspan class=\"good\">■</tspan> fine  "
        + "<tspan class=\"bad\" dx=\"12\">■</tspan> errors (status 400 and above)</text>",
    ]
    for count in stride(from: 0, through: top, by: step) {
      elements.append(line(area.left, y(count), area.right, y(count), count == 0 ? "axis" : "grid"))
      elements.append(text(count.grouped, area.left - 8, y(count) + 4, "note end"))
    }
    let slot = (area.right - area.left) / Double(bars.count)
    for (index, bar) in bars.enumerated() where bar.count.requests > 0 {
      let x = area.left + Double(index) * slot
      let width = max(slot - (slot > 4 ? 1.5 : 0.3), 0.5)
      let title = "\(window.name(of: bar.number)): \(bar.count.requests.grouped), \(bar.count.errors.grouped) errors"
      elements.append("<g><title>\(title)</title>")
      let (all, errors) = (y(bar.count.requests), y(bar.count.errors))
      elements.append(rectangle(x, all, min(width, 60), errors - all, "good"))
      if bar.count.errors > 0 { elements.append(rectangle(x, errors, min(width, 60), area.bottom - errors, "bad")) }
      elements.append("</g>")
    }
    for time in labelled(from: first * window.seconds, to: (first + bars.count * joined) * window.seconds) {
      let x = area.left + Double(time - first * window.seconds) / Double(joined * window.seconds) * slot
      elements.append(line(x, area.bottom, x, area.bottom + 5, "axis"))
      elements.append(text(window == .day ? time.date : time.clock, x, area.bottom + 19, "note middle"))
      if window != .day { elements.append(text(time.date, x, area.bottom + 34, "note middle")) }
    }
    elements.append(text("time (UTC)", area.right, size.height - 8, "note end"))
    return elements
  }

  /// A bar for each window, or for several; also for windows without requests.
  private func bars(from first: Int, joining joined: Int) -> [(number: Int, count: Statistics.Count)] {
    var bars: [(number: Int, count: Statistics.Count)] = []
    for (number, count) in windows {
      let index = (number - first) / joined
      while bars.count <= index { bars.append((first + bars.count * joined, Statistics.Count())) }
      bars[index].count += count
    }
    return bars
  }

  /// The times with labels: round ones, as many as fit.
  private func labelled(from start: Int, to end: Int) -> [Int] {
    let (minute, hour, day) = (60, 3600, 86_400)
    let steps = [
      minute, 5 * minute, 15 * minute, 30 * minute, hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, 7 * day,
      28 * day,
      91 * day,
    ]
    let room = (end - start) / 8
    let step = steps.first { $0 >= max(room, window.seconds) } ?? (room / (364 * day) + 1) * 364 * day
    let first = (start + step - 1).floored(by: step) * step
    return Array(stride(from: first, to: end, by: step))
  }

  /// 1, 2 or 5 times a power of ten, for four to ten lines.
  private func niceStep(over most: Int) -> Int {
    var power = 1
    while power * 10 <= most { power *= 10 }
    for factor in [1, 2, 5] where power * factor * 2 > most { return max(power * factor / 5, 1) }
    return power * 2
  }

  private func text(_ text: String, _ x: Double, _ y: Double, _ style: String) -> String {
    "<text x=\"\(x.place)\" y=\"\(y.place)\" class=\"\(style)\">\(text)</text>"
  }

  private func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ style: String) -> String {
    "<line x1=\"\(x1.place)\" y1=\"\(y1.place)\" x2=\"\(x2.place)\" y2=\"\(y2.place)\" class=\"\(style)\"/>"
  }

  private func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ style: String) -> String {
    "<rect x=\"\(x.place)\" y=\"\(y.place)\" width=\"\(width.place)\" height=\"\(height.place)\" class=\"\(style)\"/>"
  }
}

extension Double {
  /// A coordinate, rounded to a hundredth.
  fileprivate var place: String { "\((self * 100).rounded() / 100)" }
}
