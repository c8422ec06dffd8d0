import Foundation
import Testing

@testable import LogStats

@Suite("What is shown")
struct ShownTests {
  private func statistics(_ lines: [String], window: Window = .hour) -> Statistics {
    let statistics = Statistics(window: window)
    for (index, text) in lines.enumerated() { statistics.add(Entry(line(text, number: index + 1))) }
    return statistics
  }

  private var some: [String] {
    [
      logLine(time: "10/Oct/2025:13:00:00 +0000", path: "/a", size: "1000"),
      logLine(time: "10/Oct/2025:13:10:00 +0000", path: "/b", status: 404, size: "2500"),
      logLine(time: "10/Oct/2025:15:10:00 +0000", path: "/b<&>", status: 200, size: "-"), "\u{7}nonsense",
    ]
  }

  @Test("as numbers")
  func figures() {
    #expect([0, 999, 1000, -1_234_567].map(\.grouped) == ["0", "999", "1,000", "-1,234,567"])
    #expect(
      [0, 999, 1000, 999_949, 999_950, 2_000_000_000].map(\.asBytes)
        == ["0 B", "999 B", "1.0 kB", "999.9 kB", "1.0 MB", "2.0 GB"])
    #expect(1.percent(of: 3) == "33.3 %")
    #expect(1.percent(of: 0) == "")
    #expect(
      [0, 0.2, 59.5, 3599, 3725, .infinity].map(\.asDuration) == [
        "0:00", "0:01", "1:00", "59:59", "1:02:05", "277777:46:39",
      ])
    #expect("abc".leading(5) == "  abc")
    #expect(["abc", "abcdef"].map { $0.trailing(5) } == ["abc  ", "abcd…"])
  }

  @Test("as a table")
  func table() {
    #expect(
      Summary(statistics: statistics(some)).text(isColored: false) == """
        Requests                                                 3  2025-10-10 13:00 to 2025-10-10 15:59 UTC
        Bytes sent                                          3.5 kB
        Errors                                                   1    33.3 %
        Malformed                                                1    25.0 %

        Status                                            Requests
        2xx                                                      2    66.7 %
        4xx                                                      1    33.3 %

        Path                                              Requests
        /a                                                       1    33.3 %
        /b                                                       1    33.3 %
        /b<&>                                                    1    33.3 %

        Host                                              Requests
        10.0.0.1                                                 3   100.0 %

        By hour (UTC)                                     Requests    Errors
        2025-10-10 13:00                                         2         1  ▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪
        2025-10-10 15:00                                         1         0  ▪▪▪▪▪▪▪▪▪▪

        Malformed lines
        log:4: no host: \u{FFFD}nonsense

        """)
  }

  @Test("of a log without lines")
  func nothing() {
    #expect(
      Summary(statistics: statistics([])).text(isColored: true) == """
        Requests                                                 0
        Bytes sent                                             0 B
        Errors                                                   0
        Malformed                                                0

        """)
    #expect(Plot(statistics([])).svg.contains("There are no requests."))
  }

  @Test("of many windows are the busiest ones")
  func busiest() {
    let lines = (0..<40).flatMap { minute in
      (0...(minute % 13)).map { _ in logLine(time: "10/Oct/2025:13:\(minute.padded(2)):00 +0000") }
    }
    let text = Summary(statistics: statistics(lines, window: .minute)).text(isColored: false)
    let rows = text.split(separator: "\n").drop { !$0.hasPrefix("Busiest") }.map { $0.prefix(16) }
    #expect(
      rows.map(String.init) == [
        "Busiest minutes ", "2025-10-10 13:12", "2025-10-10 13:25", "2025-10-10 13:38", "2025-10-10 13:11",
        "2025-10-10 13:24", "2025-10-10 13:37", "2025-10-10 13:10", "2025-10-10 13:23", "2025-10-10 13:36",
        "2025-10-10 13:09",
      ])
  }

  @Test("as fields for programs are separated by tabs")
  func tabs() {
    #expect(
      Summary(statistics: statistics(some)).tabSeparated == """
        requests\t3
        bytes\t3500
        malformed\t1
        malformed line\t4
        status\t2xx\t2
        status\t4xx\t1
        path\t/a\t1
        path\t/b\t1
        path\t/b<&>\t1
        host\t10.0.0.1\t3
        hour\t2025-10-10 13:00\t2\t1\t3500
        hour\t2025-10-10 15:00\t1\t0\t0

        """)
  }

  @Test("as a plot is XML with a bar for each window, also empty ones, and another color for errors")
  func plot() throws {
    let svg = Plot(statistics(some)).svg
    let parser = XMLParserCheck(svg)
    #expect(parser.isWellFormed)
    #expect(svg.components(separatedBy: "class=\"good\"/>").count - 1 == 2)
    #expect(svg.components(separatedBy: "class=\"bad\"/>").count - 1 == 1)
    #expect(svg.contains("<title>2025-10-10 13:00: 2, 1 errors</title>"))
    // Three windows in 764 units, a label at each.
    for (x, clock) in [("72.0", "13:00"), ("326.67", "14:00"), ("581.33", "15:00")] {
      #expect(svg.contains("<text x=\"\(x)\" y=\"319.0\" class=\"note middle\">\(clock)</text>"))
    }
  }

  @Test("as a plot stays legible for any number of windows")
  func manyBars() {
    let lines = (0..<2000).map { index in
      logLine(
        time: "\((1 + index / 100).padded(2))/Oct/2025:\((index % 24).padded(2)):\((index % 60).padded(2)):00 +0000")
    }
    let svg = Plot(statistics(lines, window: .minute)).svg
    #expect(svg.contains("Requests per 152 minutes"))
    #expect(svg.components(separatedBy: "<g>").count - 1 <= 190)
    #expect(3...12 ~= svg.components(separatedBy: "class=\"note middle\">00:00<").count - 1)
  }

  @Test("as progress has a bar for a known size, and fits the terminal")
  func progress() {
    var snapshot = Progress.Snapshot(bytes: 500_000_000, records: 2_500_000, seconds: 2, size: 2_000_000_000)
    #expect(
      snapshot.line(columns: 100, isColored: false)
        == "━━━━━━━──────────────────────  25 %  500.0 MB of 2.0 GB  250.0 MB/s  1,250,000 records/s  0:06 left")
    #expect(snapshot.line(columns: 200, isColored: true).hasPrefix("\u{1B}[36m━━━━━━━━━━\u{1B}[2m─"))
    for columns in 0...120 { #expect(snapshot.line(columns: columns, isColored: false).count <= columns) }
    snapshot.size = nil
    #expect(snapshot.line(columns: 100, isColored: true) == "500.0 MB  250.0 MB/s  1,250,000 records/s")
    snapshot = Progress.Snapshot(bytes: 0, records: 0, seconds: 0, size: 10)
    #expect(snapshot.line(columns: 60, isColored: false).hasSuffix("  0 %  0 B of 10 B  0 B/s  0 records/s  "))
    // A file that grows while it is read.
    snapshot = Progress.Snapshot(bytes: 20, records: 0, seconds: 1, size: 10)
    #expect(snapshot.line(columns: 80, isColored: false).contains(" 100 %  20 B of 10 B  20 B/s"))
  }
}

/// Whether a text is well-formed XML, as far as opening and closing tags.
private struct XMLParserCheck {
  let isWellFormed: Bool

  init(_ text: String) {
    var open: [Substring] = []
    var isFine = true
    for tag in text.split(separator: "<").dropFirst(text.hasPrefix("<") ? 0 : 1) {
      guard let end = tag.firstIndex(of: ">") else {
        isFine = false
        continue
      }
      let content = tag[..<end]
      let name = content.prefix { $0 != " " }
      if content.hasPrefix("/") {
        isFine = isFine && open.popLast() == content.dropFirst()
      } else if !content.hasSuffix("/") {
        open.append(name)
      }
    }
    isWellFormed = isFine && open.isEmpty
  }
}
