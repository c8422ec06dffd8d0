/// What was measured, as an SVG file.
struct Plot {
  let svg: String

  private static let width = 820.0

  /// Horizontal bars in groups of one workload, whose number and title stand above them.
  init(_ outcomes: [Outcome]) {
    let bar = 11.0
    let heading = 18.0
    let gap = 14.0
    let (left, right) = (24.0, Plot.width - 64)
    let top = 92.0
    let groups = outcomes.map { outcome in
      (outcome, Contender.allCases.compactMap { contender in outcome[contender].map { (contender, $0.median) } })
    }
    let bottom = groups.reduce(top) { $0 + heading + Double($1.1.count) * bar + gap }
    let axis = LogarithmicAxis(groups.flatMap { $0.1.map(\.1) }, from: left, to: right, steps: [1])
    let names: KeyValuePairs = [
      "limit": "limit: the work by hand", "Weir": "Weir", "OpenCombine": "OpenCombine",
      "AsyncAlgorithms": "AsyncAlgorithms",
    ]

    var drawing = Drawing(width: Plot.width, height: bottom + 34)
    drawing.text("Time for each value, delivery or subscription", x: left, y: 26, "title")
    drawing.text("nanoseconds, logarithmic; less is better", x: right, y: 26, "note end")
    drawing.legend(names, x: left, y: 50)
    for tick in axis.ticks {
      let x = axis.position(tick)
      drawing.line(x, top - 8, x, bottom, "grid")
      drawing.text(tick.short, x: x, y: top - 14, "note middle")
      drawing.text(tick.short, x: x, y: bottom + 16, "note middle")
    }
    var y = top
    for (outcome, bars) in groups {
      drawing.heading(outcome.name, outcome.title, x: left, y: y + 12)
      y += heading
      for (contender, value) in bars {
        let end = max(axis.position(value), left + 1)
        drawing.bar(left, y, end - left, bar - 1, contender.rawValue, "\(outcome.name), \(contender.rawValue)")
        drawing.text(value.short, x: end + 5, y: y + bar - 2, "value")
        y += bar
      }
      y += gap
    }
    svg = drawing.svg
  }

  /// What a game of Scrabble took: a panel for the time, and one for the instructions if they have been counted.
  init(_ rows: [ScrabbleRow]) {
    let panels: [(title: String, note: String, value: (ScrabbleRow) -> Double?)] = [
      ("Shakespeare plays Scrabble: time", "as a multiple of the loops'; less is better", { $0.toLoops }),
      ("Instructions", "for each word; less is better", { $0.instructions }),
    ]
    let drawn = panels.filter { panel in rows.contains { panel.value($0) != nil } }
    let bar = 22.0
    let (left, right) = (24.0, Plot.width - 64)
    let start = left + 116
    var drawing = Drawing(
      width: Plot.width,
      height: drawn.reduce(0) { sum, panel in sum + 92 + bar * Double(rows.count { panel.value($0) != nil }) })
    var y = 0.0
    for panel in drawn {
      let bars = rows.compactMap { row in panel.value(row).map { (row, $0) } }
      let axis = LinearAxis(upTo: bars.map(\.1).max() ?? 1, from: start, to: right)
      let top = y + 54
      let bottom = top + bar * Double(bars.count) + 6
      drawing.text(panel.title, x: left, y: y + 26, "title")
      drawing.text(panel.note, x: right, y: y + 26, "note end")
      for tick in axis.ticks {
        drawing.line(axis.position(tick), top - 4, axis.position(tick), bottom, "grid")
        drawing.text(tick.short, x: axis.position(tick), y: bottom + 16, "note middle")
      }
      for (index, (row, value)) in bars.enumerated() {
        let place = top + bar * Double(index)
        let end = max(axis.position(value), start + 1)
        drawing.text(row.name, x: start - 8, y: place + 15, "label end")
        drawing.bar(start, place + 3, end - start, bar - 6, row.contender.rawValue, row.name)
        drawing.text(value.short, x: end + 5, y: place + 15, "value")
      }
      y = bottom + 32
    }
    svg = drawing.svg
  }

  /// Charts, one below the other, with lines over logarithmic axes.
  init(_ charts: [Chart]) {
    let panel = 280.0
    let (left, right) = (72.0, Plot.width - 40)
    var drawing = Drawing(width: Plot.width, height: panel * Double(charts.count))
    for (index, chart) in charts.enumerated() {
      let top = panel * Double(index) + 84
      let bottom = top + 150
      // What has no colour is in the table only.
      let lines = chart.series.filter { series in chart.legend.contains { $0.key == series.name } }
      let points = lines.flatMap(\.points)
      let sizes = Set(points.map(\.x)).sorted()
      let x = LogarithmicAxis(sizes.map(Double.init), from: left + 24, to: right - 24)
      let y = LogarithmicAxis(points.map(\.y), from: bottom - 18, to: top, steps: [1, 2, 5])
      drawing.text(chart.title, x: left, y: top - 56, "title")
      drawing.text("\(chart.yLabel), logarithmic", x: right, y: top - 56, "note end")
      drawing.legend(chart.legend, x: left, y: top - 32)
      for tick in y.ticks {
        drawing.line(left, y.position(tick), right, y.position(tick), "grid")
        drawing.text(tick.short, x: left - 8, y: y.position(tick) + 4, "note end")
      }
      drawing.line(left, bottom, right, bottom, "grid")
      for size in sizes {
        let place = x.position(Double(size))
        drawing.line(place, bottom, place, bottom + 4, "grid")
        drawing.text(size.grouped, x: place, y: bottom + 18, "note middle")
      }
      drawing.text(chart.xLabel, x: (left + right) / 2, y: bottom + 36, "note middle")
      for series in lines {
        drawing.curve(series.points.map { (x.position(Double($0.x)), y.position($0.y)) }, series.name)
      }
      for size in sizes {
        // The lowest value stands below its point, the others above theirs, so that lines that are close stay legible.
        let values = lines.compactMap { series in series.points.first { $0.x == size }?.y }.sorted()
        for (rank, value) in values.enumerated() {
          let isBelow = rank == 0 && values.count > 1
          drawing.text(
            value.short, x: x.position(Double(size)), y: y.position(value) + (isBelow ? 16 : -8), "value middle")
        }
      }
    }
    svg = drawing.svg
  }
}

extension Chart {
  fileprivate var legend: KeyValuePairs<String, String> {
    series.contains { $0.name == "limit" }
      ? ["limit": "limit: the work by hand", "Weir": "Weir", "OpenCombine": "OpenCombine"]
      : ["Weir": "Weir", "OpenCombine": "OpenCombine"]
  }
}
