import Testing
import Weir

@testable import TestSupport

@Suite("Deferred")
struct DeferredTests {
  @Test("creates its publisher for each subscriber, and not before")
  func defers() {
    var made = 0
    let publisher = Deferred { () -> Just<Int> in
      made += 1
      return Just(made)
    }
    #expect(made == 0)
    let first = publisher.record(demanding: .max(1))
    let second = publisher.record()
    #expect(made == 2)
    #expect(first.events == [.subscription, .value(1), .finished])
    second.request(.max(1))
    #expect(second.events == [.subscription, .value(2), .finished])
  }

  @Test("leaves demand, completion and cancellation to the created publisher")
  func passesOn() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Deferred { source }.record(demanding: .max(2), returning: .max(1))
    #expect(source.send(1) == .max(1))
    source.send(completion: .failure(.oops))
    recorder.cancel()
    #expect(recorder.events == [.subscription, .value(1), .failed(.oops)])
    #expect(source.events == [.requested(.max(2)), .cancelled])
  }
}
