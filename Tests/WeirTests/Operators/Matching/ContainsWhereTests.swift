import Testing
import Weir

@testable import TestSupport

@Suite("contains(where:)")
struct ContainsWhereTests {
  @Test("conforms to the operator contract", arguments: [1, 9])
  func commonRules(_ limit: Int) {
    checkCommonRules(named: "ContainsWhere") { source, token in
      source.contains { (value: Int) -> Bool in withExtendedLifetime(token) { value > limit } }
    }
  }

  @Test("cancels the upstream at the first value that passes, and doesn't call its closure again")
  func found() {
    let source = ManualPublisher<Int, TestError>()
    var asked: [Int] = []
    let recorder = source.contains { (value: Int) -> Bool in
      asked.append(value)
      return value > 1
    }.record(demanding: .max(1))
    for value in 1...3 { #expect(source.send(value) == .none) }
    #expect(recorder.events == [.subscription, .value(true), .finished])
    #expect(source.events == [.requested(.unlimited), .cancelled])
    #expect(asked == [1, 2])
  }

  @Test("sends false when the upstream finishes without such a value")
  func notFound() {
    let recorder = (1...3).lazy.publisher.contains { (value: Int) -> Bool in value > 3 }.record(demanding: .max(1))
    #expect(recorder.events == [.subscription, .value(false), .finished])
  }
}
