import Testing
import Weir

@testable import TestSupport

@Suite("throttle")
struct ThrottleTests {
  let source = ManualPublisher<Int, TestError>()
  let scheduler = VirtualTimeScheduler()

  func throttled(latest: Bool) -> Publishers.Throttle<ManualPublisher<Int, TestError>, VirtualTimeScheduler> {
    source.throttle(for: 10, scheduler: scheduler, latest: latest)
  }

  @Test(
    "sends the first value immediately, and then one value in each interval, the latest or the first",
    arguments: [true, false])
  func throttles(latest: Bool) {
    let recorder = throttled(latest: latest).record(demanding: .unlimited)
    #expect(source.events == [.requested(.unlimited)])
    source.send(1)
    #expect(recorder.values == [])
    scheduler.runDue()
    #expect(recorder.values == [1])
    for value in 2...4 {
      scheduler.advance(by: 2)
      source.send(value)
    }
    scheduler.advance(by: 3)
    #expect(recorder.values == [1])
    scheduler.advance(by: 1)
    #expect(recorder.values == [1, latest ? 4 : 2])
    scheduler.advance(by: 9)
    source.send(5)
    scheduler.advance(by: 1)
    #expect(recorder.values == [1, latest ? 4 : 2, 5])
    scheduler.advance(by: 50)
    source.send(6)
    scheduler.runDue()
    #expect(recorder.values == [1, latest ? 4 : 2, 5, 6])
  }

  @Test("delivers a scheduled value before the completion, which is pending until then", arguments: [true, false])
  func ends(latest: Bool) {
    let recorder = throttled(latest: latest).record(demanding: .unlimited)
    source.send(1)
    scheduler.runDue()
    source.send(2)
    source.send(3)
    source.send(completion: .finished)
    scheduler.advance(by: 9)
    #expect(recorder.events == [.subscription, .value(1)])
    scheduler.advance(by: 1)
    #expect(recorder.events == [.subscription, .value(1), .value(latest ? 3 : 2), .finished])
  }

  @Test("delivers a completion without a scheduled value as soon as the scheduler allows")
  func endsAlone() {
    let recorder = throttled(latest: true).record()
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription])
    scheduler.runDue()
    #expect(recorder.events == [.subscription, .failed(.oops)])
  }

  @Test("drops a value without demand")
  func demand() {
    let recorder = throttled(latest: true).record(demanding: .max(1))
    for value in 1...4 {
      source.send(value)
      scheduler.advance(by: 10)
      if value == 2 { recorder.request(.max(1)) }
    }
    #expect(recorder.values == [1, 3])
  }

  @Test("a re-entrant value is pending until the next interval")
  func nested() {
    let recorder = throttled(latest: true).record(demanding: .unlimited)
    recorder.onValue = { value in
      if value < 3 { source.send(value + 1) }
      return .none
    }
    source.send(1)
    scheduler.advance(by: 9)
    #expect(recorder.values == [1])
    scheduler.advance(by: 11)
    #expect(recorder.values == [1, 2, 3])
  }

  @Test("a cancellation drops all pending events")
  func cancels() {
    let recorder = throttled(latest: true).record(demanding: .unlimited)
    source.send(1)
    source.send(completion: .finished)
    recorder.cancel()
    scheduler.advance(by: 20)
    #expect(recorder.events == [.subscription])
  }
}
