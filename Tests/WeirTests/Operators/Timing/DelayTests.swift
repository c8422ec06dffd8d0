import Testing
import Weir

@testable import TestSupport

@Suite("delay")
struct DelayTests {
  let source = ManualPublisher<Int, TestError>()
  let scheduler = VirtualTimeScheduler()

  func delayed() -> Publishers.Delay<ManualPublisher<Int, TestError>, VirtualTimeScheduler> {
    source.delay(for: 10, scheduler: scheduler)
  }

  @Test("delivers all events after the delay, at their original distances")
  func delays() {
    let recorder = delayed().record(demanding: .unlimited)
    #expect(recorder.events == [.subscription])
    source.send(1)
    scheduler.advance(by: 4)
    source.send(2)
    scheduler.advance(by: 3)
    source.send(completion: .finished)
    scheduler.advance(by: 2)
    #expect(recorder.events == [.subscription])
    scheduler.advance(by: 1)
    #expect(recorder.events == [.subscription, .value(1)])
    scheduler.advance(by: 4)
    #expect(recorder.events == [.subscription, .value(1), .value(2)])
    scheduler.advance(by: 3)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .finished])
  }

  @Test("delays a failure too, which doesn't overtake")
  func fails() {
    let recorder = delayed().record(demanding: .unlimited)
    source.send(1)
    source.send(completion: .failure(.oops))
    scheduler.advance(by: 9)
    #expect(recorder.events == [.subscription])
    scheduler.advance(by: 1)
    #expect(recorder.events == [.subscription, .value(1), .failed(.oops)])
  }

  @Test("a value whose hop finds another thread arrives without another delay")
  func overdue() {
    let recorder = delayed().record(demanding: .unlimited)
    recorder.onValue = { [scheduler] value in
      if value == 1 { onAnotherThread { scheduler.advance(by: 0) } }
      return .none
    }
    source.send(1)
    source.send(2)
    scheduler.advance(by: 10)
    #expect(recorder.values == [1, 2])
  }

  @Test("forwards demand immediately, and returned demand when the value arrives")
  func demand() {
    let recorder = delayed().record(demanding: .max(1), returning: .max(2))
    #expect(source.events == [.requested(.max(1))])
    #expect(source.send(1) == .none)
    scheduler.advance(by: 10)
    #expect(source.events == [.requested(.max(1)), .requested(.max(2))])
    recorder.request(.unlimited)
    #expect(source.events.last == .requested(.unlimited))
  }

  @Test("a cancellation drops and releases pending events")
  func cancels() {
    let subject = PassthroughSubject<Token, Never>()
    let cancellable = subject.delay(for: 10, scheduler: scheduler).sink { (_: Token) in
      Issue.record("a value has arrived")
    }
    #expect(
      isReleased { token in
        subject.send(token)
        cancellable.cancel()
      })
    scheduler.advance(by: 20)
  }
}
