import Testing
import Weir

@testable import TestSupport

@Suite("tryRemoveDuplicates")
struct TryRemoveDuplicatesTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "TryRemoveDuplicates") { source, token in
      source.tryRemoveDuplicates { (a: Int, b: Int) throws -> Bool in withExtendedLifetime(token) { a == b } }
    }
  }

  @Test("compares with the last value that passed, and requests one more for each filtered one")
  func compares() {
    let source = ManualPublisher<Int, TestError>()
    var calls: [[Int]] = []
    let recorder = source.tryRemoveDuplicates { (a: Int, b: Int) throws -> Bool in
      calls.append([a, b])
      return a / 2 == b / 2
    }.record(demanding: .max(2), returning: .max(3))
    #expect(source.send(2) == .max(3))
    #expect(source.send(3) == .max(1))
    #expect(source.send(4) == .max(3))
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(2), .value(4), .finished])
    #expect(source.events == [.requested(.max(2))])
    #expect(calls == [[2, 3], [2, 4]])
  }

  @Test("fails with its closure's error")
  func throwing() {
    checkThrowing(after: [1]) { source, probe in
      source.tryRemoveDuplicates { (_: Int, _: Int) throws -> Bool in
        try probe()
        return false
      }
    }
  }
}
