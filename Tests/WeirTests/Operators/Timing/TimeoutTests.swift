import Testing
import Weir

@testable import TestSupport

@Suite("timeout")
struct TimeoutTests {
  let source = ManualPublisher<Int, TestError>()
  let scheduler = VirtualTimeScheduler()

  @Test("finishes when no value has arrived for the interval, not earlier, and cancels the upstream")
  func timesOut() {
    let recorder = source.timeout(10, scheduler: scheduler).record(demanding: .unlimited)
    scheduler.advance(by: 9)
    source.send(1)
    scheduler.advance(by: 9)
    source.send(2)
    scheduler.advance(by: 9)
    #expect(recorder.events == [.subscription, .value(1), .value(2)])
    #expect(source.events == [.requested(.unlimited)])
    scheduler.advance(by: 1)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .finished])
    #expect(source.events == [.requested(.unlimited), .cancelled])
    source.send(3)
    source.send(completion: .failure(.oops))
    scheduler.advance(by: 50)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .finished])
  }

  @Test("fails with the closure's error, and calls the closure only then")
  func customError() {
    var calls = 0
    let recorder = source.timeout(10, scheduler: scheduler) {
      calls += 1
      return .oops
    }.record(demanding: .unlimited)
    source.send(1)
    scheduler.advance(by: 9)
    #expect(calls == 0)
    scheduler.advance(by: 1)
    #expect(recorder.events == [.subscription, .value(1), .failed(.oops)])
    #expect(calls == 1)
  }

  @Test("starts its timer for the subscription, and again for the first request")
  func startsTimers() {
    let recorder = source.timeout(10, scheduler: scheduler).record()
    #expect(scheduler.timersStarted == 1)
    recorder.request(.max(1))
    #expect(scheduler.timersStarted == 2)
    recorder.request(.max(1))
    #expect(scheduler.timersStarted == 2)
    let asking = source.timeout(10, scheduler: scheduler).record(demanding: .unlimited)
    #expect(scheduler.timersStarted == 4)
    withExtendedLifetime(asking) {}
  }

  @Test("measures the time from the subscription, and restarts only at the first request")
  func starts() {
    let unasked = source.timeout(10, scheduler: scheduler).record()
    let asking = ManualPublisher<Int, TestError>().timeout(10, scheduler: scheduler).record()
    scheduler.advance(by: 5)
    asking.request(.max(1))
    scheduler.advance(by: 4)
    asking.request(.max(1))
    #expect(unasked.events == [.subscription])
    scheduler.advance(by: 1)
    #expect(unasked.events == [.subscription, .finished])
    scheduler.advance(by: 4)
    #expect(asking.events == [.subscription])
    scheduler.advance(by: 1)
    #expect(asking.events == [.subscription, .finished])
  }

  @Test("values and the completion arrive on the scheduler, in order")
  func hops() {
    let recorder = source.timeout(10, scheduler: scheduler).record(demanding: .max(2), returning: .max(1))
    #expect(source.send(1) == .none)
    source.send(2)
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription])
    scheduler.runDue()
    #expect(recorder.events == [.subscription, .value(1), .value(2), .failed(.oops)])
    #expect(source.events == [.requested(.max(2))])
  }

  @Test("requests returned demand on the scheduler")
  func demand() {
    _ = source.timeout(10, scheduler: scheduler).record(demanding: .max(1), returning: .max(2))
    source.send(1)
    scheduler.runDue()
    #expect(source.events == [.requested(.max(1)), .requested(.max(2))])
  }

  @Test("keeps the order, with the completion last, on a scheduler that reverses its work")
  func reverse() {
    let batch = BatchScheduler()
    let recorder = source.timeout(10, scheduler: batch, options: "fast").record(demanding: .unlimited)
    for value in 1...5 { source.send(value) }
    batch.runInReverse()
    #expect(recorder.events == [.subscription] + (1...5).map { .value($0) } + [.finished])
    #expect(Set(batch.options) == ["fast"])
  }

  @Test("runs one timer, and leaves none after a timeout, a completion or a cancellation")
  func timers() {
    _ = source.timeout(10, scheduler: scheduler).record(demanding: .unlimited)
    source.send(1)
    source.send(2)
    scheduler.runDue()
    #expect(scheduler.pendingCount == 1)
    source.send(completion: .finished)
    scheduler.runDue()
    #expect(scheduler.pendingCount == 0)
    let cancelled = ManualPublisher<Int, TestError>().timeout(10, scheduler: scheduler).record(demanding: .unlimited)
    #expect(scheduler.pendingCount == 1)
    cancelled.cancel()
    #expect(scheduler.pendingCount == 0)
    _ = ManualPublisher<Int, TestError>().timeout(10, scheduler: scheduler).record()
    scheduler.advance(by: 10)
    #expect(scheduler.pendingCount == 0)
  }

  @Test("doesn't cancel a completed upstream while the completion is pending")
  func cancelledWhileEnding() {
    let recorder = source.timeout(10, scheduler: scheduler).record(demanding: .max(1))
    source.send(completion: .finished)
    recorder.cancel()
    scheduler.advance(by: 20)
    #expect(recorder.events == [.subscription])
    #expect(source.events == [.requested(.max(1))])
  }

  @Test("the timer retains the subscriber")
  func timerKeeps() {
    var events = 0
    do {
      let publisher = ManualPublisher<Int, TestError>()
      let recorder = publisher.timeout(10, scheduler: scheduler).record()
      recorder.onCompletion = { events += 1 }
    }
    scheduler.advance(by: 10)
    #expect(events == 1)
  }

  @Test("on an immediate scheduler, the timeout is immediate")
  func immediate() {
    let recorder = source.timeout(10, scheduler: ImmediateScheduler.shared).record()
    #expect(recorder.events == [.subscription, .finished])
    #expect(source.events == [.cancelled])
  }

  @Test("a value that races with the timeout arrives or is late, and one completion follows")
  func races() {
    for _ in 0..<Effort.rounds(500) {
      let subject = PassthroughSubject<Int, Never>()
      let timers = ThreadTimers()
      let recorder = subject.timeout(1, scheduler: timers).record(demanding: .unlimited)
      race({ timers.fire() }, { subject.send(1) })
      timers.fire()
      #expect(recorder.events.last == .finished)
      #expect(recorder.events.count { $0 == .finished } == 1)
      #expect(timers.isEmpty)
    }
  }

  @Test("a cancellation that races with values leaves no timer")
  func racesCancel() {
    for _ in 0..<Effort.rounds(500) {
      let subject = PassthroughSubject<Int, Never>()
      let timers = ThreadTimers()
      let recorder = subject.timeout(1, scheduler: timers).record(demanding: .unlimited)
      race({ for value in 1...3 { subject.send(value) } }, { recorder.cancel() })
      #expect(timers.isEmpty)
    }
  }
}
