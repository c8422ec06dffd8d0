import Foundation

/// A part of the page on which every power of ten is as long as the others.
struct LogarithmicAxis {
  let ticks: [Double]

  private let values: ClosedRange<Double>
  private let start: Double
  private let end: Double

  /// Ends at a tick on both sides, which are at such multiples of each power of ten; or where the values do.
  init(_ values: [Double], from start: Double, to end: Double, steps: [Double] = []) {
    let values = values.filter { $0 > 0 }
    let lowest = values.min() ?? 1
    let highest = max(values.max() ?? 10, lowest * 1.01)
    let all = (-3...12).flatMap { power in steps.map { $0 * pow(10, Double(power)) } }
    let ends = (all.last { $0 <= lowest } ?? lowest)...(all.first { $0 >= highest } ?? highest)
    self.values = ends
    ticks = all.filter { ends.contains($0) }
    self.start = start
    self.end = end
  }

  func position(_ value: Double) -> Double {
    start + log(value / values.lowerBound) / log(values.upperBound / values.lowerBound) * (end - start)
  }
}

/// A part of the page on which lengths are to each other as the values are.
struct LinearAxis {
  let ticks: [Double]

  private let start: Double
  private let scale: Double

  /// Begins at zero, and has up to eight ticks at round values.
  init(upTo highest: Double, from start: Double, to end: Double) {
    let steps = (-3...12).flatMap { power in [1, 2, 5].map { $0 * pow(10, Double(power)) } }
    let step = steps.first { highest / $0 <= 8 } ?? highest
    let last = (highest / step).rounded(.up)
    ticks = (0...Int(last)).map { Double($0) * step }
    self.start = start
    scale = (end - start) / (last * step)
  }

  func position(_ value: Double) -> Double { start + value * scale }
}

/// Elements of an SVG file, whose colours follow the reader's choice of light or dark.
struct Drawing {
  private let width: Double
  private let height: Double
  private var elements: [String] = []

  init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  mutating func text(_ text: String, x: Double, y: Double, _ style: String) {
    elements.append("<text x=\"\(x.place)\" y=\"\(y.place)\" class=\"\(style)\">\(text.escaped)</text>")
  }

  /// A name that stands out, and what it is the name of.
  mutating func heading(_ name: String, _ text: String, x: Double, y: Double) {
    elements.append(
      "<text x=\"\(x.place)\" y=\"\(y.place)\" class=\"label\"><tspan class=\"name\">\(name.escaped)</tspan>"
        + "<tspan dx=\"8\">\(text.escaped)</tspan></text>")
  }

  mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ style: String) {
    elements.append(
      "<line x1=\"\(x1.place)\" y1=\"\(y1.place)\" x2=\"\(x2.place)\" y2=\"\(y2.place)\" class=\"\(style)\"/>")
  }

  mutating func bar(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ fill: String, _ title: String) {
    elements.append(
      "<rect x=\"\(x.place)\" y=\"\(y.place)\" width=\"\(width.place)\" height=\"\(height.place)\" "
        + "class=\"\(fill)\"><title>\(title.escaped)</title></rect>")
  }

  mutating func curve(_ points: [(x: Double, y: Double)], _ stroke: String) {
    let path = points.map { "\($0.x.place),\($0.y.place)" }.joined(separator: " ")
    elements.append("<polyline points=\"\(path)\" class=\"\(stroke) curve\"/>")
    for point in points {
      elements.append("<circle cx=\"\(point.x.place)\" cy=\"\(point.y.place)\" r=\"3.5\" class=\"\(stroke)\"/>")
    }
  }

  /// Colours, with what they stand for.
  mutating func legend(_ names: KeyValuePairs<String, String>, x: Double, y: Double) {
    // One text, so that the reader's own font says where each ends.
    let entries = names.map { style, name in
      "<tspan class=\"\(style)\">■</tspan><tspan dx=\"6\">\(name.escaped)</tspan>"
    }
    elements.append(
      "<text x=\"\(x.place)\" y=\"\(y.place)\" class=\"label\">\(entries.joined(separator: "<tspan dx=\"20\"> </tspan>"))</text>"
    )
  }

  var svg: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width.place) \(height.place)" \
    width="\(width.place)" height="\(height.place)" \
    font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif">
    <style>
    .back { fill: #ffffff } text { fill: #1f2328 } .grid { stroke: #d8dee4; stroke-width: 1 }
    .title { font-size: 15px; font-weight: 600 } .label { font-size: 12px } .name { font-weight: 600 }
    .note { font-size: 11px; fill: #59636e } .value { font-size: 10px }
    .end { text-anchor: end } .middle { text-anchor: middle }
    .value.middle { paint-order: stroke; stroke: #ffffff; stroke-width: 3px }
    .limit { fill: #8c959f; stroke: #8c959f } .Weir { fill: #0969da; stroke: #0969da }
    .OpenCombine { fill: #d4740b; stroke: #d4740b } .AsyncAlgorithms { fill: #2b8a4b; stroke: #2b8a4b }
    .lazy { fill: #8250df; stroke: #8250df } .Java { fill: #bf3989; stroke: #bf3989 }
    rect { stroke-width: 0 } .curve { fill: none; stroke-width: 2; stroke-linejoin: round }
    @media (prefers-color-scheme: dark) {
    .back { fill: #0d1117 } text { fill: #e6edf3 } .note { fill: #9198a1 } .grid { stroke: #2a3038 }
    .value.middle { stroke: #0d1117 }
    .limit { fill: #7d8590; stroke: #7d8590 } .Weir { fill: #58a6ff; stroke: #58a6ff }
    .OpenCombine { fill: #f0883e; stroke: #f0883e } .AsyncAlgorithms { fill: #56d364; stroke: #56d364 }
    .lazy { fill: #bc8cff; stroke: #bc8cff } .Java { fill: #f778ba; stroke: #f778ba }
    .curve { fill: none }
    }
    </style>
    <rect class="back" width="100%" height="100%"/>
    \(elements.joined(separator: "\n"))
    </svg>

    """
  }
}

extension Double {
  /// A coordinate: a tenth of a unit is fine enough.
  fileprivate var place: String { "\((self * 10).rounded() / 10)" }
}

extension String {
  fileprivate var escaped: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;")
  }
}
