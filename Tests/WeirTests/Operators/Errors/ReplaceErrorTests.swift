import Testing
import Weir

@testable import TestSupport

@Suite("replaceError")
struct ReplaceErrorTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "ReplaceError", failingWith: nil) { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.replaceError(with: 0)
    }
  }

  @Test("forwards demand, values and a finish unchanged")
  func passesOn() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.replaceError(with: 0).record(demanding: .max(1), returning: .max(2))
    #expect(source.send(1) == .max(2))
    recorder.request(.max(5))
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(1), .finished])
    #expect(source.events == [.requested(.max(1)), .requested(.max(5))])
  }

  @Test("replaces a failure with the value when there is demand, and finishes")
  func replaces() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.replaceError(with: 0).record(demanding: .max(2))
    source.send(1)
    source.send(completion: .failure(.oops))
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value(1), .value(0), .finished])
    #expect(source.events == [.requested(.max(2))])
  }

  @Test("buffers the value until there is demand, including returned demand")
  func waits() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.replaceError(with: 0).record(demanding: .max(1))
    source.send(1)
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value(1)])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(1), .value(0), .finished])
    #expect(source.events == [.requested(.max(1))])
    let returning = ManualPublisher<Int, TestError>()
    let second = returning.replaceError(with: 0).record(demanding: .max(1), returning: .max(1))
    returning.send(1)
    returning.send(completion: .failure(.oops))
    #expect(second.events == [.subscription, .value(1), .value(0), .finished])
  }

  @Test("sends the value for demand that the delivery in which the upstream fails returns")
  func failsInsideADelivery() {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, Never>(demanding: .max(1))
    recorder.onValue = { value in
      if value == 1 { subject.send(completion: .failure(.oops)) }
      return .max(1)
    }
    subject.replaceError(with: 0).subscribe(recorder)
    subject.send(1)
    #expect(recorder.events == [.subscription, .value(1), .value(0), .finished])
  }

  @Test("needs one more request if the upstream has exceeded the demand")
  func overflowing() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.replaceError(with: 0).record(demanding: .max(1))
    source.send(1)
    source.send(2)
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value(1), .value(2)])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(1), .value(2), .value(0), .finished])
  }

  @Test("sends the value immediately after two unlimited requests")
  func unlimitedTwice() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.replaceError(with: 0).record(demanding: .unlimited, returning: .unlimited)
    recorder.request(.unlimited)
    source.send(1)
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value(1), .value(0), .finished])
  }

  @Test("drops a buffered value at a cancellation")
  func cancelsWaiting() {
    let recorder = Fail<Int, TestError>(error: .oops).replaceError(with: 0).record()
    recorder.cancel()
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription])
  }

  @Test("equals another with the same value on an equal upstream")
  func equality() {
    #expect(NumberPublisher(1).replaceError(with: 2) == NumberPublisher(1).replaceError(with: 2))
    #expect(NumberPublisher(1).replaceError(with: 2) != NumberPublisher(1).replaceError(with: 3))
  }
}
