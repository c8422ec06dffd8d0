import Testing
import Weir

@testable import TestSupport

@Suite("tryContains(where:)")
struct TryContainsWhereTests {
  @Test("conforms to the operator contract", arguments: [1, 9])
  func commonRules(_ limit: Int) {
    checkCommonRules(named: "TryContainsWhere") { source, token in
      source.tryContains { (value: Int) throws -> Bool in withExtendedLifetime(token) { value > limit } }
    }
  }

  @Test("cancels the upstream at the first value that passes, or sends false at the finish")
  func answers() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.tryContains { (value: Int) throws -> Bool in value > 1 }.record()
    for value in 1...3 { #expect(source.send(value) == .none) }
    #expect(recorder.events == [.subscription])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(true), .finished])
    #expect(source.events == [.requested(.unlimited), .cancelled])
    let other = ManualPublisher<Int, TestError>()
    let second = other.tryContains { (value: Int) throws -> Bool in value > 1 }.record(demanding: .max(1))
    other.send(1)
    other.send(completion: .finished)
    #expect(second.events == [.subscription, .value(false), .finished])
  }

  @Test("fails with its closure's error")
  func throwing() {
    checkThrowing { source, probe in
      source.tryContains { (_: Int) throws -> Bool in
        try probe()
        return true
      }
    }
  }
}
