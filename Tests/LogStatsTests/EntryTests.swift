import Testing

@testable import LogStats

@Suite("An entry of a log")
struct EntryTests {
  /// A line and its expected contents.
  struct Row: CustomTestStringConvertible {
    let line: String
    var host = "10.0.0.1"
    var time = 1_760_104_536
    var path = "/a"
    var status = 200
    var size = 2326

    var testDescription: String { line }
  }

  @Test(
    "is read in all its forms",
    arguments: [
      Row(line: "10.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 2326"),
      Row(line: "10.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 2326 \"-\" \"curl/8\""),
      Row(line: "10.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 2326 \"-\" \"curl/8\" 0.004 \"x\""),
      Row(line: "10.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 2326 \"\" \"\""),
      // Hosts.
      Row(
        line: "2001:db8::7 - - [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 2326",
        host: "2001:db8::7"),
      Row(
        line: "shop.example - - [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 2326",
        host: "shop.example"),
      // Users.
      Row(line: "10.0.0.1 id jane doe [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 2326"),
      Row(line: "10.0.0.1 - a [b] [1 [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 2326"),
      Row(line: "10.0.0.1 - \"\" [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 2326"),
      // Sizes.
      Row(line: "10.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 304 -", status: 304, size: 0),
      Row(
        line: "10.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 5000000000 \"-\" \"-\"",
        size: 5_000_000_000),
      // Requests.
      Row(line: "10.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"GET /a?b=c&d=/e?f HTTP/1.1\" 200 2326"),
      Row(line: "10.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"GET /a\" 200 2326"),
      Row(
        line: "10.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"GET /\\\"a\\\\\\\" HTTP/1.1\" 200 2326",
        path: "/\\\"a\\\\\\\""),
      Row(
        line: "10.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"\\x16\\x03\\x01\" 400 226", path: "\\x16\\x03\\x01",
        status: 400, size: 226),
      Row(line: "10.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"-\" 408 -", path: "-", status: 408, size: 0),
      Row(line: "10.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"\" 400 0", path: "", status: 400, size: 0),
      Row(line: "10.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"GET /日本 HTTP/1.1\" 200 2326", path: "/日本"),
      // Agents.
      Row(line: "10.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 2326 \"-\" \"a \\\"b\\\" \\\\\""),
      // Time zones.
      Row(line: "10.0.0.1 - - [10/Oct/2025:15:55:36 +0200] \"GET /a HTTP/1.1\" 200 2326"),
      Row(line: "10.0.0.1 - - [10/Oct/2025:04:25:36 -0930] \"GET /a HTTP/1.1\" 200 2326"),
      Row(line: "10.0.0.1 - - [11/Oct/2025:03:55:36 +1400] \"GET /a HTTP/1.1\" 200 2326"),
      // Times.
      Row(
        line: "10.0.0.1 - - [29/Feb/2024:23:59:60 +0000] \"GET /a HTTP/1.1\" 200 2326",
        time: 1_709_251_200),
      Row(line: "10.0.0.1 - - [01/Jan/1970:00:00:00 +0000] \"GET /a HTTP/1.1\" 200 2326", time: 0),
    ])
  func read(row: Row) throws {
    let request = try #require(entry(row.line).request, "\(String(describing: entry(row.line).fault))")
    #expect(request.text(request.host) == row.host)
    #expect(request.time == row.time)
    #expect(request.text(request.path) == row.path)
    #expect(request.status == row.status)
    #expect(request.size == row.size)
  }

  @Test(
    "is malformed for a reason",
    arguments: [
      ("", .hasNoHost),
      (" - - [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 1", .hasNoHost),
      ("host", .hasNoHost),
      ("Segmentation fault (core dumped)", .hasNoTime),
      ("10.0.0.1 - - \"GET /a HTTP/1.1\" 200 1", .hasNoTime),
      ("10.0.0.1 [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 1", .hasNoTime),
      ("10.0.0.1 - [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 1", .hasNoTime),
      ("10.0.0.1 - - [10/Okt/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 1", .hasNoTime),
      ("10.0.0.1 - - [00/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 1", .hasNoTime),
      ("10.0.0.1 - - [10/Oct/2025:24:55:36 +0000] \"GET /a HTTP/1.1\" 200 1", .hasNoTime),
      ("10.0.0.1 - - [10/Oct/2025:13:60:36 +0000] \"GET /a HTTP/1.1\" 200 1", .hasNoTime),
      ("10.0.0.1 - - [10/Oct/2025:13:55:36 0000] \"GET /a HTTP/1.1\" 200 1", .hasNoTime),
      ("10.0.0.1 - - [10/Oct/2025:13:55:3", .hasNoTime),
      ("10.0.0.1 - - [10/Oct/2025:13:55:36 +0000", .hasNoRequest),
      ("10.0.0.1 - - [10/Oct/2025:13:55:36 +0000] GET /a 200 1", .hasNoRequest),
      ("10.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1 200 1", .hasNoRequest),
      ("10.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\\\" 200 1", .hasNoRequest),
      ("10.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\"", .hasNoStatus),
      ("10.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 20", .hasNoStatus),
      ("10.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 600 1", .hasNoStatus),
      ("10.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 2x0 1", .hasNoStatus),
      ("10.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 200", .hasNoSize),
      ("10.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 ", .hasNoSize),
      ("10.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 2000 1", .hasNoSize),
      ("10.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 -1", .hasNoSize),
      ("10.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 1234567890123456789", .hasNoSize),
      ("10.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 1 \"-", .hasOpenEnd),
      ("10.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 1 \"-\"", .hasOpenEnd),
      ("10.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 1 \"-\" \"curl", .hasOpenEnd),
      ("10.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 1 \"-\" \"curl\"x", .hasOpenEnd),
    ] as [(String, Entry.Fault)])
  func malformed(text: String, fault: Entry.Fault) {
    #expect(entry(text).fault == fault)
  }

  @Test("is malformed or parsed without a trap, wherever it is cut")
  func cut() {
    let whole = "2001:db8::7 - a [b] [10/Oct/2025:13:55:36 +0000] \"GET /\\\" HTTP/1.1\" 200 17 \"-\" \"a \\\"b\\\"\""
    let readable = (0...whole.utf8.count).filter { entry(String(whole.prefix($0))).request != nil }
    let status = whole.utf8.count - " \"-\" \"a \\\"b\\\"\"".utf8.count
    #expect(readable == [status - 1, status, whole.utf8.count])
  }

  @Test("is malformed if it exceeds the maximum length")
  func tooLong() {
    let text = logLine()
    let line = Line(chunk(text), 0..<text.utf8.count, number: 1, longest: text.utf8.count - 1)
    #expect(Entry(line).fault == .isTooLong)
  }
}
