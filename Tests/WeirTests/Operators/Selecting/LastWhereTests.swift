import Testing
import Weir

@testable import TestSupport

@Suite("last(where:)")
struct LastWhereTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "LastWhere") { source, token in
      source.last { (value: Int) -> Bool in withExtendedLifetime(token) { value < 4 } }
    }
  }

  @Test("requests unlimited demand, and sends the last value that passes when the upstream finishes")
  func last() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.last { (value: Int) -> Bool in value < 3 }.record(demanding: .max(1))
    for value in 1...4 { #expect(source.send(value) == .none) }
    #expect(recorder.events == [.subscription])
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(2), .finished])
    #expect(source.events == [.requested(.unlimited)])
  }

  @Test("finishes without a value if none passes, with any demand")
  func none() {
    let recorder = [1, 2].lazy.publisher.last { (_: Int) -> Bool in false }.record()
    #expect(recorder.events == [.subscription, .finished])
  }
}
