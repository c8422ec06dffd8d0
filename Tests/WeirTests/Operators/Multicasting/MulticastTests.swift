import Testing
import Weir

@testable import TestSupport

@Suite("multicast")
struct MulticastTests {
  let source = ManualPublisher<Int, TestError>()

  @Test("sends no value before it is connected; then one subscription serves all")
  func connects() {
    let multicast = source.multicast(subject: PassthroughSubject())
    let first = multicast.record(demanding: .unlimited)
    let second = multicast.record(demanding: .max(1))
    #expect(source.subscribers.isEmpty)
    #expect(first.events == [.subscription])
    let connection = multicast.connect()
    #expect(source.events == [.requested(.unlimited)])
    source.send(1)
    source.send(2)
    source.send(completion: .finished)
    #expect(first.events == [.subscription, .value(1), .value(2), .finished])
    #expect(second.events == [.subscription, .value(1), .finished])
    #expect(source.subscribers.count == 1)
    connection.cancel()
    #expect(source.events == [.requested(.unlimited)])
  }

  @Test("requests returned demand from the subject, and returns none")
  func returnedDemand() {
    let subject = ManualSubject()
    let recorder = source.multicast(subject: subject).record(demanding: .max(2), returning: .max(3))
    #expect(subject.upstream.send(1) == .none)
    #expect(subject.upstream.events == [.requested(.max(2)), .requested(.max(3))])
    #expect(recorder.values == [1])
  }

  @Test("requests no values until a subscriber does")
  func waitsForDemand() {
    let multicast = source.multicast(subject: PassthroughSubject())
    let recorder = multicast.record()
    let connection = multicast.connect()
    #expect(source.events == [])
    recorder.request(.max(1))
    #expect(source.events == [.requested(.unlimited)])
    withExtendedLifetime(connection) {}
  }

  @Test("cancelling or releasing the connection cancels the upstream once; it can be connected again")
  func disconnects() {
    let multicast = source.multicast(subject: PassthroughSubject())
    let recorder = multicast.record(demanding: .unlimited)
    var connection: (any Cancellable)? = multicast.connect()
    connection?.cancel()
    connection = nil
    #expect(source.isCancelledOnce)
    source.send(1)
    #expect(recorder.events == [.subscription])
    connection = multicast.connect()
    source.send(2, to: 1)
    #expect(recorder.events == [.subscription, .value(2)])
    connection = nil
    #expect(source.subscriptions[1].events.last == .cancelled)
  }

  @Test("creates its subject at the first use, once")
  func createsSubject() {
    var made = 0
    let multicast = source.multicast { () -> CurrentValueSubject<Int, TestError> in
      made += 1
      return CurrentValueSubject(7)
    }
    #expect(made == 0)
    let first = multicast.record(demanding: .unlimited)
    let connection = multicast.connect()
    let second = multicast.record(demanding: .unlimited)
    #expect(made == 1)
    source.send(8)
    #expect(first.values == [7, 8])
    #expect(second.values == [7, 8])
    withExtendedLifetime(connection) {}
  }

  @Test("a subscriber's cancellation doesn't affect the others and the upstream")
  func cancels() {
    let multicast = source.multicast(subject: PassthroughSubject())
    let (first, second) = (multicast.record(demanding: .unlimited), multicast.record(demanding: .unlimited))
    let connection = multicast.connect()
    first.cancel()
    source.send(1)
    #expect(first.events == [.subscription])
    #expect(second.events == [.subscription, .value(1)])
    #expect(source.events == [.requested(.unlimited)])
    withExtendedLifetime(connection) {}
  }

  @Test("forwards a failure, also to later subscribers")
  func fails() {
    let multicast = source.multicast(subject: PassthroughSubject())
    let recorder = multicast.record()
    let connection = multicast.connect()
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .failed(.oops)])
    #expect(multicast.record().events == [.subscription, .failed(.oops)])
    withExtendedLifetime(connection) {}
  }

  @Test("cancels a second subscription of the upstream, and ignores events after its completion")
  func misbehaving() {
    let multicast = source.multicast(subject: PassthroughSubject())
    let recorder = multicast.record(demanding: .unlimited)
    let connection = multicast.connect()
    #expect(source.sendSubscription().events == [.cancelled])
    source.send(completion: .finished)
    source.send(1)
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .finished])
    withExtendedLifetime(connection) {}
  }

  @Test("releases a subscriber at completion and at cancellation")
  func releases() {
    for ending in Ending.allCases {
      let subject = PassthroughSubject<Int, TestError>()
      let multicast = subject.multicast(subject: PassthroughSubject())
      let connection = multicast.connect()
      #expect(
        isReleased { token in
          let recorder = multicast.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }
            .record(demanding: .unlimited)
          ending.happen(to: subject, recorder)
        }, "\(ending)")
      withExtendedLifetime(connection) {}
    }
  }

  @Test("describes itself by its own name")
  func name() {
    let recorder = source.multicast(subject: PassthroughSubject()).record()
    #expect(recorder.subscription.map { String(describing: $0) } == "Multicast")
  }

  @Test("ignores a subject's events after a cancellation and after the completion")
  func misbehavingSubject() {
    let subject = CarelessSubject()
    let multicast = source.multicast(subject: subject)
    let cancelled = multicast.record(demanding: .unlimited)
    cancelled.cancel()
    let finished = multicast.record(demanding: .unlimited)
    subject.send(completion: .finished)
    subject.send(1)
    #expect(cancelled.events == [.subscription])
    #expect(finished.events == [.subscription, .finished])
  }
}

/// A subject that releases no subscriber, and ignores demand.
private final class CarelessSubject: Subject {
  typealias Output = Int
  typealias Failure = TestError

  private let manual = ManualPublisher<Int, TestError>()

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestError {
    manual.receive(subscriber: subscriber)
  }

  func send(_ value: Int) {
    for index in manual.subscribers.indices { manual.send(value, to: index) }
  }

  func send(completion: Subscribers.Completion<TestError>) {
    for index in manual.subscribers.indices { manual.send(completion: completion, to: index) }
  }

  func send(subscription: any Subscription) {}
}

/// A user's subject.
private final class ManualSubject: Subject {
  typealias Output = Int
  typealias Failure = TestError

  let upstream = ManualPublisher<Int, TestError>()

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestError {
    upstream.receive(subscriber: subscriber)
  }

  func send(_ value: Int) {}

  func send(completion: Subscribers.Completion<TestError>) {}

  func send(subscription: any Subscription) {}
}
