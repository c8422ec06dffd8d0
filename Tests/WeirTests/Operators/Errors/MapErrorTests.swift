import Testing
import Weir

@testable import TestSupport

@Suite("mapError")
struct MapErrorTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: nil, guarding: .nothing, failingWith: .other) { source, token in
      source.mapError { (_: TestError) -> TestError in withExtendedLifetime(token) { .other } }
    }
  }

  @Test("transforms the failure, and forwards values and demand unchanged")
  func transforms() {
    let source = ManualPublisher<Int, TestError>()
    var errors: [TestError] = []
    let recorder = source.mapError { (error: TestError) -> any Error in
      errors.append(error)
      return TestError.other
    }.record(demanding: .max(1), returning: .max(2))
    #expect(source.send(1) == .max(2))
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value(1), .failed(.other)])
    #expect(errors == [.oops])
    #expect(source.events == [.requested(.max(1))])
  }

  @Test("doesn't call its closure at a finish")
  func finishes() {
    var calls = 0
    let recorder = Empty<Int, TestError>().mapError { (error: TestError) -> TestError in
      calls += 1
      return error
    }.record()
    #expect(recorder.events == [.subscription, .finished])
    #expect(calls == 0)
  }
}
