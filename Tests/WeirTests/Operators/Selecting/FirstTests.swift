import Testing
import Weir

@testable import TestSupport

@Suite("first()")
struct FirstTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "First") { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.first()
    }
  }

  @Test("requests unlimited demand, cancels at the first value and finishes with it")
  func takesOne() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.first().record(demanding: .max(1), returning: .max(5))
    #expect(source.events == [.requested(.unlimited)])
    #expect(source.send(1) == .none)
    #expect(source.send(2) == .none)
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value(1), .finished])
    #expect(source.events == [.requested(.unlimited), .cancelled])
  }

  @Test("cancels at the first value also without demand, and buffers it")
  func waits() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.first().record()
    source.send(1)
    source.send(2)
    #expect(recorder.events == [.subscription])
    #expect(source.events == [.requested(.unlimited), .cancelled])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(1), .finished])
    #expect(source.events == [.requested(.unlimited), .cancelled])
  }

  @Test("drops a buffered value at a cancellation")
  func cancelsWaiting() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.first().record()
    source.send(1)
    recorder.cancel()
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription])
    #expect(source.events == [.requested(.unlimited), .cancelled])
  }

  @Test("finishes without a value when the upstream does")
  func empty() {
    #expect(Empty<Int, TestError>().first().record().events == [.subscription, .finished])
  }

  @Test("equals another on an equal upstream")
  func equality() {
    #expect(NumberPublisher(1).first() == NumberPublisher(1).first())
    #expect(NumberPublisher(1).first() != NumberPublisher(2).first())
  }
}
