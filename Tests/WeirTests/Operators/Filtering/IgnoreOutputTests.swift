import Testing
import Weir

@testable import TestSupport

@Suite("ignoreOutput")
struct IgnoreOutputTests {
  @Test("asks for everything whatever the demand, and sends the end alone")
  func ignores() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.ignoreOutput().record(demanding: .max(1))
    #expect(recorder.subscription.map { String(describing: $0) } == "IgnoreOutput")
    #expect(source.send(1) == .none)
    #expect(source.send(2) == .none)
    #expect(recorder.events == [.subscription])
    source.send(completion: .finished)
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .finished])
    #expect(source.events == [.requested(.unlimited)])
  }

  @Test("needs no demand, neither for its upstream nor for the end")
  func withoutDemand() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.ignoreOutput().record()
    #expect(source.events == [.requested(.unlimited)])
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .failed(.oops)])
  }

  @Test("is silent after a cancel, and cancels its upstream once")
  func cancels() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.ignoreOutput().record()
    recorder.cancel()
    recorder.cancel()
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription])
    #expect(source.events == [.requested(.unlimited), .cancelled])
  }

  @Test("asks for nothing when it is cancelled as soon as the subscription comes")
  func cancelsInsideTheSubscription() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Never, TestError>()
    recorder.onSubscription = { $0.cancel() }
    source.ignoreOutput().subscribe(recorder)
    #expect(source.events == [.cancelled])
    #expect(source.sendSubscription().events == [.cancelled])
  }

  @Test("lets its subscriber and its upstream go at the end")
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
