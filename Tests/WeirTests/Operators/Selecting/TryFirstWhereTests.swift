import Testing
import Weir

@testable import TestSupport

@Suite("tryFirst(where:)")
struct TryFirstWhereTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "TryFirstWhere") { source, token in
      source.tryFirst { (value: Int) throws -> Bool in withExtendedLifetime(token) { value > 1 } }
    }
  }

  @Test("cancels the upstream at the first value that passes, which is buffered until there is demand")
  func first() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.tryFirst { (value: Int) throws -> Bool in value > 1 }.record()
    for value in 1...3 { #expect(source.send(value) == .none) }
    #expect(recorder.events == [.subscription])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(2), .finished])
    #expect(source.events == [.requested(.unlimited), .cancelled])
  }

  @Test("finishes without a value if none passes")
  func none() {
    let recorder = [1, 2].publisher.tryFirst { (_: Int) throws -> Bool in false }.record()
    #expect(recorder.events == [.subscription, .finished])
  }

  @Test("fails with its closure's error")
  func throwing() {
    checkThrowing { source, probe in
      source.tryFirst { (_: Int) throws -> Bool in
        try probe()
        return true
      }
    }
  }
}
