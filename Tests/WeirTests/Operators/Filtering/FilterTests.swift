import Testing
import Weir

@testable import TestSupport

@Suite("filter")
struct FilterTests {
  @Test("keeps the rules of all operators")
  func commonRules() {
    checkCommonRules(named: nil, guarding: .nothing) { source, token in
      source.filter { (value: Int) -> Bool in withExtendedLifetime(token) { value != 2 } }
    }
  }

  @Test("leaves out what doesn't pass and asks for another in its place")
  func leavesOut() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.filter { (value: Int) -> Bool in value > 1 }.record(demanding: .max(1), returning: .max(4))
    #expect(source.send(1) == .max(1))
    #expect(source.send(2) == .max(4))
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(2), .finished])
    #expect(source.events == [.requested(.max(1))])
  }

  @Test("finishes at once when nothing has passed, whatever the demand")
  func nothingPasses() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.filter { (_: Int) -> Bool in false }.record()
    #expect(source.send(1) == .max(1))
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .finished])
  }

  @Test("composes the closures of two filters, and asks the second only what the first let pass")
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
