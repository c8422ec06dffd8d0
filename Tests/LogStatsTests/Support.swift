import Foundation
import Testing
import Weir

@testable import LogStats

/// A file that exists while it is used.
final class TemporaryFile {
  let path: String

  init(_ text: String = "") throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("LogStats-\(UUID().uuidString)").path
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var text: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
}

/// An open file, whose read position a test can query.
final class OpenedFile {
  let file: TemporaryFile
  let descriptor: Int32

  init(_ text: String) throws {
    file = try TemporaryFile(text)
    descriptor = open(file.path, O_RDWR)
    try #require(descriptor >= 0)
  }

  deinit { close(descriptor) }

  var input: Input { Input(name: "log", descriptor: descriptor) }

  var output: Output { Output(name: "out", descriptor: descriptor) }

  var offset: Int { Int(lseek(descriptor, 0, SEEK_CUR)) }
}

/// Both ends of a pipe.
final class Pipe {
  let reader: Int32
  let writer: Int32
  private var isWriterOpen = true
  private var isReaderOpen = true

  init() throws {
    var ends: [Int32] = [-1, -1]
    reportBrokenPipes()
    try #require(pipe(&ends) == 0)
    (reader, writer) = (ends[0], ends[1])
  }

  deinit {
    closeReader()
    closeWriter()
  }

  func closeReader() {
    if isReaderOpen { close(reader) }
    isReaderOpen = false
  }

  func closeWriter() {
    if isWriterOpen { close(writer) }
    isWriterOpen = false
  }

  /// - Returns: Whether the pipe has a reader.
  @discardableResult
  func write(_ text: String) -> Bool {
    isWriterOpen && Foundation.write(writer, text, text.utf8.count) == text.utf8.count
  }
}

func chunk(_ text: String) -> Chunk {
  Chunk(name: "log", offset: 0, bytes: Array(text.utf8))
}

/// A line in its own chunk.
func line(_ text: String, number: Int = 1) -> Line {
  Line(chunk(text), 0..<text.utf8.count, number: number, longest: 1 << 20)
}

func entry(_ text: String) -> Entry {
  Entry(line(text))
}

extension Entry {
  var request: Request? {
    if case .request(let request) = self { request } else { nil }
  }

  var fault: Fault? {
    if case .malformed(_, let fault) = self { fault } else { nil }
  }
}

extension Request {
  func text(_ range: Range<Int>) -> String {
    String(decoding: line.chunk.bytes[range], as: UTF8.self)
  }
}

/// A line of a log.
func logLine(
  host: String = "10.0.0.1", time: String = "10/Oct/2025:13:55:36 +0000", path: String = "/", status: Int = 200,
  size: String = "100"
) -> String {
  "\(host) - - [\(time)] \"GET \(path) HTTP/1.1\" \(status) \(size)"
}
