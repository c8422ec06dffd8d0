import Weir

extension Publisher where Output == Chunk {
  /// Cuts the chunks of files into lines.
  ///
  /// At most `longest` bytes of a line are kept.
  ///
  /// - Demand: requests a chunk at the subscription, and another when the last line of the previous one has been taken
  ///   out. With finite demand, a line is taken out ahead, and buffered for the next request.
  /// - Completion and cancellation: the text after the last line break of a file is a line too, unless it is empty.
  /// - Threading: runs where chunks arrive, or where demand is requested.
  func lines(longest: Int = 1 << 20) -> some Publisher<Line, Failure> {
    scan(Cut(longest: longest)) { $0.next($1) }
      // Erased, so that there is one call for each chunk. The rest is compiled as one loop, which forwards
      // lines without calls.
      .eraseToAnyPublisher()
      .flatMap(maxPublishers: .max(1)) { Publishers.Sequence<Cut.Lines, Failure>(sequence: $0.lines) }
  }
}

/// A line without its line break: a range of its chunk.
struct Line {
  let chunk: Chunk
  let range: Range<Int>

  /// The number of the line, from 1.
  let number: Int

  /// The line exceeds the maximum length.
  let isClipped: Bool

  init(_ chunk: Chunk, _ range: Range<Int>, number: Int, longest: Int) {
    let hasReturn = !range.isEmpty && chunk.bytes[range.upperBound - 1] == UInt8(ascii: "\r")
    let whole = hasReturn ? range.dropLast() : range
    self.chunk = chunk
    self.range = whole.prefix(longest)
    self.number = number
    isClipped = whole.count > longest
  }

  var text: String { String(decoding: chunk.bytes[range], as: UTF8.self) }
}

/// The cuts of a chunk: the lines that end in it, and the beginning of the next line.
struct Cut {
  /// The line that began in earlier chunks, and all lines in this one.
  private(set) var lines = Lines()

  /// The bytes after the last line break.
  ///
  /// One byte more than the maximum is sufficient to detect that a line is too long.
  private(set) var rest: [UInt8] = []

  private var nextNumber = 1
  private let longest: Int

  init(longest: Int) {
    self.longest = longest
  }

  /// The cut of the next chunk.
  func next(_ chunk: Chunk) -> Cut {
    var next = self
    next.lines = Lines(chunk: chunk, longest: longest)
    next.cut(chunk)
    return next
  }

  private mutating func cut(_ chunk: Chunk) {
    let bytes = chunk.bytes
    if bytes.isEmpty {
      if !rest.isEmpty { endRest(as: chunk) }
      nextNumber = 1
      return
    }
    guard let first = bytes.span.firstIndex(of: newline, in: 0..<bytes.count),
      let last = bytes.lastIndex(of: newline)
    else { return keep(bytes[...]) }
    var start = 0
    if !rest.isEmpty {
      keep(bytes[..<first])
      endRest(as: chunk)
      start = first + 1
    }
    lines.whole = start..<(last + 1)
    lines.number = nextNumber
    nextNumber += bytes.span.count(of: newline, in: lines.whole)
    keep(bytes[(last + 1)...])
  }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    rest += bytes.prefix(longest + 1 - rest.count)
  }

  private mutating func endRest(as chunk: Chunk) {
    let joined = Chunk(name: chunk.name, offset: chunk.offset, bytes: rest)
    lines.head = Line(joined, 0..<rest.count, number: nextNumber, longest: longest)
    rest = []
    nextNumber += 1
  }

  struct Lines: Sequence, IteratorProtocol {
    var chunk: Chunk?
    var longest = 0
    var head: Line?
    var whole = 0..<0
    var number = 0

    mutating func next() -> Line? {
      if let line = head {
        head = nil
        return line
      }
      guard let chunk else { return nil }
      let bytes = chunk.bytes
      guard let end = bytes.span.firstIndex(of: newline, in: whole) else { return nil }
      defer {
        whole = (end + 1)..<whole.upperBound
        number += 1
      }
      return Line(chunk, whole.lowerBound..<end, number: number, longest: longest)
    }
  }
}

let newline = UInt8(ascii: "\n")

extension Span<UInt8> {
  /// The first position of a byte in a range.
  func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
    if range.isEmpty { return nil }
    return extracting(range).withUnsafeBytes { $0.firstOffset(of: byte) }.map { range.lowerBound + $0 }
  }

  func count(of byte: UInt8, in range: Range<Int>) -> Int {
    var count = 0
    var rest = range
    while let index = firstIndex(of: byte, in: rest) {
      count += 1
      rest = (index + 1)..<range.upperBound
    }
    return count
  }
}
