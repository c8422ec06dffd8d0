/// The contents of a line of an access log.
enum Entry {
  case request(Request)
  case malformed(Line, Fault)

  /// The reason why a line isn't one of an access log.
  enum Fault: String, Error {
    case isTooLong = "too long"
    case hasNoHost = "no host"
    case hasNoTime = "no time"
    case hasNoRequest = "no request in quotes"
    case hasNoStatus = "no status"
    case hasNoSize = "no size"
    case hasOpenEnd = "no end"
  }
}

/// A request, in the common or the combined format.
///
///     host identity user [10/Oct/2025:13:55:36 +0200] "GET /path HTTP/1.1" 200 2326
///     host identity user [10/Oct/2025:13:55:36 +0200] "GET /path HTTP/1.1" 200 2326 "referer" "agent"
///
/// Texts are ranges of the line's chunk, so that no bytes are copied.
struct Request {
  let line: Line

  /// Seconds since 1970, in UTC.
  let time: Int

  let host: Range<Int>

  /// The requested path, without the query; all of an invalid HTTP request.
  let path: Range<Int>

  let status: Int

  /// The number of bytes that were sent.
  let size: Int

  var isError: Bool { status >= 400 }
}

extension Entry {
  init(_ line: Line) {
    do {
      self = .request(try Request(line))
    } catch {
      self = .malformed(line, error)
    }
  }
}

extension Request {
  init(_ line: Line) throws(Entry.Fault) {
    if line.isClipped { throw .isTooLong }
    let array = line.chunk.bytes
    let bytes = array.span
    let end = line.range.upperBound

    guard let space = bytes.firstIndex(of: .space, in: line.range), space > line.range.lowerBound else {
      throw .hasNoHost
    }
    self.line = line
    host = line.range.lowerBound..<space

    // User names may contain spaces and brackets, so the first bracket may not be the right one.
    var bracket = space
    var found: Int?
    repeat {
      guard let next = bytes.firstIndex(of: UInt8(ascii: "["), in: (bracket + 1)..<end) else { throw .hasNoTime }
      bracket = next
      found = bytes[next - 1] == .space ? bytes.time(at: next + 1, before: end) : nil
    } while found == nil
    guard let found, bytes.firstIndex(of: .space, in: (space + 1)..<max(space + 1, bracket - 1)) != nil else {
      throw .hasNoTime
    }
    time = found

    var position = bracket + 1 + timeLength
    guard bytes.take("] \"", at: &position, before: end) else { throw .hasNoRequest }
    guard let quote = bytes.endOfQuoted(from: position, before: end) else { throw .hasNoRequest }
    path = bytes.path(inRequest: position..<quote)

    position = quote + 1
    guard bytes.take(" ", at: &position, before: end), position + 3 <= end,
      let status = bytes.number(in: position..<(position + 3)), 100..<600 ~= status
    else { throw .hasNoStatus }
    self.status = status

    position += 3
    guard bytes.take(" ", at: &position, before: end) else { throw .hasNoSize }
    let endOfSize = bytes.firstIndex(of: .space, in: position..<end) ?? end
    if endOfSize == position + 1, bytes[position] == UInt8(ascii: "-") {
      size = 0
    } else if let number = bytes.number(in: position..<endOfSize) {
      size = number
    } else {
      throw .hasNoSize
    }

    // The referer and the agent, both or none. Some servers append more text, which is ignored.
    position = endOfSize
    if position == end { return }
    guard bytes.take(" \"", at: &position, before: end),
      let referer = bytes.endOfQuoted(from: position, before: end)
    else { throw .hasOpenEnd }
    position = referer + 1
    guard bytes.take(" \"", at: &position, before: end),
      let agent = bytes.endOfQuoted(from: position, before: end),
      agent + 1 == end || bytes[agent + 1] == .space
    else { throw .hasOpenEnd }
  }
}

/// The length of `10/Oct/2025:13:55:36 +0200`.
private let timeLength = 26

extension UInt8 {
  fileprivate static var space: UInt8 { UInt8(ascii: " ") }
}

extension Span<UInt8> {
  fileprivate func take(_ text: StaticString, at position: inout Int, before end: Int) -> Bool {
    guard position + text.utf8CodeUnitCount <= end else { return false }
    for offset in 0..<text.utf8CodeUnitCount where self[position + offset] != text.utf8Start[offset] { return false }
    position += text.utf8CodeUnitCount
    return true
  }

  /// The position of the quotation mark that no backslash escapes.
  fileprivate func endOfQuoted(from start: Int, before end: Int) -> Int? {
    var from = start
    while let quote = firstIndex(of: UInt8(ascii: "\""), in: from..<end) {
      var escape = quote
      while escape > start, self[escape - 1] == UInt8(ascii: "\\") { escape -= 1 }
      if (quote - escape).isMultiple(of: 2) { return quote }
      from = quote + 1
    }
    return nil
  }

  fileprivate func path(inRequest request: Range<Int>) -> Range<Int> {
    guard let method = firstIndex(of: .space, in: request) else { return request }
    let rest = (method + 1)..<request.upperBound
    let target = rest.lowerBound..<(firstIndex(of: .space, in: rest) ?? rest.upperBound)
    return target.lowerBound..<(firstIndex(of: UInt8(ascii: "?"), in: target) ?? target.upperBound)
  }

  /// The number of the digits: at least one, and not too many.
  fileprivate func number(in range: Range<Int>) -> Int? {
    guard 1...18 ~= range.count else { return nil }
    var number = 0
    for index in range {
      let digit = Int(self[index]) - Int(UInt8(ascii: "0"))
      guard 0...9 ~= digit else { return nil }
      number = number * 10 + digit
    }
    return number
  }

  /// The seconds since 1970 of a time such as `10/Oct/2025:13:55:36 +0200`.
  fileprivate func time(at start: Int, before end: Int) -> Int? {
    guard start + timeLength <= end else { return nil }
    func number(_ offset: Int, _ count: Int) -> Int? {
      self.number(in: (start + offset)..<(start + offset + count))
    }
    func isAt(_ offset: Int, _ character: Unicode.Scalar) -> Bool { self[start + offset] == UInt8(ascii: character) }
    guard isAt(2, "/"), isAt(6, "/"), isAt(11, ":"), isAt(14, ":"), isAt(17, ":"), isAt(20, " "),
      isAt(21, "+") || isAt(21, "-"),
      let day = number(0, 2), let month = month(at: start + 3), let year = number(7, 4),
      let hour = number(12, 2), let minute = number(15, 2), let second = number(18, 2),
      let zoneHours = number(22, 2), let zoneMinutes = number(24, 2),
      1...31 ~= day, hour < 24, minute < 60, second <= 60
    else { return nil }
    let zone = (zoneHours * 60 + zoneMinutes) * (isAt(21, "-") ? -60 : 60)
    let days = Day(year: year, month: month, day: day).number
    return days * 86_400 + hour * 3600 + minute * 60 + second - zone
  }

  /// The number from 1 to 12 of a month such as `Oct`.
  private func month(at start: Int) -> Int? {
    let letters = Int(self[start]) << 16 | Int(self[start + 1]) << 8 | Int(self[start + 2])
    return switch letters {
    case 0x4A616E: 1
    case 0x466562: 2
    case 0x4D6172: 3
    case 0x417072: 4
    case 0x4D6179: 5
    case 0x4A756E: 6
    case 0x4A756C: 7
    case 0x417567: 8
    case 0x536570: 9
    case 0x4F6374: 10
    case 0x4E6F76: 11
    case 0x446563: 12
    default: nil
    }
  }
}
