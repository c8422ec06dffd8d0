import Testing
import Weir

@testable import TestSupport

@Suite("Fail")
struct FailTests {
  @Test("fails immediately with any demand")
  func fails() {
    #expect(Fail<Int, TestError>(error: .oops).record().events == [.subscription, .failed(.oops)])
    let inferred = Fail(outputType: Int.self, failure: TestError.other)
    let recorder = inferred.record(demanding: .unlimited)
    #expect(recorder.events == [.subscription, .failed(.other)])
    #expect(recorder.subscription.map { String(describing: $0) } == "Empty")
  }

  @Test("equals another with an equal error")
  func equality() {
    #expect(Fail<Int, TestError>(error: .oops) == Fail(error: .oops))
    #expect(Fail<Int, TestError>(error: .oops) != Fail(error: .other))
  }
}
