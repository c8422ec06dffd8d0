/// The results, for people or for programs.
struct Summary {
  let statistics: Statistics
  let topCount = 10

  /// Tables of aligned columns.
  func text(isColored: Bool) -> String {
    let total = statistics.total
    let windows = statistics.windows
    var text = Text(isColored: isColored)
    text.row("Requests", total.requests.grouped, statistics.window.span(of: windows.map(\.number)))
    text.row("Bytes sent", total.bytes.asBytes, "")
    text.row("Errors", total.errors.grouped, total.errors.percent(of: total.requests))
    text.row(
      "Malformed", statistics.malformedCount.grouped, statistics.malformedCount.percent(of: statistics.lineCount))

    if total.requests > 0 {
      text.heading("Status", "Requests")
      for (index, count) in statistics.byClass.enumerated() where count > 0 {
        text.row("\(index)xx", count.grouped, count.percent(of: total.requests))
      }
    }
    top("Path", statistics.paths, &text)
    top("Host", statistics.hosts, &text)
    add(windows, &text)

    if !statistics.firstMalformed.isEmpty {
      text.heading("Malformed lines", "")
      for line in statistics.firstMalformed {
        text.line("\(line.name):\(line.number): \(line.fault.rawValue): \(line.text)")
      }
      let more = statistics.malformedCount - statistics.firstMalformed.count
      if more > 0 { text.line("and \(more.grouped) more") }
    }
    return text.content
  }

  private func top(_ name: String, _ tally: Tally, _ text: inout Text) {
    let entries = tally.top(topCount)
    if entries.isEmpty { return }
    text.heading(name, "Requests")
    for entry in entries {
      text.row(entry.text.withoutControls, entry.count.grouped, entry.count.percent(of: statistics.total.requests))
    }
    if tally.missed > 0 {
      text.line("There are too many for exact counts: a count may be \(tally.missed.grouped) too low.")
    }
  }

  /// Adds all windows, or the busiest if there are many.
  private func add(_ windows: [(number: Int, count: Statistics.Count)], _ text: inout Text) {
    guard let most = windows.map(\.count.requests).max() else { return }
    let isAll = windows.count <= 31
    let shown =
      isAll
      ? windows
      : Array(windows.sorted { ($1.count.requests, $0.number) < ($0.count.requests, $1.number) }.prefix(topCount))
    let name = statistics.window.rawValue
    text.heading(
      isAll ? "By \(name) (UTC)" : "Busiest \(name)s of \(windows.count.grouped) (UTC)", "Requests", "Errors")
    for (number, count) in shown {
      let bar = String(repeating: "▪", count: count.requests * 20 / most)
      text.row(
        statistics.window.name(of: number), count.requests.grouped, count.errors.grouped,
        bar.isEmpty ? "" : "  \(bar)")
    }
  }

  /// One value in each line, with tabs between names and numbers.
  var tabSeparated: String {
    let total = statistics.total
    var lines = ["requests\t\(total.requests)", "bytes\t\(total.bytes)", "malformed\t\(statistics.malformedCount)"]
    lines += statistics.firstMalformed.map { "malformed line\t\($0.number)" }
    lines += statistics.byClass.enumerated().filter { $1 > 0 }.map { "status\t\($0)xx\t\($1)" }
    lines += statistics.paths.top(topCount).map { "path\t\($0.text)\t\($0.count)" }
    lines += statistics.hosts.top(topCount).map { "host\t\($0.text)\t\($0.count)" }
    // Windows first, because they may be longer than requested.
    let windows = statistics.windows
    lines += windows.map {
      let name = statistics.window.name(of: $0.number)
      return "\(statistics.window.rawValue)\t\(name)\t\($0.count.requests)\t\($0.count.errors)\t\($0.count.bytes)"
    }
    return lines.map { $0 + "\n" }.joined()
  }
}

extension Window {
  fileprivate func span(of numbers: [Int]) -> String {
    guard let first = numbers.first, let last = numbers.last else { return "" }
    let end = (last + 1) * seconds - 60
    return "  \((first * seconds).date) \((first * seconds).clock) to \(end.date) \(end.clock) UTC"
  }
}

/// The lines of a table: a name, and numbers to its right.
private struct Text {
  private(set) var content = ""
  let isColored: Bool

  init(isColored: Bool) {
    self.isColored = isColored
  }

  mutating func heading(_ name: String, _ figures: String...) {
    let text = cells(name, figures)
    content += isColored ? "\n\u{1B}[1m\(text)\u{1B}[0m\n" : "\n\(text)\n"
  }

  mutating func row(_ name: String, _ figures: String...) {
    content += cells(name, figures) + "\n"
  }

  mutating func line(_ text: String) {
    content += text + "\n"
  }

  private func cells(_ name: String, _ figures: [String]) -> String {
    let widths = [14, 10]
    let cells = figures.enumerated().map { $0 < widths.count ? $1.leading(widths[$0]) : $1 }
    let text = name.trailing(44) + cells.joined()
    return String(text.reversed().drop { $0 == " " }.reversed())
  }
}
