import Testing
import Weir

@testable import TestSupport

@Suite("removeDuplicates")
struct RemoveDuplicatesTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "RemoveDuplicates") { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.removeDuplicates()
    }
    checkCommonRules(named: "RemoveDuplicates") { source, token in
      source.removeDuplicates { (a: Int, b: Int) -> Bool in withExtendedLifetime(token) { a == b } }
    }
  }

  @Test("filters out a value that equals the previous one, and requests one more")
  func leavesOut() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.removeDuplicates().record(demanding: .max(1), returning: .max(4))
    #expect(source.send(1) == .max(4))
    #expect(source.send(1) == .max(1))
    #expect(source.send(2) == .max(4))
    #expect(source.send(1) == .max(4))
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .value(1), .finished])
    #expect(source.events == [.requested(.max(1))])
  }

  @Test("forwards a first value that is nil")
  func optionals() {
    let values: [Int?] = [nil, nil, 1, nil]
    #expect(values.lazy.publisher.removeDuplicates().record(demanding: .unlimited).values == [nil, 1, nil])
  }

  @Test("calls its closure with the last value that passed and the new one")
  func predicate() {
    var asked: [[Int]] = []
    let recorder = [1, 2, 4, 5].lazy.publisher.removeDuplicates { (last: Int, next: Int) -> Bool in
      asked.append([last, next])
      return next - last < 2
    }.record(demanding: .unlimited)
    #expect(recorder.values == [1, 4])
    #expect(asked == [[1, 2], [1, 4], [4, 5]])
  }
}
