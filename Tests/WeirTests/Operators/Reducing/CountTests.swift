import Testing
import Weir

@testable import TestSupport

@Suite("count")
struct CountTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "Count") { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.count()
    }
  }

  @Test("requests unlimited demand, and sends the number when the upstream finishes")
  func counts() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.count().record(demanding: .max(1), returning: .max(9))
    #expect(source.send(5) == .none)
    #expect(source.send(5) == .none)
    #expect(recorder.events == [.subscription])
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(2), .finished])
    #expect(source.events == [.requested(.unlimited)])
  }

  @Test("buffers the number until there is demand, also 0")
  func waits() {
    let recorder = Empty<Int, TestError>().count().record()
    #expect(recorder.events == [.subscription])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(0), .finished])
  }

  @Test("drops the number when the upstream fails")
  func fails() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.count().record(demanding: .unlimited)
    source.send(1)
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .failed(.oops)])
  }

  @Test("equals another on an equal upstream")
  func equality() {
    let one = Publishers.Count(upstream: NumberPublisher(1))
    #expect(one == Publishers.Count(upstream: NumberPublisher(1)))
    #expect(one != Publishers.Count(upstream: NumberPublisher(2)))
  }
}
