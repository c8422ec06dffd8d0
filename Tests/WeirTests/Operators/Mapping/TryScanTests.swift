import Testing
import Weir

@testable import TestSupport

@Suite("tryScan")
struct TryScanTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "TryScan", guarding: .ends) { source, token in
      source.tryScan(0) { (sum: Int, value: Int) throws -> Int in withExtendedLifetime(token) { sum + value } }
    }
  }

  @Test("sends each result but the initial one, and forwards demand unchanged")
  func combines() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.tryScan("0") { (text: String, value: Int) throws -> String in "\(text)+\(value)" }.record(
      demanding: .max(1), returning: .max(2))
    #expect(source.send(1) == .max(2))
    #expect(source.send(2) == .max(2))
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value("0+1"), .value("0+1+2"), .finished])
    #expect(source.events == [.requested(.max(1))])
  }

  @Test("fails with its closure's error")
  func throwing() {
    checkThrowing { source, probe in
      source.tryScan(0) { (sum: Int, value: Int) throws -> Int in
        try probe()
        return sum + value
      }
    }
  }
}
