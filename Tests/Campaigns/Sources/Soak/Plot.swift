/// The resident memory over time, as an SVG file whose colors follow the reader's light or dark mode.
struct Plot {
  let svg: String

  init(_ memory: Memory, seed: UInt64) {
    let (left, right, top, bottom) = (72.0, 780.0, 60.0, 210.0)
    let samples = memory.samples
    // From zero, because otherwise a flat line would look steep.
    let highest = ((samples.max() ?? 0) / 10 + 1).rounded(.up) * 10
    func x(_ second: Int) -> Double { left + Double(second) / Double(max(samples.count, 1)) * (right - left) }
    func y(_ megabytes: Double) -> Double { bottom - megabytes / highest * (bottom - top) }

    var elements = [
      "<text x=\"\(left)\" y=\"28\" class=\"title\">Resident memory of a server's shape</text>",
      "<text x=\"\(right)\" y=\"28\" class=\"note end\">MB, over seconds</text>",
    ]
    for line in 0...4 {
      let value = highest * Double(line) / 4
      elements.append(
        "<line x1=\"\(left)\" y1=\"\(y(value).place)\" x2=\"\(right)\" y2=\"\(y(value).place)\" class=\"grid\"/>")
      elements.append("<text x=\"64\" y=\"\((y(value) + 4).place)\" class=\"note end\">\(value.place)</text>")
    }
    for part in 0...6 {
      let second = samples.count * part / 6
      elements.append("<text x=\"\(x(second).place)\" y=\"228\" class=\"note middle\">\(second)</text>")
    }
    elements.append(
      "<line x1=\"\(x(memory.warmUp).place)\" y1=\"\(top)\" x2=\"\(x(memory.warmUp).place)\" y2=\"\(bottom)\" "
        + "class=\"limit\"/>")
    elements.append("<text x=\"\((x(memory.warmUp) + 5).place)\" y=\"74\" class=\"note\">warm</text>")
    if let (first, _) = memory.ends {
      elements.append(
        "<line x1=\"\(left)\" y1=\"\(y(first * 1.05).place)\" x2=\"\(right)\" y2=\"\(y(first * 1.05).place)\" "
          + "class=\"limit\"/>")
      elements.append(
        "<text x=\"\(right)\" y=\"\((y(first * 1.05) - 5).place)\" class=\"note end\">5 % more than at first</text>")
    }
    let points = samples.enumerated().map { second, value in "\(x(second + 1).place),\(y(value).place)" }
    elements.append("<polyline points=\"\(points.joined(separator: " "))\" class=\"Weir curve\"/>")

    svg = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 820 244" width="820" height="244" \
      font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif">
      <style>
      .back { fill: #ffffff } text { fill: #1f2328 } .grid { stroke: #d8dee4; stroke-width: 1 }
      .title { font-size: 15px; font-weight: 600 } .note { font-size: 11px; fill: #59636e }
      .end { text-anchor: end } .middle { text-anchor: middle }
      .limit { stroke: #8c959f; stroke-dasharray: 4 3 } .Weir { stroke: #0969da }
      .curve { fill: none; stroke-width: 2; stroke-linejoin: round }
      @media (prefers-color-scheme: dark) {
      .back { fill: #0d1117 } text { fill: #e6edf3 } .note { fill: #9198a1 } .grid { stroke: #2a3038 }
      .limit { stroke: #7d8590 } .Weir { stroke: #58a6ff }
      }
      </style>
      <rect class="back" width="100%" height="100%"/>
      \(elements.joined(separator: "\n"))
      </svg>

      """
  }
}

extension Double {
  /// A coordinate, rounded to a tenth.
  fileprivate var place: String {
    let tenths = (self * 10).rounded() / 10
    return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
  }
}
