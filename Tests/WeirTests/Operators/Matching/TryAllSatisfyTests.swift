import Testing
import Weir

@testable import TestSupport

@Suite("tryAllSatisfy")
struct TryAllSatisfyTests {
  @Test("conforms to the operator contract", arguments: [2, 9])
  func commonRules(_ limit: Int) {
    checkCommonRules(named: "TryAllSatisfy") { source, token in
      source.tryAllSatisfy { (value: Int) throws -> Bool in withExtendedLifetime(token) { value < limit } }
    }
  }

  @Test("cancels the upstream at the first value that doesn't pass, or sends true at the finish")
  func answers() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.tryAllSatisfy { (value: Int) throws -> Bool in value < 2 }.record(demanding: .max(1))
    for value in 1...3 { #expect(source.send(value) == .none) }
    #expect(recorder.events == [.subscription, .value(false), .finished])
    #expect(source.events == [.requested(.unlimited), .cancelled])
    let other = ManualPublisher<Int, TestError>()
    let second = other.tryAllSatisfy { (value: Int) throws -> Bool in value < 2 }.record(demanding: .max(1))
    other.send(1)
    other.send(completion: .finished)
    #expect(second.events == [.subscription, .value(true), .finished])
  }

  @Test("fails with its closure's error")
  func throwing() {
    checkThrowing { source, probe in
      source.tryAllSatisfy { (_: Int) throws -> Bool in
        try probe()
        return false
      }
    }
  }
}
