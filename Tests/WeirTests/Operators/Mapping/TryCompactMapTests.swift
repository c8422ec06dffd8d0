import Testing
import Weir

@testable import TestSupport

@Suite("tryCompactMap")
struct TryCompactMapTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "TryCompactMap") { source, token in
      source.tryCompactMap { (value: Int) throws -> Int? in withExtendedLifetime(token) { value == 2 ? nil : value } }
    }
  }

  @Test("filters out nil results, and requests one more for each")
  func transforms() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.tryCompactMap { (value: Int) throws -> String? in value > 1 ? "\(value)" : nil }.record(
      demanding: .max(2), returning: .max(3))
    #expect(source.send(1) == .max(1))
    #expect(source.send(2) == .max(3))
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value("2"), .finished])
    #expect(source.events == [.requested(.max(2))])
  }

  @Test("fails with its closure's error")
  func throwing() {
    checkThrowing { source, probe in
      source.tryCompactMap { (value: Int) throws -> Int? in
        try probe()
        return value
      }
    }
  }

  @Test("composes its closure with that of a compactMap")
  func composes() {
    let source = ManualPublisher<Int, TestError>()
    let both = source.tryCompactMap { (value: Int) throws -> Int? in value > 1 ? value : nil }
      .compactMap { (value: Int) throws -> String? in
        if value > 3 { throw TestError.oops }
        return value > 2 ? "\(value)" : nil
      }
    #expect(type(of: both) == Publishers.TryCompactMap<ManualPublisher<Int, TestError>, String>.self)
    let recorder = both.record(demanding: .unlimited)
    for value in 1...4 { source.send(value) }
    #expect(recorder.events == [.subscription, .value("3"), .failed(.oops)])
  }
}
