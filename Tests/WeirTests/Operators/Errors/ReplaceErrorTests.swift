import Testing
import Weir

@testable import TestSupport

@Suite("replaceError")
struct ReplaceErrorTests {
  @Test("keeps the rules of all operators")
  func commonRules() {
    checkCommonRules(named: "ReplaceError", failingWith: nil) { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.replaceError(with: 0)
    }
  }

  @Test("passes demand, values and a normal end on unchanged")
  func passesOn() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.replaceError(with: 0).record(demanding: .max(1), returning: .max(2))
    #expect(source.send(1) == .max(2))
    recorder.request(.max(5))
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(1), .finished])
    #expect(source.events == [.requested(.max(1)), .requested(.max(5))])
  }

  @Test("sends the value in the place of a failure when demand is left, and finishes")
  func replaces() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.replaceError(with: 0).record(demanding: .max(2))
    source.send(1)
    source.send(completion: .failure(.oops))
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value(1), .value(0), .finished])
    #expect(source.events == [.requested(.max(2))])
  }

  @Test("keeps the value until it is asked for, and counts what was returned")
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

  @Test("sends the value for demand that is returned by the delivery in which the upstream fails")
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

  @Test("needs one request more when the upstream has sent more than was asked for")
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

  @Test("sends the value at once when everything was asked for twice")
  func unlimitedTwice() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.replaceError(with: 0).record(demanding: .unlimited, returning: .unlimited)
    recorder.request(.unlimited)
    source.send(1)
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value(1), .value(0), .finished])
  }

  @Test("drops the value that waits on a cancel")
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
