import Testing
import Weir

@testable import TestSupport

@Suite("drop(untilOutputFrom:)")
struct DropUntilOutputTests {
  let source = ManualPublisher<Int, TestError>()
  let other = ManualPublisher<String, TestError>()

  @Test("keeps the rules of all operators")
  func commonRules() {
    checkCommonRules(named: "DropUntilOutput", guarding: .ends, announcesItself: true) { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }
        .drop(untilOutputFrom: Just("go").setFailureType(to: TestError.self))
    }
  }

  @Test("leaves out what comes before the other's value, and asks for nothing in its place")
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

  @Test("asks the other for its value without any demand")
  func withoutDemand() {
    _ = source.drop(untilOutputFrom: other).record()
    #expect(other.events == [.requested(.max(1))])
    #expect(source.events == [])
  }

  @Test("ends with the other when that ends without a value, and cancels its upstream", arguments: [true, false])
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

  @Test("ends so also when the other does before the upstream's subscription has come")
  func otherEndsFirst() {
    let source = ManualPublisher<Int, TestError>(subscribing: false)
    let recorder = source.drop(untilOutputFrom: Empty<Int, TestError>()).record(demanding: .max(1))
    #expect(recorder.events == [.subscription, .finished])
    let subscription = source.sendSubscription()
    #expect(recorder.events == [.subscription, .finished])
    #expect(subscription.events == [.cancelled])
  }

  @Test("cancels the other when its upstream ends, and hears it no more")
  func upstreamEnds() {
    let recorder = source.drop(untilOutputFrom: other).record()
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .failed(.oops)])
    #expect(other.events == [.requested(.max(1)), .cancelled])
    other.send("go")
    other.send(completion: .failure(.other))
    #expect(recorder.events == [.subscription, .failed(.oops)])
  }

  @Test("what the other does after its value means nothing")
  func otherGoesOn() {
    let recorder = source.drop(untilOutputFrom: other).record(demanding: .unlimited)
    other.send("go")
    other.send("again")
    other.send(completion: .failure(.other))
    source.send(1)
    #expect(recorder.events == [.subscription, .value(1)])
    #expect(other.sendSubscription().events == [.cancelled])
  }

  @Test("a cancel reaches both, once")
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

  @Test("the value that races with the other's comes or doesn't, and all later ones come")
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
