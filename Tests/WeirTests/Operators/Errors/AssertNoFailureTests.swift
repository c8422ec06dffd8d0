import Testing
import Weir

@testable import TestSupport

@Suite("assertNoFailure")
struct AssertNoFailureTests {
  @Test("forwards values, demand and a finish unchanged")
  func passesOn() {
    let source = ManualPublisher<Int, TestError>()
    let recorder: Recorder<Int, Never> = source.assertNoFailure().record(demanding: .max(2), returning: .max(3))
    #expect(recorder.subscription.map { String(describing: $0) } == "Manual")
    #expect(String(describing: source.subscribers[0]) == "AssertNoFailure")
    #expect(source.send(1) == .max(3))
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(1), .finished])
    recorder.cancel()
    #expect(source.events == [.requested(.max(2)), .cancelled])
  }

  @Test("stops the program at a failure")
  func fails() async {
    await #expect(processExitsWith: .failure) {
      _ = Fail<Int, TestError>(error: .oops).assertNoFailure("what can't be").sink { _ in }
    }
  }

  @Test("reports its location")
  func properties() {
    let assertion = NumberPublisher(1).assertNoFailure("prefix", file: "file", line: 7)
    #expect(assertion.prefix == "prefix")
    #expect(assertion.file.description == "file")
    #expect(assertion.line == 7)
  }
}
