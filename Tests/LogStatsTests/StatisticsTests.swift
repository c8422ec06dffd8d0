import Testing

@testable import LogStats

@Suite("The statistics of a log")
struct StatisticsTests {
  private func statistics(_ lines: [String], window: Window = .hour, maxWindowCount: Int = 100) -> Statistics {
    let statistics = Statistics(window: window, maxWindowCount: maxWindowCount)
    for (index, text) in lines.enumerated() { statistics.add(Entry(line(text, number: index + 1))) }
    return statistics
  }

  @Test("count requests, bytes and errors, in total and by time, in any order and time zone")
  func counts() {
    let statistics = statistics([
      logLine(time: "10/Oct/2025:13:00:00 +0000", path: "/a", size: "10"),
      logLine(host: "::1", time: "10/Oct/2025:13:59:59 +0000", path: "/b?x", status: 404, size: "20"),
      logLine(time: "10/Oct/2025:14:00:00 +0000", path: "/b", status: 500, size: "-"),
      logLine(time: "10/Oct/2025:15:30:00 +0200", path: "/b", status: 304, size: "40"),
      logLine(time: "09/Oct/2025:23:00:00 +0000", path: "/c", status: 302, size: "50"),
    ])
    #expect(statistics.total == Statistics.Count(requests: 5, errors: 2, bytes: 120))
    #expect(statistics.byClass == [0, 0, 1, 2, 1, 1])
    #expect(statistics.paths.top(2) == [Tally.Entry(text: "/b", count: 3), Tally.Entry(text: "/a", count: 1)])
    #expect(
      statistics.hosts.top(9) == [Tally.Entry(text: "10.0.0.1", count: 4), Tally.Entry(text: "::1", count: 1)])
    #expect(
      statistics.windows.map { Window.hour.name(of: $0.number) }
        == ["2025-10-09 23:00", "2025-10-10 13:00", "2025-10-10 14:00"])
    #expect(
      statistics.windows.map(\.count) == [
        Statistics.Count(requests: 1, errors: 0, bytes: 50), Statistics.Count(requests: 3, errors: 1, bytes: 70),
        Statistics.Count(requests: 1, errors: 1, bytes: 0),
      ])
  }

  @Test("count malformed lines, and keep the first five without control characters")
  func malformed() {
    let statistics = statistics([logLine(), "\u{1B}[2J", logLine(), "a", "b", "c", "d", "e", ""])
    #expect(statistics.lineCount == 9)
    #expect(statistics.malformedCount == 7)
    #expect(statistics.firstMalformed.map(\.number) == [2, 4, 5, 6, 7])
    #expect(statistics.firstMalformed.map(\.text) == ["\u{FFFD}[2J", "a", "b", "c", "d"])
  }

  @Test("merge windows when there are too many")
  func wider() {
    let minutes = (0..<50).map { logLine(time: "10/Oct/2025:13:\($0.padded(2)):00 +0000") }
    let statistics = statistics(minutes, window: .minute, maxWindowCount: 20)
    #expect(statistics.windows.map { statistics.window.name(of: $0.number) } == ["2025-10-10 13:00"])
    #expect(statistics.window == .hour)
    #expect(statistics.windows.map(\.count.requests) == [50])
    let days = (1...28).map { logLine(time: "\($0.padded(2))/Feb/2025:00:00:00 +0000") }
    #expect(self.statistics(days, window: .minute, maxWindowCount: 20).windows.count == 28)
  }

  @Test("of texts discard rare ones when there are too many, and report the maximum error of a count")
  func tally() {
    var tally = Tally(maxCount: 10, maxByteCount: 1000)
    for round in 0..<100 {
      for text in ["often", "often", "now and then"] { tally.add(ArraySlice(text.utf8)) }
      tally.add(ArraySlice("once \(round)".utf8))
      #expect(tally.distinctCount <= 10)
    }
    #expect(tally.top(2) == [Tally.Entry(text: "often", count: 200), Tally.Entry(text: "now and then", count: 100)])
    #expect(tally.missed > 0)

    var short = Tally(maxCount: 10, maxByteCount: 20)
    for text in ["a", "a", "0123456789", "9876543210"] { short.add(ArraySlice(text.utf8)) }
    #expect(short.top(9) == [Tally.Entry(text: "a", count: 2)])
    #expect(short.missed == 1)
  }

  @Test("of equally frequent texts list the first by their bytes")
  func ties() {
    var tally = Tally()
    for text in ["b", "a", "c", "A", "ab"] { tally.add(ArraySlice(text.utf8)) }
    #expect(tally.top(3).map(\.text) == ["A", "a", "ab"])
    #expect(tally.missed == 0)
  }
}

@Suite("Days and times")
struct TimeTests {
  @Test("have a number and a name, which convert back to them")
  func days() {
    #expect(Day(year: 1970, month: 1, day: 1).number == 0)
    #expect(Day(year: 2000, month: 2, day: 29).number == 11_016)
    #expect(Day(year: 1969, month: 12, day: 31).number == -1)
    for number in stride(from: -800_000, through: 800_000, by: 37) { #expect(Day(number: number).number == number) }
    #expect(951_829_559.date == "2000-02-29")
    #expect(951_829_559.clock == "13:05")
    #expect((-1).date == "1969-12-31")
    #expect((-1).clock == "23:59")
  }

  @Test("belong to windows, also before 1970")
  func windows() {
    #expect(Window.hour.number(at: 7199) == 1)
    #expect(Window.hour.number(at: 7200) == 2)
    #expect(Window.hour.number(at: -1) == -1)
    #expect(Window.minute.name(of: 61) == "1970-01-01 01:01")
    #expect(Window.day.name(of: -1) == "1969-12-31")
  }
}
