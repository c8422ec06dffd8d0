import Testing
import Weir

@testable import TestSupport

@Suite("map")
struct MapTests {
  @Test("transforms each value, and forwards demand and the completion unchanged")
  func transforms() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.map { (value: Int) -> String in "\(value * 2)" }.record(
      demanding: .max(2), returning: .max(1))
    #expect(source.events == [.requested(.max(2))])
    #expect(source.send(1) == .max(1))
    #expect(source.send(2) == .max(1))
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value("2"), .value("4"), .finished])
  }

  @Test("forwards a failure")
  func fails() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.map { (value: Int) -> Int in value }.record()
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .failed(.oops)])
  }

  @Test("forwards the upstream's own subscription, so a cancellation reaches the upstream")
  func cancels() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.map { (value: Int) -> Int in value }.record(demanding: .unlimited)
    #expect(recorder.subscription.map { String(describing: $0) } == "Manual")
    recorder.cancel()
    #expect(source.events == [.requested(.unlimited), .cancelled])
  }

  @Test("composes the closures of two maps into one operator")
  func composes() {
    let source = AnyPublisher([1, 2].publisher)
    let twice = source.map { (value: Int) -> Int in value + 1 }.map { (value: Int) -> Int in value * 10 }
    #expect(type(of: twice) == Publishers.Map<AnyPublisher<Int, Never>, Int>.self)
    #expect(twice.record(demanding: .unlimited).values == [20, 30])
  }

  @Test("serves each subscriber independently")
  func secondSubscription() {
    let mapped = [1, 2, 3].lazy.publisher.map { (value: Int) -> Int in -value }
    let first = mapped.record(demanding: .max(1))
    let second = mapped.record(demanding: .unlimited)
    #expect(first.events == [.subscription, .value(-1)])
    #expect(second.events == [.subscription, .value(-1), .value(-2), .value(-3), .finished])
  }

  @Test("releases its closure at completion, at cancellation, and without a subscription")
  func releases() {
    #expect(
      isReleased { token in _ = [1].lazy.publisher.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }
      })
    for ending in Ending.allCases {
      #expect(
        isReleased { token in
          let subject = PassthroughSubject<Int, TestError>()
          let recorder = subject.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }
            .record(demanding: .unlimited)
          ending.happen(to: subject, recorder)
        }, "\(ending)")
    }
  }
}
