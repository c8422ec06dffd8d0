import Testing
import Weir

@testable import TestSupport

@Suite("tryMin, tryMax")
struct TryComparisonTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "TryComparison") { source, token in
      source.tryMax { (a: Int, b: Int) throws -> Bool in withExtendedLifetime(token) { a < b } }
    }
    checkCommonRules(named: "TryComparison") { source, token in
      source.tryMin { (a: Int, b: Int) throws -> Bool in withExtendedLifetime(token) { a < b } }
    }
  }

  @Test("finds the minimum and the maximum by its closure, and requests unlimited demand")
  func finds() {
    let source = ManualPublisher<Int, TestError>()
    let least = source.tryMin { (a: Int, b: Int) throws -> Bool in a < b }.record(demanding: .max(1))
    let greatest = source.tryMax { (a: Int, b: Int) throws -> Bool in a < b }.record(demanding: .max(1))
    for index in 0...1 {
      for value in [2, 3, 1] { #expect(source.send(value, to: index) == .none) }
      source.send(completion: .finished, to: index)
    }
    #expect(least.events == [.subscription, .value(1), .finished])
    #expect(greatest.events == [.subscription, .value(3), .finished])
    #expect(source.events == [.requested(.unlimited)])
  }

  @Test("fails with its closure's error")
  func throwing() {
    checkThrowing { source, probe in
      source.tryMin { (_: Int, _: Int) throws -> Bool in
        try probe()
        return true
      }
    }
    checkThrowing { source, probe in
      source.tryMax { (_: Int, _: Int) throws -> Bool in
        try probe()
        return true
      }
    }
  }
}
