import Testing
import Weir

@testable import TestSupport

@Suite("drop(untilOutputFrom:)")
struct DropUntilOutputTests {
  let source = ManualPublisher<Int, TestError>()
  let other = ManualPublisher<String, TestError>()

  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "DropUntilOutput", guarding: .ends, announcesItself: true) { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }
        .drop(untilOutputFrom: Just("go").setFailureType(to: TestError.self))
    }
  }

  @Test("drops values before the other's value, without requesting more")
  func drops() {
    let recorder = source.drop(untilOutputFrom: other).record(demanding: .max(4), returning: .max(2))
    #expect(other.events == [.requested(.max(1))])
    #expect(source.events == [.requested(.max(4))])
    #expect(source.send(1) == .none)
    #expect(other.send("go") == .none)
    #expect(source.send(2) == .max(2))
    recorder.request(.max(3))
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(2), .finished])
    #expect(source.events == [.requested(.max(4)), .requested(.max(3))])
    #expect(other.events == [.requested(.max(1)), .cancelled])
  }

  @Test("requests the other's value without any demand")
  func withoutDemand() {
    _ = source.drop(untilOutputFrom: other).record()
    #expect(other.events == [.requested(.max(1))])
    #expect(source.events == [])
  }

  @Test("completes with the other if that has sent no value, and cancels its upstream", arguments: [true, false])
  func otherEnds(_ isFinishing: Bool) {
    let recorder = source.drop(untilOutputFrom: other).record(demanding: .max(1))
    other.send(completion: isFinishing ? .finished : .failure(.oops))
    #expect(recorder.events == [.subscription, isFinishing ? .finished : .failed(.oops)])
    #expect(source.events == [.requested(.max(1)), .cancelled])
    #expect(other.events == [.requested(.max(1))])
    #expect(source.send(1) == .none)
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, isFinishing ? .finished : .failed(.oops)])
  }

  @Test("also completes if the other does so before the upstream's subscription")
  func otherEndsFirst() {
    let source = ManualPublisher<Int, TestError>(subscribing: false)
    let recorder = source.drop(untilOutputFrom: Empty<Int, TestError>()).record(demanding: .max(1))
    #expect(recorder.events == [.subscription, .finished])
    let subscription = source.sendSubscription()
    #expect(recorder.events == [.subscription, .finished])
    #expect(subscription.events == [.cancelled])
  }

  @Test("cancels the other when its upstream completes, and ignores it afterwards")
  func upstreamEnds() {
    let recorder = source.drop(untilOutputFrom: other).record()
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .failed(.oops)])
    #expect(other.events == [.requested(.max(1)), .cancelled])
    other.send("go")
    other.send(completion: .failure(.other))
    #expect(recorder.events == [.subscription, .failed(.oops)])
  }

  @Test("ignores the other's events after its value")
  func otherGoesOn() {
    let recorder = source.drop(untilOutputFrom: other).record(demanding: .unlimited)
    other.send("go")
    other.send("again")
    other.send(completion: .failure(.other))
    source.send(1)
    #expect(recorder.events == [.subscription, .value(1)])
    #expect(other.sendSubscription().events == [.cancelled])
  }

  @Test("a cancellation reaches both, once")
  func cancels() {
    let recorder = source.drop(untilOutputFrom: other).record(demanding: .max(1))
    recorder.cancel()
    recorder.cancel()
    other.send("go")
    source.send(1)
    #expect(recorder.events == [.subscription])
    #expect(source.events == [.requested(.max(1)), .cancelled])
    #expect(other.events == [.requested(.max(1)), .cancelled])
  }

  @Test("a value that races with the other's is dropped or forwarded, and all later ones are forwarded")
  func races() {
    for _ in 0..<Effort.rounds(100) {
      let (source, other) = (ManualPublisher<Int, TestError>(), ManualPublisher<Int, TestError>())
      let recorder = source.drop(untilOutputFrom: other).record(demanding: .unlimited)
      race({ source.send(1) }, { other.send(0) })
      source.send(2)
      #expect(recorder.values == [1, 2] || recorder.values == [2])
    }
  }

  @Test("equals another of equal publishers")
  func equality() {
    let one = NumberPublisher(1).drop(untilOutputFrom: NumberPublisher(2))
    #expect(one == NumberPublisher(1).drop(untilOutputFrom: NumberPublisher(2)))
    #expect(one != NumberPublisher(1).drop(untilOutputFrom: NumberPublisher(3)))
    #expect(one != NumberPublisher(2).drop(untilOutputFrom: NumberPublisher(2)))
  }
}
