import Testing
import Weir

@testable import TestSupport

@Suite("replaceEmpty")
struct ReplaceEmptyTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "ReplaceEmpty") { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.replaceEmpty(with: 0)
    }
    checkCommonRules(named: "ReplaceEmpty") { source, token in
      source.drop { (value: Int) -> Bool in withExtendedLifetime(token) { value < 9 } }.replaceEmpty(with: 0)
    }
  }

  @Test("forwards values unchanged, requests returned demand, and appends no value")
  func passesOn() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.replaceEmpty(with: 0).record(demanding: .max(2), returning: .max(3))
    #expect(source.send(1) == .none)
    recorder.request(.max(1))
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(1), .finished])
    #expect(source.events == [.requested(.max(2)), .requested(.max(3)), .requested(.max(1))])
  }

  @Test("buffers its value until there is demand")
  func waits() {
    let recorder = Empty<Int, TestError>().replaceEmpty(with: 7).record()
    #expect(recorder.events == [.subscription])
    recorder.request(.max(1))
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(7), .finished])
  }

  @Test("sends its value immediately if there is demand")
  func replaces() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.replaceEmpty(with: 7).record(demanding: .max(1))
    #expect(recorder.events == [.subscription])
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(7), .finished])
  }

  @Test("doesn't replace a failure")
  func fails() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.replaceEmpty(with: 7).record(demanding: .unlimited)
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .failed(.oops)])
  }

  @Test("equals another with an equal value on an equal upstream")
  func equality() {
    let one = Publishers.ReplaceEmpty(upstream: NumberPublisher(1), output: 7)
    #expect(one == Publishers.ReplaceEmpty(upstream: NumberPublisher(1), output: 7))
    #expect(one != Publishers.ReplaceEmpty(upstream: NumberPublisher(1), output: 8))
    #expect(one != Publishers.ReplaceEmpty(upstream: NumberPublisher(2), output: 7))
  }
}
