import Foundation

/// The results as horizontal bars, in groups of one workload, over a logarithmic axis.
struct Plot {
  let svg: String

  init(_ outcomes: [Outcome]) {
    let bar = 9.0
    let left = 120.0
    let width = 820.0
    let top = 64.0
    let drawn = outcomes.map { outcome in
      (outcome, Contender.allCases.compactMap { contender in outcome[contender].map { (contender, $0.median) } })
    }
    let values = drawn.flatMap { $0.1.map(\.1) }
    let axis = LogarithmicAxis(values, from: left, to: width - 60)
    let height = drawn.reduce(top) { $0 + Double($1.1.count) * bar + 10 } + 44
    var drawing = Drawing(width: width, height: height)
    drawing.text("Nanoseconds for each value, delivery or subscription (less is better)", x: left, y: 22, "title")
    drawing.legend(Contender.allCases.map(\.rawValue), x: left, y: 42)
    for tick in axis.ticks {
      drawing.line(axis.position(tick), top - 6, axis.position(tick), height - 40, "grid")
      drawing.text(axisLabel(tick), x: axis.position(tick), y: height - 24, "tick middle")
    }
    drawing.text("ns, logarithmic", x: (left + width - 60) / 2, y: height - 8, "tick middle")
    var y = top
    for (outcome, bars) in drawn {
      drawing.text(outcome.name, x: left - 8, y: y + Double(bars.count) * bar / 2 + 4, "label end")
      for (contender, value) in bars {
        let end = axis.position(value)
        drawing.bar(left, y, end - left, bar - 1, contender.rawValue, "\(outcome.name), \(contender.rawValue)")
        drawing.text(value.short, x: end + 4, y: y + bar - 1.5, "value")
        y += bar
      }
      y += 10
    }
    svg = drawing.svg
  }

  /// Charts, one below the other, with lines over logarithmic axes.
  init(_ charts: [Chart]) {
    let left = 80.0
    let width = 820.0
    let panel = 250.0
    var drawing = Drawing(width: width, height: panel * Double(charts.count))
    for (index, chart) in charts.enumerated() {
      let top = panel * Double(index)
      let bottom = top + panel - 50
      let points = chart.series.flatMap(\.points)
      let x = LogarithmicAxis(points.map { Double($0.x) }, from: left, to: width - 30)
      let y = LogarithmicAxis(points.map(\.y), from: bottom, to: top + 58)
      drawing.text(chart.title, x: left, y: top + 22, "title")
      drawing.legend(chart.series.map(\.name), x: left, y: top + 42)
      for tick in x.ticks {
        drawing.line(x.position(tick), bottom, x.position(tick), top + 58, "grid")
        drawing.text(axisLabel(tick), x: x.position(tick), y: bottom + 16, "tick middle")
      }
      for tick in y.ticks {
        drawing.line(left, y.position(tick), width - 30, y.position(tick), "grid")
        drawing.text(axisLabel(tick), x: left - 6, y: y.position(tick) + 4, "tick end")
      }
      drawing.text("\(chart.xLabel) → \(chart.yLabel)", x: (left + width - 30) / 2, y: bottom + 34, "tick middle")
      for series in chart.series {
        drawing.curve(series.points.map { (x.position(Double($0.x)), y.position($0.y)) }, series.name)
      }
    }
    svg = drawing.svg
  }
}

private func axisLabel(_ value: Double) -> String {
  value < 1 ? "\(value)" : Int(value).grouped
}

/// A part of the page on which every power of ten is as long as the others.
private struct LogarithmicAxis {
  private let powers: ClosedRange<Int>
  private let start: Double
  private let end: Double

  init(_ values: [Double], from start: Double, to end: Double) {
    let logarithms = values.filter { $0 > 0 }.map { log10($0) }
    let lowest = Int((logarithms.min() ?? 0).rounded(.down))
    powers = lowest...max(lowest + 1, Int((logarithms.max() ?? 1).rounded(.up)))
    self.start = start
    self.end = end
  }

  var ticks: [Double] { powers.map { pow(10, Double($0)) } }

  func position(_ value: Double) -> Double {
    let part = (log10(value) - Double(powers.lowerBound)) / Double(powers.upperBound - powers.lowerBound)
    return start + part * (end - start)
  }
}

/// Elements of an SVG file, whose colours follow the reader's choice of light or dark.
private struct Drawing {
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

  mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ style: String) {
    elements.append(
      "<line x1=\"\(x1.place)\" y1=\"\(y1.place)\" x2=\"\(x2.place)\" y2=\"\(y2.place)\" class=\"\(style)\"/>")
  }

  mutating func bar(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ fill: String, _ title: String) {
    elements.append(
      "<rect x=\"\(x.place)\" y=\"\(y.place)\" width=\"\(max(width, 1).place)\" height=\"\(height.place)\" "
        + "class=\"\(fill)\"><title>\(title.escaped)</title></rect>")
  }

  mutating func curve(_ points: [(x: Double, y: Double)], _ stroke: String) {
    let path = points.map { "\($0.x.place),\($0.y.place)" }.joined(separator: " ")
    elements.append("<polyline points=\"\(path)\" class=\"\(stroke) curve\"/>")
    for point in points {
      elements.append("<circle cx=\"\(point.x.place)\" cy=\"\(point.y.place)\" r=\"3\" class=\"\(stroke)\"/>")
    }
  }

  mutating func legend(_ names: [String], x: Double, y: Double) {
    var x = x
    for name in names {
      bar(x, y - 9, 10, 10, name, name)
      text(name, x: x + 15, y: y, "label")
      x += 40 + Double(name.count) * 7
    }
  }

  var svg: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width.place) \(height.place)" font-family="sans-serif">
    <style>
    .back { fill: #ffffff } text { fill: #1f2328 } .grid { stroke: #d0d7de; stroke-width: 1 }
    .title { font-size: 14px; font-weight: bold } .label { font-size: 12px } .tick { font-size: 11px }
    .value { font-size: 9px } .end { text-anchor: end } .middle { text-anchor: middle }
    .limit { fill: #8c959f; stroke: #8c959f } .Weir { fill: #0969da; stroke: #0969da }
    .OpenCombine { fill: #bc4c00; stroke: #bc4c00 } .AsyncAlgorithms { fill: #1a7f37; stroke: #1a7f37 }
    rect { stroke-width: 0 } .curve { fill: none; stroke-width: 2 }
    @media (prefers-color-scheme: dark) {
    .back { fill: #0d1117 } text { fill: #e6edf3 } .grid { stroke: #30363d }
    .limit { fill: #8b949e; stroke: #8b949e } .Weir { fill: #58a6ff; stroke: #58a6ff }
    .OpenCombine { fill: #f0883e; stroke: #f0883e } .AsyncAlgorithms { fill: #56d364; stroke: #56d364 }
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
    replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
  }
}
