import Testing
import Weir

@testable import TestSupport

@Suite("filter")
struct FilterTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: nil, guarding: .nothing) { source, token in
      source.filter { (value: Int) -> Bool in withExtendedLifetime(token) { value != 2 } }
    }
  }

  @Test("filters out values that don't pass, and requests one more for each")
  func leavesOut() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.filter { (value: Int) -> Bool in value > 1 }.record(demanding: .max(1), returning: .max(4))
    #expect(source.send(1) == .max(1))
    #expect(source.send(2) == .max(4))
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(2), .finished])
    #expect(source.events == [.requested(.max(1))])
  }

  @Test("finishes immediately when no value has passed, with any demand")
  func nothingPasses() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.filter { (_: Int) -> Bool in false }.record()
    #expect(source.send(1) == .max(1))
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .finished])
  }

  @Test("composes the closures of two filters, and calls the second only for values that pass the first")
  func composes() {
    var asked: [Int] = []
    let source = AnyPublisher([1, 2, 3, 4].publisher)
    let twice = source.filter { (value: Int) -> Bool in value > 2 }.filter { (value: Int) -> Bool in
      asked.append(value)
      return value.isMultiple(of: 2)
    }
    #expect(type(of: twice) == Publishers.Filter<AnyPublisher<Int, Never>>.self)
    #expect(twice.record(demanding: .unlimited).values == [4])
    #expect(asked == [3, 4])
  }
}
