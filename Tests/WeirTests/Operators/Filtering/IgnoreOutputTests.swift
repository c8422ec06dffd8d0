import Testing
import Weir

@testable import TestSupport

@Suite("ignoreOutput")
struct IgnoreOutputTests {
  @Test("requests unlimited demand, and sends only the completion")
  func ignores() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.ignoreOutput().record(demanding: .max(1))
    #expect(recorder.subscription.map { String(describing: $0) } == "Manual")
    #expect(String(describing: source.subscribers[0]) == "IgnoreOutput")
    #expect(source.send(1) == .none)
    #expect(source.send(2) == .none)
    #expect(recorder.events == [.subscription])
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .finished])
    #expect(source.events == [.requested(.max(1)), .requested(.unlimited)])
  }

  @Test("needs no demand, neither for its upstream nor for the completion")
  func withoutDemand() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.ignoreOutput().record()
    #expect(source.events == [.requested(.unlimited)])
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .failed(.oops)])
    #expect((0..<1000).lazy.publisher.ignoreOutput().record().events == [.subscription, .finished])
  }

  @Test("sends no event after a cancellation, also during the subscription")
  func cancels() {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = subject.ignoreOutput().record()
    recorder.cancel()
    let atOnce = Recorder<Never, TestError>()
    atOnce.onSubscription = { $0.cancel() }
    subject.ignoreOutput().subscribe(atOnce)
    subject.send(completion: .finished)
    #expect(recorder.events == [.subscription])
    #expect(atOnce.events == [.subscription])
  }

  @Test("releases its subscriber and its upstream at completion")
  func releases() {
    let subject = PassthroughSubject<Int, TestError>()
    #expect(
      isReleased { token in
        let recorder = subject.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.ignoreOutput()
          .record()
        recorder.onCompletion = { withExtendedLifetime(token) {} }
        subject.send(completion: .finished)
      })
  }

  @Test("equals another on an equal upstream")
  func equality() {
    let one = Publishers.IgnoreOutput(upstream: NumberPublisher(1))
    #expect(one == Publishers.IgnoreOutput(upstream: NumberPublisher(1)))
    #expect(one != Publishers.IgnoreOutput(upstream: NumberPublisher(2)))
  }
}
