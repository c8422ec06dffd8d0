import Testing
import Weir

@testable import TestSupport

@Suite("tryReduce")
struct TryReduceTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "TryReduce") { source, token in
      source.tryReduce(0) { (sum: Int, value: Int) throws -> Int in withExtendedLifetime(token) { sum + value } }
    }
  }

  @Test("requests unlimited demand, and sends one result when the upstream finishes")
  func combines() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.tryReduce("0") { (text: String, value: Int) throws -> String in "\(text)+\(value)" }.record()
    #expect(source.send(1) == .none)
    #expect(source.send(2) == .none)
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value("0+1+2"), .finished])
    #expect(source.events == [.requested(.unlimited)])
  }

  @Test("sends the initial result without values")
  func empty() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.tryReduce(7) { (sum: Int, value: Int) throws -> Int in sum + value }.record(
      demanding: .max(1))
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(7), .finished])
  }

  @Test("fails with its closure's error")
  func throwing() {
    checkThrowing { source, probe in
      source.tryReduce(0) { (sum: Int, value: Int) throws -> Int in
        try probe()
        return sum + value
      }
    }
  }
}
