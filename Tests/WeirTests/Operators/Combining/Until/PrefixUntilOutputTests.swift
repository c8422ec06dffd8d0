import Testing
import Weir

@testable import TestSupport

@Suite("prefix(untilOutputFrom:)")
struct PrefixUntilOutputTests {
  let source = ManualPublisher<Int, TestError>()
  let other = ManualPublisher<String, TestError>()

  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "PrefixUntilOutput") { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }
        .prefix(untilOutputFrom: Empty<String, Never>(completeImmediately: false))
    }
  }

  @Test("forwards values before the other's value, which cancels both and finishes")
  func prefix() {
    let recorder = source.prefix(untilOutputFrom: other).record(demanding: .max(4), returning: .max(2))
    #expect(other.events == [.requested(.max(1))])
    #expect(source.send(1) == .max(2))
    #expect(other.send("stop") == .none)
    #expect(source.send(2) == .none)
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value(1), .finished])
    #expect(source.events == [.requested(.max(4)), .cancelled])
    #expect(other.events == [.requested(.max(1)), .cancelled])
  }

  @Test("ignores the other's finish and failure")
  func otherEnds() {
    struct Unrelated: Error {}
    let other = ManualPublisher<String, Unrelated>()
    let recorder = source.prefix(untilOutputFrom: other).record(demanding: .unlimited)
    other.send(completion: .failure(Unrelated()))
    source.send(1)
    other.send("late")
    source.send(2)
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .finished])
    #expect(source.events == [.requested(.unlimited)])
    #expect(other.events == [.requested(.max(1))])
  }

  @Test("finishes right after its subscription if the other's value arrived before")
  func otherFirst() {
    let source = ManualPublisher<Int, TestError>(subscribing: false)
    let recorder = source.prefix(untilOutputFrom: Just("stop")).record(demanding: .max(1))
    #expect(recorder.events == [])
    let subscription = source.sendSubscription()
    #expect(recorder.events == [.subscription, .finished])
    #expect(subscription.events == [.cancelled])
  }

  @Test("cancels the other when its upstream completes")
  func upstreamEnds() {
    let recorder = source.prefix(untilOutputFrom: other).record()
    source.send(completion: .failure(.oops))
    other.send("late")
    #expect(recorder.events == [.subscription, .failed(.oops)])
    #expect(other.events == [.requested(.max(1)), .cancelled])
  }

  @Test("a cancellation reaches its upstream first and then the other, once")
  func cancels() {
    let recorder = source.prefix(untilOutputFrom: other).record()
    var order: [String] = []
    source.subscriptions.first?.onCancel = { order.append("source") }
    other.subscriptions.first?.onCancel = { order.append("other") }
    recorder.cancel()
    recorder.cancel()
    #expect(order == ["source", "other"])
    #expect(recorder.events == [.subscription])
  }

  @Test("finishes after the delivery during which the other's value arrives")
  func otherInsideADelivery() {
    let recorder = Recorder<Int, TestError>(demanding: .unlimited)
    recorder.onValue = { [unowned recorder, other] _ in
      other.send("stop")
      #expect(recorder.events == [.subscription, .value(1)])
      return .none
    }
    source.prefix(untilOutputFrom: other).subscribe(recorder)
    source.send(1)
    #expect(recorder.events == [.subscription, .value(1), .finished])
  }

  @Test("a value that races with the other's arrives before the completion or not at all")
  func races() {
    for _ in 0..<Effort.rounds(100) {
      let (source, other) = (ManualPublisher<Int, TestError>(), ManualPublisher<Int, TestError>())
      let recorder = source.prefix(untilOutputFrom: other).record(demanding: .unlimited)
      race({ for value in 1...3 { source.send(value) } }, { other.send(0) })
      #expect(recorder.values == Array([1, 2, 3].prefix(recorder.values.count)))
      #expect(recorder.events.count == recorder.values.count + 2)
      #expect(recorder.isFinished)
    }
  }
}
