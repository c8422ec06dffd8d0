import Testing
import Weir

@testable import TestSupport

@Suite("tryCatch")
struct TryCatchTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "TryCatch") { source, token in
      source.tryCatch { (error: TestError) throws -> Empty<Int, Never> in
        withExtendedLifetime(token) {}
        throw error
      }
    }
    checkCommonRules(named: "TryCatch", failingWith: nil) { source, token in
      source.tryCatch { (_: TestError) throws -> Publishers.Sequence<[Int], Never> in
        withExtendedLifetime(token) { [7, 8].publisher }
      }
    }
  }

  @Test("continues with another publisher, from which it requests outstanding demand")
  func catches() {
    let (source, other) = (ManualPublisher<Int, TestError>(), ManualPublisher<Int, TestError>())
    var failures: [TestError] = []
    let recorder = source.tryCatch { (error: TestError) throws -> ManualPublisher<Int, TestError> in
      failures.append(error)
      return other
    }.record(demanding: .max(3), returning: .max(1))
    source.send(1)
    source.send(completion: .failure(.oops))
    other.send(2)
    other.send(completion: .failure(.other))
    #expect(recorder.events == [.subscription, .value(1), .value(2), .failed(.other)])
    #expect(failures == [.oops])
    #expect(source.events == [.requested(.max(3))])
    #expect(other.events == [.requested(.max(3))])
  }

  @Test("fails with the closure's error")
  func throwing() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.tryCatch { (_: TestError) throws -> NumberPublisher in throw TestError.other }.record()
    source.send(completion: .failure(.oops))
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .failed(.other)])
    #expect(source.events == [])
  }

  @Test("forwards a finish")
  func finishes() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.tryCatch { (_: TestError) throws -> NumberPublisher in NumberPublisher(7) }.record()
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .finished])
  }

  @Test("sends no event after the closure cancels, whether it throws or not")
  func cancellingInsideTheClosure() {
    for isThrowing in [false, true] {
      let (source, other) = (ManualPublisher<Int, TestError>(), ManualPublisher<Int, TestError>())
      let recorder = Recorder<Int, any Error>(demanding: .unlimited)
      source.tryCatch { (error: TestError) throws -> ManualPublisher<Int, TestError> in
        recorder.cancel()
        if isThrowing { throw error }
        return other
      }.subscribe(recorder)
      source.send(completion: .failure(.oops))
      #expect(recorder.events == [.subscription])
      #expect(other.subscribers.isEmpty)
    }
  }
}
