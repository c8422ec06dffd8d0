import Testing
import Weir

@testable import TestSupport

@Suite("Empty")
struct EmptyTests {
  @Test("finishes immediately with any demand")
  func finishes() {
    #expect(Empty<Int, TestError>().record().events == [.subscription, .finished])
    #expect(Empty<Int, TestError>().record(demanding: .unlimited).events == [.subscription, .finished])
    let inferred = Empty(outputType: Int.self, failureType: TestError.self)
    #expect(inferred.completeImmediately)
    #expect(inferred.record().events == [.subscription, .finished])
  }

  @Test("never completes if completeImmediately is false")
  func never() {
    let recorder = Empty<Int, TestError>(completeImmediately: false).record(demanding: .unlimited)
    recorder.request(.max(1))
    recorder.cancel()
    #expect(recorder.events == [.subscription])
    #expect(recorder.subscription.map { String(describing: $0) } == "Empty")
  }

  @Test("retains no subscriber")
  func releases() {
    for completes in [false, true] {
      let kept = Box<(any Subscription)?>(nil)
      #expect(
        isReleased { token in
          let recorder = Recorder<Int, TestError>()
          recorder.onCompletion = { withExtendedLifetime(token) {} }
          Empty(completeImmediately: completes).subscribe(recorder)
          kept.value = recorder.subscription
        })
      withExtendedLifetime(kept) {}
    }
  }

  @Test("equals another with the same completion")
  func equality() {
    #expect(Empty<Int, Never>() == Empty<Int, Never>(completeImmediately: true))
    #expect(Empty<Int, Never>() != Empty<Int, Never>(completeImmediately: false))
  }
}
