import Testing
import Weir

@testable import TestSupport

@Suite("tryLast(where:)")
struct TryLastWhereTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "TryLastWhere") { source, token in
      source.tryLast { (value: Int) throws -> Bool in withExtendedLifetime(token) { value < 4 } }
    }
  }

  @Test("sends the last value that passes when the upstream finishes")
  func last() {
    let recorder = (1...4).publisher.tryLast { (value: Int) throws -> Bool in value < 3 }.record()
    #expect(recorder.events == [.subscription])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(2), .finished])
  }

  @Test("fails with its closure's error")
  func throwing() {
    checkThrowing { source, probe in
      source.tryLast { (_: Int) throws -> Bool in
        try probe()
        return true
      }
    }
  }
}
