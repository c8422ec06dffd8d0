import Testing
import Weir

@testable import TestSupport

@Suite("tryDrop(while:)")
struct TryDropWhileTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "TryDropWhile") { source, token in
      source.tryDrop { (value: Int) throws -> Bool in withExtendedLifetime(token) { value < 1 } }
    }
  }

  @Test("drops values up to the first that doesn't pass, and requests one more for each")
  func drops() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.tryDrop { (value: Int) throws -> Bool in value < 2 }.record(
      demanding: .max(2), returning: .max(5))
    #expect(source.send(1) == .max(1))
    #expect(source.send(2) == .max(5))
    #expect(source.send(1) == .max(5))
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(2), .value(1), .finished])
    #expect(source.events == [.requested(.max(2))])
  }

  @Test("fails with its closure's error")
  func throwing() {
    checkThrowing { source, probe in
      source.tryDrop { (_: Int) throws -> Bool in
        try probe()
        return false
      }
    }
  }
}
