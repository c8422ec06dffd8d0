import Foundation
import Testing
import Weir
import WeirTesting

@testable import LogStats

@Suite("A file as a publisher")
struct FilePublisherTests {
  @Test("reads one chunk for each requested value")
  func demand() throws {
    let file = try OpenedFile("0123456789")
    let subscriber = TestSubscriber<String, Problem>()
    FilePublisher(input: file.input, chunkSize: 4).map(\.text).subscribe(subscriber)
    #expect(subscriber.events == [.subscription("File")])
    #expect(file.offset == 0)
    subscriber.request(.max(1))
    #expect(subscriber.values == ["0:0123"])
    #expect(file.offset == 4)
    subscriber.request(.max(2))
    #expect(subscriber.values == ["0:0123", "4:4567", "8:89"])
    #expect(!subscriber.isFinished)
    subscriber.request(.max(1))
    #expect(subscriber.values == ["0:0123", "4:4567", "8:89", "10:"])
    #expect(subscriber.isFinished)
    try subscriber.checkContract()
  }

  @Test("reads at most one chunk ahead of the consumer of lines")
  func waits() throws {
    let line = "123456789\n"
    let file = try OpenedFile(String(repeating: line, count: 1000))
    let subscriber = TestSubscriber<Int, Problem>()
    FilePublisher(input: file.input, chunkSize: 256).lines().map(\.number).subscribe(subscriber)
    for taken in 0..<1000 {
      // The next line may have been taken out of its chunk. If it was the last one there, another chunk has been read.
      #expect(file.offset < (taken + 2) * line.utf8.count + 256)
      subscriber.request(.max(1))
      #expect(subscriber.values.last == taken + 1)
    }
  }

  @Test("continues for re-entrant demand, with constant stack")
  func nested() throws {
    let file = try TemporaryFile(String(repeating: "x", count: 50_000))
    let subscriber = TestSubscriber<Int, Problem>(demanding: .max(1))
    subscriber.onEvent = { subscriber, event in
      if case .value = event { subscriber.request(.max(1)) }
    }
    FilePublisher(input: Input(name: file.path), chunkSize: 1).map(\.offset).subscribe(subscriber)
    #expect(subscriber.values.count == 50_001)
    #expect(subscriber.isFinished)
  }

  @Test("uses the demand that a subscriber returns for a value")
  func returned() throws {
    let file = try OpenedFile("0123456789")
    let subscriber = TestSubscriber<String, Problem>(demanding: .max(1)) { $0 == "0:0" ? .max(2) : .none }
    FilePublisher(input: file.input, chunkSize: 1).map(\.text).subscribe(subscriber)
    #expect(subscriber.values == ["0:0", "1:1", "2:2"])
    #expect(file.offset == 3)
  }

  @Test("stops at a cancellation, during a delivery or while idle", arguments: [true, false])
  func cancel(isInside: Bool) throws {
    let file = try OpenedFile("0123456789")
    let subscriber = TestSubscriber<String, Problem>()
    if isInside {
      subscriber.onEvent = { subscriber, event in
        if case .value = event { subscriber.cancel() }
      }
    }
    FilePublisher(input: file.input, chunkSize: 4).map(\.text).subscribe(subscriber)
    subscriber.request(.max(2))
    if !isInside { subscriber.cancel() }
    subscriber.request(.unlimited)
    #expect(subscriber.values == (isInside ? ["0:0123"] : ["0:0123", "4:4567"]))
    #expect(file.offset == subscriber.values.count * 4)
    #expect(!subscriber.isFinished)
  }

  @Test("closes the file at its end, and at a cancellation", arguments: [true, false])
  func closes(isCancelled: Bool) throws {
    let pipe = try Pipe()
    pipe.write("0123456789")
    let subscriber = TestSubscriber<String, Problem>(demanding: .max(1))
    FilePublisher(input: Input(name: "pipe", descriptor: pipe.reader), chunkSize: 4).map(\.text).subscribe(subscriber)
    // From here on, only the publisher owns the reading end.
    pipe.closeReader()
    #expect(pipe.write("x"))
    if isCancelled {
      subscriber.cancel()
    } else {
      pipe.closeWriter()
      subscriber.request(.unlimited)
      #expect(subscriber.values.last == "11:")
    }
    #expect(!pipe.write("x"))
  }

  @Test("sends a pipe's data as it arrives")
  func pipe() throws {
    let pipe = try Pipe()
    let subscriber = TestSubscriber<String, Problem>()
    FilePublisher(input: Input(name: "pipe", descriptor: pipe.reader), chunkSize: 64).map(\.text).subscribe(subscriber)
    pipe.write("some")
    subscriber.request(.max(1))
    #expect(subscriber.values == ["0:some"])
    pipe.write("thing")
    pipe.closeWriter()
    subscriber.request(.unlimited)
    #expect(subscriber.values == ["0:some", "4:thing", "9:"])
    #expect(subscriber.isFinished)
  }

  @Test("fails at the request for a missing file or a directory")
  func failures() {
    for (name, message) in [
      ("/nowhere/at all", "/nowhere/at all: no such file or directory"), ("/", "/: is a directory"),
    ] {
      let subscriber = TestSubscriber<Int, Problem>()
      FilePublisher(input: Input(name: name), chunkSize: 4).map(\.offset).subscribe(subscriber)
      #expect(subscriber.failure == nil)
      subscriber.request(.max(1))
      #expect(subscriber.failure == Problem(message: message, status: 66))
    }
  }

  @Test("conforms to the contract")
  func contract() throws {
    let file = try TemporaryFile("0123456789")
    try PublisherVerification(named: "File") {
      FilePublisher(input: Input(name: file.path), chunkSize: 4).map(\.offset)
    }
    .run(rounds: 100).check()
  }
}

extension Chunk {
  fileprivate var text: String { "\(offset):" + String(decoding: bytes, as: UTF8.self) }
}
