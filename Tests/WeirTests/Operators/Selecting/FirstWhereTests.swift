import Testing
import Weir

@testable import TestSupport

@Suite("first(where:)")
struct FirstWhereTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "TryFirst") { source, token in
      source.first { (value: Int) -> Bool in withExtendedLifetime(token) { value > 0 } }
    }
  }

  @Test("requests unlimited demand, cancels at the first value that passes and finishes with it")
  func takesOne() {
    let source = ManualPublisher<Int, TestError>()
    var asked: [Int] = []
    let recorder = source.first { (value: Int) -> Bool in
      asked.append(value)
      return value > 1
    }.record(demanding: .max(1), returning: .max(5))
    #expect(source.send(1) == .none)
    #expect(source.send(2) == .none)
    #expect(source.send(3) == .none)
    #expect(recorder.events == [.subscription, .value(2), .finished])
    #expect(source.events == [.requested(.unlimited), .cancelled])
    #expect(asked == [1, 2])
  }

  @Test("buffers the value until there is demand")
  func waits() {
    let recorder = [1, 2, 3].lazy.publisher.first { (value: Int) -> Bool in value > 1 }.record()
    #expect(recorder.events == [.subscription])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(2), .finished])
  }

  @Test("finishes without a value if none passes, with any demand")
  func none() {
    let recorder = [1, 2].lazy.publisher.first { (_: Int) -> Bool in false }.record()
    #expect(recorder.events == [.subscription, .finished])
  }

  @Test("sends no event after its closure cancels")
  func cancellingInsideTheClosure() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demanding: .unlimited)
    source.first { (_: Int) -> Bool in
      recorder.cancel()
      return true
    }.subscribe(recorder)
    source.send(1)
    #expect(recorder.events == [.subscription])
    #expect(source.events == [.requested(.unlimited), .cancelled])
  }
}
