import Testing
import Weir

@testable import TestSupport

@Suite("last")
struct LastTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "Last") { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.last()
    }
  }

  @Test("requests unlimited demand, and sends the last value when the upstream finishes")
  func last() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.last().record(demanding: .max(1), returning: .max(9))
    #expect(source.send(1) == .none)
    #expect(source.send(2) == .none)
    #expect(recorder.events == [.subscription])
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(2), .finished])
    #expect(source.events == [.requested(.unlimited)])
  }

  @Test("buffers the value until there is demand")
  func waits() {
    let recorder = (1...3).lazy.publisher.last().record()
    #expect(recorder.events == [.subscription])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(3), .finished])
  }

  @Test("finishes without a value if there is none, and drops the value if the upstream fails")
  func none() {
    #expect(Empty<Int, TestError>().last().record().events == [.subscription, .finished])
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.last().record(demanding: .unlimited)
    source.send(1)
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .failed(.oops)])
  }

  @Test("equals another on an equal upstream")
  func equality() {
    let one = Publishers.Last(upstream: NumberPublisher(1))
    #expect(one == Publishers.Last(upstream: NumberPublisher(1)))
    #expect(one != Publishers.Last(upstream: NumberPublisher(2)))
  }
}
