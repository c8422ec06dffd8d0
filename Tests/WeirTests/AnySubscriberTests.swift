import Testing
import Weir

@testable import TestSupport

@Suite("AnySubscriber")
struct AnySubscriberTests {
  @Test("forwards all events to the wrapped subscriber, and describes itself as that")
  func wrapsASubscriber() {
    let recorder = Recorder<Int, TestError>(demanding: .max(2), returning: .max(3))
    let subscriber = AnySubscriber(AnySubscriber(recorder))
    let subscription = ManualSubscription()
    subscriber.receive(subscription: subscription)
    #expect(subscriber.receive(1) == .max(3))
    subscriber.receive(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value(1), .failed(.oops)])
    #expect(subscription.events == [.requested(.max(2))])
    #expect(subscriber.combineIdentifier == recorder.combineIdentifier)
    let sink = Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }, receiveValue: { _ in })
    #expect(AnySubscriber(sink).description == "Sink")
    #expect(AnySubscriber(sink).playgroundDescription as? String == "Sink")
    #expect(AnySubscriber(sink).customMirror.children.isEmpty)
    let subject = Mirror(reflecting: AnySubscriber(PassthroughSubject<Int, Never>()))
    #expect(subject.children.map(\.label) == ["subject", "upstreamSubscription"])
    #expect("\(Mirror(reflecting: AnySubscriber<Int, Never>()).subjectType)" == "String")
  }

  @Test("forwards all events to its closures")
  func closures() {
    var log: [String] = []
    let subscriber = AnySubscriber<Int, TestError>(
      receiveSubscription: { log.append("\($0)") },
      receiveValue: { value in
        log.append("\(value)")
        return .max(value)
      }, receiveCompletion: { log.append("\($0 == .finished)") })
    subscriber.receive(subscription: Subscriptions.empty)
    #expect(subscriber.receive(7) == .max(7))
    subscriber.receive(completion: .finished)
    #expect(log == ["Empty", "7", "true"])
  }

  @Test("requests no values without closures")
  func noClosures() {
    let subscriber = AnySubscriber<Int, TestError>()
    let subscription = ManualSubscription()
    subscriber.receive(subscription: subscription)
    #expect(subscriber.receive(1) == .none)
    subscriber.receive(completion: .finished)
    #expect(subscription.events == [])
    #expect(subscriber.description == "Anonymous AnySubscriber")
    #expect(subscriber.combineIdentifier == subscriber.combineIdentifier)
    #expect(subscriber.combineIdentifier != AnySubscriber<Int, TestError>().combineIdentifier)
  }

  @Test("sends received events into a subject, and requests unlimited demand")
  func subject() {
    let subject = CurrentValueSubject<Int, TestError>(0)
    let recorder = subject.record(demanding: .unlimited)
    let source = ManualPublisher<Int, TestError>()
    source.subscribe(AnySubscriber(subject))
    #expect(source.events == [.requested(.unlimited)])
    #expect(source.send(1) == .none)
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value(0), .value(1), .failed(.oops)])
    #expect(AnySubscriber(subject).description == "Subject")
  }
}
