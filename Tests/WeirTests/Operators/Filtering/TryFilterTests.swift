import Testing
import Weir

@testable import TestSupport

@Suite("tryFilter")
struct TryFilterTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "TryFilter") { source, token in
      source.tryFilter { (value: Int) throws -> Bool in withExtendedLifetime(token) { value != 2 } }
    }
  }

  @Test("filters out values that don't pass, and requests one more for each")
  func filters() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.tryFilter { (value: Int) throws -> Bool in value > 1 }.record(
      demanding: .max(2), returning: .max(3))
    #expect(source.send(1) == .max(1))
    #expect(source.send(2) == .max(3))
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(2), .finished])
    #expect(source.events == [.requested(.max(2))])
  }

  @Test("fails with its closure's error")
  func throwing() {
    checkThrowing { source, probe in
      source.tryFilter { (_: Int) throws -> Bool in
        try probe()
        return true
      }
    }
  }

  @Test("composes its closure with that of a filter or another tryFilter")
  func composes() {
    let source = ManualPublisher<Int, TestError>()
    let all = source.filter { (value: Int) -> Bool in value > 1 }
      .tryFilter { (value: Int) throws -> Bool in
        if value > 5 { throw TestError.oops }
        return value > 2
      }
      .filter { (value: Int) -> Bool in value > 3 }
      .tryFilter { (value: Int) throws -> Bool in value > 4 }
    #expect(type(of: all) == Publishers.TryFilter<ManualPublisher<Int, TestError>>.self)
    let recorder = all.record(demanding: .unlimited)
    for value in 1...6 { source.send(value) }
    #expect(recorder.events == [.subscription, .value(5), .failed(.oops)])
  }
}
