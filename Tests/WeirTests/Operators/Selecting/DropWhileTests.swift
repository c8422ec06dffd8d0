import Testing
import Weir

@testable import TestSupport

@Suite("drop(while:)")
struct DropWhileTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "DropWhile") { source, token in
      source.drop { (value: Int) -> Bool in withExtendedLifetime(token) { value < 1 } }
    }
  }

  @Test("drops values up to the first that doesn't pass, and requests one more for each")
  func drops() {
    let source = ManualPublisher<Int, TestError>()
    var asked: [Int] = []
    let recorder = source.drop { (value: Int) -> Bool in
      asked.append(value)
      return value < 3
    }.record(demanding: .max(2), returning: .max(5))
    #expect(source.send(1) == .max(1))
    #expect(source.send(2) == .max(1))
    #expect(source.send(3) == .max(5))
    #expect(source.send(1) == .max(5))
    recorder.request(.max(4))
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value(3), .value(1), .failed(.oops)])
    #expect(source.events == [.requested(.max(2)), .requested(.max(4))])
    #expect(asked == [1, 2, 3])
  }

  @Test("finishes without a value when all are dropped")
  func all() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.drop { (_: Int) -> Bool in true }.record(demanding: .max(1))
    #expect(source.send(1) == .max(1))
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .finished])
  }

  @Test("sends no event after its closure cancels")
  func cancellingInsideTheClosure() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demanding: .unlimited)
    source.drop { (_: Int) -> Bool in
      recorder.cancel()
      return false
    }.subscribe(recorder)
    source.send(1)
    #expect(recorder.events == [.subscription])
    #expect(source.events == [.requested(.unlimited), .cancelled])
  }
}
