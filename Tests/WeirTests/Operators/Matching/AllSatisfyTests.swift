import Testing
import Weir

@testable import TestSupport

@Suite("allSatisfy")
struct AllSatisfyTests {
  @Test("conforms to the operator contract", arguments: [2, 9])
  func commonRules(_ limit: Int) {
    checkCommonRules(named: "AllSatisfy") { source, token in
      source.allSatisfy { (value: Int) -> Bool in withExtendedLifetime(token) { value < limit } }
    }
  }

  @Test("cancels the upstream at the first value that doesn't pass, and buffers the result")
  func notAll() {
    let source = ManualPublisher<Int, TestError>()
    var asked: [Int] = []
    let recorder = source.allSatisfy { (value: Int) -> Bool in
      asked.append(value)
      return value < 2
    }.record()
    for value in 1...3 { #expect(source.send(value) == .none) }
    #expect(recorder.events == [.subscription])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(false), .finished])
    #expect(source.events == [.requested(.unlimited), .cancelled])
    #expect(asked == [1, 2])
  }

  @Test("sends true when all values have passed, also without values")
  func all() {
    let recorder = (1...3).lazy.publisher.allSatisfy { (value: Int) -> Bool in value < 4 }.record(demanding: .max(1))
    #expect(recorder.events == [.subscription, .value(true), .finished])
    let source = ManualPublisher<Int, TestError>()
    let empty = source.allSatisfy { (_: Int) -> Bool in false }.record(demanding: .max(1))
    source.send(completion: .finished)
    #expect(empty.events == [.subscription, .value(true), .finished])
    #expect(source.events == [.requested(.unlimited)])
  }
}
