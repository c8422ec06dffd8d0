import Testing
import Weir
import WeirTesting

@testable import LogStats

@Suite("A consumer that takes its time")
struct PaceTests {
  /// The number of requested values after each tenth of a second.
  private func asked(_ rate: Int, tenths: Int) -> [Int] {
    let clock = VirtualTimeScheduler()
    var values: [Int] = []
    let sink = PacedSink<Int, Never, VirtualTimeScheduler>(rate: rate, clock: clock) { _ in
    } receiveValue: {
      values.append($0)
    }
    (1...).lazy.publisher.subscribe(sink)
    #expect(values == [])
    clock.advance()
    return (0..<tenths).map { _ in
      defer { clock.advance(by: .milliseconds(100)) }
      return values.count
    }
  }

  @Test("requests its rate evenly in each second")
  func even() {
    #expect(asked(10, tenths: 12) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    #expect(asked(1, tenths: 21) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2])
    #expect(asked(25, tenths: 10) == [2, 5, 7, 10, 12, 15, 17, 20, 22, 25])
    #expect(asked(1234, tenths: 10) == [123, 246, 370, 493, 617, 740, 863, 987, 1110, 1234])
  }

  @Test("delays the reading of the file")
  func file() throws {
    let clock = VirtualTimeScheduler()
    let line = "123456789\n"
    let file = try OpenedFile(String(repeating: line, count: 1000))
    var count = 0
    var isFinished = false
    let sink = PacedSink<Line, Problem, VirtualTimeScheduler>(rate: 100, clock: clock) { _ in
      isFinished = true
    } receiveValue: { _ in
      count += 1
    }
    FilePublisher(input: file.input, chunkSize: 50).lines().subscribe(sink)
    clock.advance()
    for tick in 1...100 {
      #expect(count == tick * 10)
      #expect(file.offset <= count * line.utf8.count + 100)
      clock.advance(by: .milliseconds(100))
    }
    #expect(isFinished)
    #expect(clock.pendingCount == 0)
  }

  @Test("stops requesting at completion and at cancellation")
  func end() {
    let clock = VirtualTimeScheduler()
    let upstream = TestPublisher<Int, Never>()
    var end: Subscribers.Completion<Never>?
    let make = {
      PacedSink<Int, Never, VirtualTimeScheduler>(rate: 10, clock: clock, receiveCompletion: { end = $0 }) { _ in }
    }
    upstream.subscribe(make())
    clock.advance(by: .seconds(1))
    upstream.send(completion: .finished)
    #expect(end == .finished)
    #expect(clock.pendingCount == 0)

    let other = TestPublisher<Int, Never>()
    let sink = make()
    other.subscribe(sink)
    clock.advance(by: .seconds(1))
    sink.cancel()
    #expect(other.subscriptions.first?.isCancelled == true)
    #expect(clock.pendingCount == 0)
  }
}
