import Testing
import Weir

@testable import TestSupport

@Suite("contains(_:)")
struct ContainsTests {
  @Test("conforms to the operator contract", arguments: [1, 9])
  func commonRules(_ wanted: Int) {
    checkCommonRules(named: "Contains") { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.contains(wanted)
    }
  }

  @Test("cancels the upstream at the value, and buffers the result")
  func found() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.contains(2).record()
    for value in 1...3 { #expect(source.send(value) == .none) }
    #expect(recorder.events == [.subscription])
    #expect(source.events == [.requested(.unlimited), .cancelled])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(true), .finished])
  }

  @Test("sends false when the upstream finishes without the value")
  func notFound() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.contains(2).record()
    source.send(1)
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(false), .finished])
    #expect(source.events == [.requested(.unlimited)])
  }

  @Test("sends no result when the upstream fails")
  func fails() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.contains(2).record(demanding: .unlimited)
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .failed(.oops)])
  }

  @Test("equals another with an equal value on an equal upstream")
  func equality() {
    let one = Publishers.Contains(upstream: NumberPublisher(1), output: 7)
    #expect(one == Publishers.Contains(upstream: NumberPublisher(1), output: 7))
    #expect(one != Publishers.Contains(upstream: NumberPublisher(1), output: 8))
    #expect(one != Publishers.Contains(upstream: NumberPublisher(2), output: 7))
  }
}
