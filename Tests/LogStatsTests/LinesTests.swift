import Testing
import Weir
import WeirTesting

@testable import LogStats

@Suite("Lines of chunks")
struct LinesTests {
  private func numbered(_ chunks: [Chunk], longest: Int = 100) -> [String] {
    let subscriber = TestSubscriber<String, Never>(demanding: .unlimited)
    chunks.lazy.publisher.lines(longest: longest).map { "\($0.number) \($0.text)" }.subscribe(subscriber)
    #expect(subscriber.isFinished)
    return subscriber.values
  }

  @Test("are the same for all chunk boundaries")
  func everySplit() {
    let text = "one\r\ntwo\n\nfour\r\n\rfive"
    let expected = ["1 one", "2 two", "3 ", "4 four", "5 \rfive"]
    let bytes = Array(text.utf8)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        let parts = [bytes[..<first], bytes[first..<second], bytes[second...]].filter { !$0.isEmpty }
        let chunks = parts.map { Chunk(name: "log", offset: 0, bytes: Array($0)) } + [chunk("")]
        #expect(numbered(chunks) == expected, "split at \(first) and \(second)")
      }
    }
    #expect(numbered(bytes.map { Chunk(name: "log", offset: 0, bytes: [$0]) } + [chunk("")]) == expected)
  }

  @Test(
    "at the end of a file",
    arguments: [
      ("", []), ("\n", ["1 "]), ("a", ["1 a"]), ("a\n", ["1 a"]), ("a\n\n", ["1 a", "2 "]), ("a\r", ["1 a"]),
    ] as [(String, [String])])
  func end(text: String, expected: [String]) {
    #expect(numbered([chunk(text), chunk("")].filter { $0.bytes != [] || text != "" }) == expected)
  }

  @Test("end with their file, and are numbered in each file")
  func files() {
    let chunks = [chunk("a\nb"), chunk(""), chunk("c"), chunk("\nd\n"), chunk(""), chunk(""), chunk("e"), chunk("")]
    #expect(numbered(chunks) == ["1 a", "2 b", "1 c", "2 d", "1 e"])
  }

  @Test("are clipped if they are too long, for all chunk boundaries, and later lines are complete")
  func long() {
    let text = "abcde\nabcdef\nabcdefghijklm\nab\n"
    let bytes = Array(text.utf8)
    for size in 1...bytes.count {
      let subscriber = TestSubscriber<String, Never>(demanding: .unlimited)
      let chunks = stride(from: 0, to: bytes.count, by: size)
        .map { Chunk(name: "log", offset: $0, bytes: Array(bytes[$0..<min($0 + size, bytes.count)])) }
      chunks.lazy.publisher.lines(longest: 5).map { $0.text + ($0.isClipped ? "…" : "") }.subscribe(subscriber)
      #expect(subscriber.values == ["abcde", "abcde…", "abcde…", "ab"], "in chunks of \(size)")
    }
  }

  @Test("use bounded memory without line breaks")
  func endless() {
    var cut = Cut(longest: 10)
    for _ in 0..<1000 {
      cut = cut.next(chunk("abcdefgh"))
      #expect(cut.rest.count <= 11)
    }
    cut = cut.next(chunk(""))
    let lines = Array(cut.lines)
    #expect(lines.map(\.text) == ["abcdefghab"])
    #expect(lines.map(\.isClipped) == [true])
  }

  @Test("are cut from one chunk at a time, which is released when its lines are taken")
  func demand() throws {
    let upstream = TestPublisher<Chunk, Never>()
    let subscriber = TestSubscriber<String, Never>()
    upstream.lines().map(\.text).subscribe(subscriber)
    let asked = { upstream.subscriptions.first?.demand }
    #expect(asked() == .max(1))
    upstream.send(chunk("a\nb\nb\nc"))
    #expect(subscriber.values == [])
    subscriber.request(.max(1))
    #expect(subscriber.values == ["a"])
    #expect(asked() == .max(1))
    // The third line is taken out of the chunk, and buffered for the next request. Until then the chunk keeps its
    // place.
    subscriber.request(.max(1))
    #expect(subscriber.values == ["a", "b"])
    #expect(asked() == .max(1))
    subscriber.request(.max(1))
    #expect(subscriber.values == ["a", "b", "b"])
    #expect(asked() == .max(2))
    upstream.send(chunk("d\n"))
    subscriber.request(.max(1))
    #expect(subscriber.values == ["a", "b", "b", "cd"])
    try subscriber.checkContract()
  }

  @Test("retain at most two chunks")
  func memory() throws {
    let file = try TemporaryFile(String(repeating: "a line of text\n", count: 10_000))
    let live = LiveChunks()
    let subscriber = TestSubscriber<Int, Problem>()
    FilePublisher(input: Input(name: file.path), chunkSize: 512)
      .handleEvents(receiveOutput: { live.add($0) })
      .lines().map(\.number).subscribe(subscriber)
    for number in stride(from: 7, through: 10_000, by: 7) {
      subscriber.request(.max(7))
      #expect(subscriber.values.last == number)
      // A line that spans two chunks is copied, so all chunks but the last two have been deallocated.
      #expect(live.count <= 2)
    }
    #expect(live.added == 10_000 * 15 / 512 + 1)
    subscriber.request(.unlimited)
    #expect(subscriber.isFinished)
    #expect(live.count == 0)
  }

  @Test("of several files are read at most three chunks ahead of the consumer, and at most three are alive")
  func wholePipeline() throws {
    let text = logLine() + "\n"
    let (count, chunkSize) = (500, 300)
    let files = [try OpenedFile(String(repeating: text, count: count)), try OpenedFile(text)]
    let live = LiveChunks()
    let subscriber = TestSubscriber<Int, Problem>()
    entries(in: files.map(\.input), chunkSize: chunkSize, onChunk: live.add)
      .map { $0.request?.status ?? 0 }.subscribe(subscriber)
    for taken in 0..<count {
      let line = taken * text.utf8.count
      #expect(files[0].offset <= (line / chunkSize + 3) * chunkSize)
      #expect(live.count <= 3)
      subscriber.request(.max(1))
      #expect(subscriber.values.count == taken + 1)
    }
    subscriber.request(.max(2))
    #expect(subscriber.values == Array(repeating: 200, count: count + 1))
    #expect(subscriber.isFinished)
    try subscriber.checkContract()
  }

  @Test("conform to the contract")
  func contract() throws {
    try OperatorVerification(
      values: [chunk("a\n"), chunk("b\n"), chunk("c\n")], [.holdsValues, .dependsOnTiming], named: "Lines"
    ) {
      $0.lines().map(\.text)
    }
    .run(rounds: 100).check()
  }
}

/// Counts the chunks that are alive.
private final class LiveChunks {
  private final class Entry {
    weak var chunk: Chunk?
    init(_ chunk: Chunk) { self.chunk = chunk }
  }

  private var entries: [Entry] = []
  private(set) var added = 0

  func add(_ chunk: Chunk) {
    added += 1
    entries.removeAll { $0.chunk == nil }
    entries.append(Entry(chunk))
  }

  var count: Int { entries.count { $0.chunk != nil } }
}
