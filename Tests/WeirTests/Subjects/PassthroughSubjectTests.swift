import Testing
import Weir

@testable import TestSupport

@Suite("PassthroughSubject")
struct PassthroughSubjectTests {
  let subject = PassthroughSubject<Int, TestError>()

  @Test("drops a value for a subscriber without demand, for good")
  func drops() {
    let recorder = subject.record()
    subject.send(1)
    recorder.request(.max(1))
    subject.send(2)
    subject.send(3)
    recorder.request(.max(1))
    subject.send(4)
    #expect(recorder.events == [.subscription, .value(2), .value(4)])
  }

  @Test("a late subscriber receives no earlier value")
  func late() {
    subject.send(1)
    let recorder = subject.record(demanding: .unlimited)
    subject.send(2)
    #expect(recorder.values == [2])
  }

  @Test("drops a value without subscribers")
  func noSubscribers() {
    #expect(
      isReleased { token in
        let subject = PassthroughSubject<Token, Never>()
        subject.send(token)
      })
  }

  @Test("sends an event without a value")
  func void() {
    let subject = PassthroughSubject<Void, Never>()
    var count = 0
    let cancellable = subject.sink { count += 1 }
    subject.send()
    subject.send()
    cancellable.cancel()
    subject.send()
    #expect(count == 2)
  }

  @Test("100,000 re-entrant requests don't grow the stack")
  func requestsInside() {
    onAnotherThread {
      let recorder = Recorder<Int, TestError>(demanding: .max(1))
      var sum = 0
      recorder.onValue = { value in
        sum += value
        recorder.request(.max(1))
        return .none
      }
      subject.subscribe(recorder)
      for _ in 0..<100_000 { subject.send(1) }
      #expect(sum == 100_000)
    }
  }
}
