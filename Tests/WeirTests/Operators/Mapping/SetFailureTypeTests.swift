import Testing
import Weir

@testable import TestSupport

@Suite("setFailureType")
struct SetFailureTypeTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "ReplaceError", guarding: .everything, failingWith: nil) { source, token in
      source.replaceError(with: 0).map { (value: Int) -> Int in withExtendedLifetime(token) { value } }
        .setFailureType(to: TestError.self)
    }
  }

  @Test("changes only the type")
  func passesOn() {
    let source = ManualPublisher<Int, Never>()
    let recorder: Recorder<Int, TestError> = source.setFailureType(to: TestError.self).record(
      demanding: .max(2), returning: .max(3))
    #expect(source.send(1) == .max(3))
    source.send(completion: .finished)
    recorder.request(.max(5))
    recorder.cancel()
    #expect(recorder.events == [.subscription, .value(1), .finished])
    #expect(source.events == [.requested(.max(2)), .requested(.max(5)), .cancelled])
  }

  @Test("replaces another change of the type")
  func replaces() {
    struct Other: Error {}
    let twice = NumberPublisher(1).setFailureType(to: TestError.self).setFailureType(to: Other.self)
    #expect(type(of: twice) == Publishers.SetFailureType<NumberPublisher, Other>.self)
    #expect(twice.record(demanding: .unlimited).events == [.subscription, .value(1), .finished])
  }

  @Test("equals another on an equal upstream")
  func equality() {
    #expect(
      NumberPublisher(1).setFailureType(to: TestError.self) == NumberPublisher(1).setFailureType(to: TestError.self))
    #expect(
      NumberPublisher(1).setFailureType(to: TestError.self) != NumberPublisher(2).setFailureType(to: TestError.self))
  }
}
