import Testing
import Weir

@testable import TestSupport

@Suite("collect(_:options:)")
struct CollectByTimeTests {
  let source = ManualPublisher<Int, TestError>()
  let scheduler = VirtualTimeScheduler()

  typealias Collected = Publishers.CollectByTime<ManualPublisher<Int, TestError>, VirtualTimeScheduler>

  func byTime() -> Collected { source.collect(.byTime(scheduler, 10)) }
  func byTimeOrCount(_ count: Int) -> Collected { source.collect(.byTimeOrCount(scheduler, 10, count)) }

  @Test("conforms to the operator contract", arguments: [1, 2, 4, 9])
  func commonRules(_ count: Int) {
    checkCommonRules(named: "CollectByTime") { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }
        .collect(.byTimeOrCount(ImmediateScheduler.shared, 10, count))
    }
  }

  @Test("by time, sends the values of each interval, and no empty array")
  func collectsByTime() {
    let recorder = byTime().record(demanding: .unlimited)
    #expect(source.events == [.requested(.max(1))])
    scheduler.advance(by: 10)
    source.send(1)
    scheduler.advance(by: 9)
    source.send(2)
    #expect(recorder.events == [.subscription])
    scheduler.advance(by: 1)
    #expect(recorder.events == [.subscription, .value([1, 2])])
    scheduler.advance(by: 25)
    source.send(3)
    scheduler.advance(by: 4)
    #expect(recorder.values == [[1, 2]])
    scheduler.advance(by: 1)
    #expect(recorder.values == [[1, 2], [3]])
  }

  @Test("by time or count, sends a full array immediately, and doesn't change the intervals")
  func collectsByTimeOrCount() {
    let recorder = byTimeOrCount(2).record(demanding: .unlimited)
    scheduler.advance(by: 6)
    for value in 1...3 { source.send(value) }
    #expect(recorder.events == [.subscription])
    scheduler.runDue()
    #expect(recorder.events == [.subscription, .value([1, 2])])
    scheduler.advance(by: 3)
    #expect(recorder.values == [[1, 2]])
    scheduler.advance(by: 1)
    #expect(recorder.values == [[1, 2], [3]])
  }

  @Test("a finish sends the rest, on the scheduler")
  func finishes() {
    let recorder = byTime().record(demanding: .unlimited)
    source.send(1)
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription])
    scheduler.runDue()
    #expect(recorder.events == [.subscription, .value([1]), .finished])
    #expect(source.events == [.requested(.max(1))])
  }

  @Test("a failure drops the rest")
  func fails() {
    let recorder = byTime().record(demanding: .unlimited)
    source.send(1)
    source.send(completion: .failure(.oops))
    scheduler.runDue()
    #expect(recorder.events == [.subscription, .failed(.oops)])
  }

  @Test("by time, requests no values before a request, and buffers values without demand")
  func demandByTime() {
    let recorder = byTime().record()
    #expect(source.events == [])
    recorder.request(.max(1))
    #expect(source.events == [.requested(.max(1))])
    source.send(1)
    scheduler.advance(by: 10)
    source.send(2)
    scheduler.advance(by: 10)
    source.send(3)
    recorder.request(.max(1))
    #expect(recorder.values == [[1]])
    scheduler.advance(by: 10)
    #expect(recorder.values == [[1], [2, 3]])
    source.send(4)
    source.send(completion: .finished)
    scheduler.advance(by: 10)
    #expect(recorder.events == [.subscription, .value([1]), .value([2, 3])])
    recorder.request(.max(1))
    scheduler.runDue()
    #expect(recorder.events == [.subscription, .value([1]), .value([2, 3]), .value([4]), .finished])
  }

  @Test("by time, asks for one value with each request, and each value brings the demand for the next")
  func asksOneByOne() {
    let recorder = byTime().record(demanding: .max(2))
    recorder.onValue = { _ in .max(3) }
    #expect(source.events == [.requested(.max(1))])
    #expect((1...3).map { source.send($0) } == [.max(1), .max(1), .max(1)])
    scheduler.advance(by: 10)
    #expect(source.events == [.requested(.max(1))])
    recorder.request(.unlimited)
    #expect(source.events == [.requested(.max(1)), .requested(.max(1))])
    onAnotherThread { #expect(source.send(4) == .max(1)) }
    source.send(completion: .finished)
    #expect(source.send(5) == .none)
    #expect(recorder.values == [[1, 2, 3]])
  }

  @Test("by time, a value that comes from another thread during a delivery brings the demand for the next, too")
  func asksOneByOneDuringADelivery() {
    let recorder = byTime().record(demanding: .unlimited)
    recorder.onValue = { values in
      if values == [1] { onAnotherThread { for value in 2...3 { #expect(source.send(value) == .max(1)) } } }
      return .none
    }
    source.send(1)
    for _ in 1...2 { scheduler.advance(by: 10) }
    #expect(recorder.values == [[1], [2, 3]])
  }

  @Test("by time or count, requests as many values as fill the arrays; a short one leaves its rest to the next")
  func demandByTimeOrCount() {
    let recorder = byTimeOrCount(3).record(demanding: .max(2))
    recorder.onValue = { $0 == [1] ? .max(1) : .none }
    #expect(source.events == [.requested(.max(6))])
    #expect(source.send(1) == .none)
    scheduler.advance(by: 10)
    #expect(source.events == [.requested(.max(6)), .requested(.max(1))])
    for value in 2...7 { source.send(value) }
    scheduler.advance(by: 10)
    #expect(recorder.values == [[1], [2, 3, 4], [5, 6, 7]])
  }

  @Test("a re-entrant value belongs to the next interval")
  func nested() {
    let recorder = byTime().record(demanding: .unlimited)
    recorder.onValue = { values in
      if values == [1] { #expect(source.send(2) == .max(1)) }
      return .none
    }
    source.send(1)
    scheduler.advance(by: 10)
    #expect(recorder.values == [[1]])
    scheduler.advance(by: 10)
    #expect(recorder.values == [[1], [2]])
  }

  @Test("leaves no timer after a completion or a cancellation")
  func timers() {
    let recorder = byTime().record(demanding: .unlimited)
    #expect(scheduler.pendingCount == 1)
    source.send(completion: .finished)
    scheduler.runDue()
    #expect(recorder.isFinished)
    #expect(scheduler.pendingCount == 0)
    let cancelled = ManualPublisher<Int, TestError>().collect(.byTime(scheduler, 10)).record()
    scheduler.advance(by: 25)
    #expect(scheduler.pendingCount == 1)
    cancelled.cancel()
    #expect(scheduler.pendingCount == 0)
  }

  @Test("the timer and each delivery are scheduled with the options")
  func options() {
    let batch = BatchScheduler()
    let recorder = source.collect(.byTimeOrCount(batch, 10, 1), options: "fast").record(demanding: .unlimited)
    for value in 1...3 { source.send(value) }
    source.send(completion: .finished)
    batch.runInReverse()
    #expect(recorder.events == [.subscription, .value([1]), .value([2]), .value([3]), .finished])
    #expect(Set(batch.options) == ["fast"])
  }

  @Test("rejects a count below 1")
  func noCount() async {
    await #expect(processExitsWith: .failure) {
      _ = [1].publisher.collect(.byTimeOrCount(ImmediateScheduler.shared, 1, 0)).sink { _ in }
    }
  }

  @Test("loses no value and keeps the order when the timer fires during a send on another thread")
  func races() {
    for _ in 0..<Effort.rounds(200) {
      let subject = PassthroughSubject<Int, Never>()
      let timers = ThreadTimers()
      let recorder = subject.collect(.byTimeOrCount(timers, 1, 3)).record(demanding: .unlimited)
      race({ for _ in 0..<3 { timers.fire() } }, { for value in 1...10 { subject.send(value) } })
      subject.send(completion: .finished)
      #expect(recorder.values.flatMap { $0 } == Array(1...10))
      #expect(recorder.values.allSatisfy { (1...3).contains($0.count) })
      #expect(recorder.isFinished && timers.isEmpty)
    }
  }
}
