import Testing
import Weir

@testable import TestSupport

@Suite("tryPrefix(while:)")
struct TryPrefixWhileTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "TryPrefixWhile") { source, token in
      source.tryPrefix { (value: Int) throws -> Bool in withExtendedLifetime(token) { value < 4 } }
    }
  }

  @Test("forwards values up to the first that doesn't pass, which cancels and finishes")
  func prefix() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.tryPrefix { (value: Int) throws -> Bool in value < 2 }.record(
      demanding: .max(3), returning: .max(5))
    #expect(source.send(1) == .max(5))
    #expect(source.send(2) == .none)
    #expect(source.send(1) == .none)
    #expect(recorder.events == [.subscription, .value(1), .finished])
    #expect(source.events == [.requested(.max(3)), .cancelled])
  }

  @Test("fails with its closure's error")
  func throwing() {
    checkThrowing { source, probe in
      source.tryPrefix { (_: Int) throws -> Bool in
        try probe()
        return true
      }
    }
  }
}
