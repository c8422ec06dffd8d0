import Testing
import Weir

@testable import TestSupport

@Suite("prefix(while:)")
struct PrefixWhileTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "PrefixWhile") { source, token in
      source.prefix { (value: Int) -> Bool in withExtendedLifetime(token) { value < 4 } }
    }
  }

  @Test("forwards values up to the first that doesn't pass, which cancels and finishes")
  func prefix() {
    let source = ManualPublisher<Int, TestError>()
    var asked: [Int] = []
    let recorder = source.prefix { (value: Int) -> Bool in
      asked.append(value)
      return value < 3
    }.record(demanding: .max(3), returning: .max(5))
    #expect(source.send(1) == .max(5))
    #expect(source.send(2) == .max(5))
    #expect(source.send(3) == .none)
    #expect(source.send(1) == .none)
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value(1), .value(2), .finished])
    #expect(source.events == [.requested(.max(3)), .cancelled])
    #expect(asked == [1, 2, 3])
  }

  @Test("completes with the upstream when all values pass")
  func allPass() {
    let recorder = [1, 2].lazy.publisher.prefix { (_: Int) -> Bool in true }.record(demanding: .max(2))
    #expect(recorder.events == [.subscription, .value(1), .value(2), .finished])
  }

  @Test("sends neither a value nor a completion after its closure cancels")
  func cancellingInsideTheClosure() {
    for passes in [false, true] {
      let source = ManualPublisher<Int, TestError>()
      let recorder = Recorder<Int, TestError>(demanding: .unlimited)
      source.prefix { (_: Int) -> Bool in
        recorder.cancel()
        return passes
      }.subscribe(recorder)
      source.send(1)
      #expect(recorder.events == [.subscription])
      #expect(source.events == [.requested(.unlimited), .cancelled])
    }
  }
}
