import Dispatch
import Synchronization
import Testing
import Weir

@testable import TestSupport

/// What stands between a program's publishers and this library's subscribers.
@Suite("publishers that break the rules")
struct StrictSubscriberTests {
  /// Sends numbers on several threads at once.
  struct Racing: Publisher {
    typealias Output = String
    typealias Failure = TestError

    let count: Int

    func receive<S: Subscriber>(subscriber: S) where S.Input == String, S.Failure == TestError {
      subscriber.receive(subscription: Subscriptions.empty)
      let send = { for number in 0..<count { _ = subscriber.receive("the number \(number / 2)") } }
      race(send, send, send, send)
      subscriber.receive(completion: .finished)
    }
  }

  /// Counts the threads that are inside at once.
  final class Inside: Sendable {
    private let now = Atomic(0)
    private let most = Atomic(0)

    func visit() {
      let count = now.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
      most.max(count, ordering: .sequentiallyConsistent)
      now.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    }

    var maximum: Int { most.load(ordering: .sequentiallyConsistent) }
  }

  static let count = min(Effort.rounds(2_000), 10_000)

  /// How many values come through an operator, if one thread at a time gets to its subscriber.
  static func received<P: Publisher>(through operation: (Racing) -> P) -> Int {
    let inside = Inside()
    var count = 0
    let sink = operation(Racing(count: Self.count)).sink(receiveCompletion: { _ in }) { _ in
      inside.visit()
      count += 1
    }
    withExtendedLifetime(sink) {}
    #expect(inside.maximum == 1)
    return count
  }

  @Test("lets one thread at a time into a sink and every operator, and loses nothing")
  func serializes() {
    let all = 4 * Self.count
    #expect(Self.received { $0 } == all)
    #expect(Self.received { $0.map { (text: String) -> String in text + "!" } } == all)
    #expect(Self.received { $0.scan("") { (_: String, text: String) -> String in text } } == all)
    #expect(Self.received { $0.eraseToAnyPublisher().tryMap { (text: String) throws -> String in text } } == all)
    #expect(Self.received { racing in Deferred { racing }.handleEvents() } == all)
    #expect(Self.received { $0.append("last") } == all + 1)
    #expect(Self.received { $0.merge(with: Empty()) } == all)
    #expect(Self.received { $0.collect() } == 1)
    #expect(Self.received { $0.removeDuplicates() } <= all)
    var gathered: [String] = []
    let sink = Racing(count: Self.count).collect().sink(receiveCompletion: { _ in }) { gathered = $0 }
    #expect(gathered.count == all)
    withExtendedLifetime(sink) {}
  }

  /// Sends all of it when values are requested, while the subscriber still receives the subscription.
  struct Garrulous: Publisher {
    typealias Output = Int
    typealias Failure = TestError

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestError {
      let subscription = ManualSubscription()
      subscription.onRequest = { _ in
        _ = subscriber.receive(1)
        subscriber.receive(completion: .finished)
        _ = subscriber.receive(2)
      }
      subscriber.receive(subscription: subscription)
      subscription.onRequest = { _ in }
    }
  }

  @Test("drops a value that follows a completion within one request, before any closure sees it")
  func valueAfterCompletion() {
    var mapped: [Int] = []
    let recorder = Garrulous().map { (value: Int) -> Int in
      mapped.append(value)
      return value
    }.record(demanding: .unlimited)
    #expect(mapped == [1])
    #expect(recorder.events == [.subscription, .value(1), .finished])
  }

  @Test("lets one thread at a time into a sink that a program calls itself")
  func sinkByItself() {
    var texts: [String] = []
    let sink = Subscribers.Sink<String, TestError>(receiveCompletion: { _ in }) { texts.append($0) }
    Racing(count: Self.count).receive(subscriber: sink)
    #expect(texts.count == 4 * Self.count)
  }

  @Test("leaves the value of another thread to the thread that delivers")
  func anotherThread() {
    let source = ManualPublisher<Int, TestError>()
    var values: [Int] = []
    let sink = source.sink(receiveCompletion: { _ in }) { value in
      if value == 1 {
        onAnotherThread { source.send(2) }
        values.append(0)
      }
      values.append(value)
    }
    source.send(1)
    #expect(values == [0, 1, 2])
    withExtendedLifetime(sink) {}
  }

  @Test("delivers nested what the same thread sends")
  func nested() {
    let source = ManualPublisher<Int, TestError>()
    var values: [Int] = []
    let sink = source.sink(receiveCompletion: { _ in }) { value in
      if value == 1 { source.send(2) }
      values.append(value)
    }
    source.send(1)
    #expect(values == [2, 1])
    withExtendedLifetime(sink) {}
  }

  @Test("passes on a value without demand and one without a subscription, and drops what comes after the end")
  func passesOn() {
    let early = ManualPublisher<Int, TestError>(subscribing: false)
    let recorder = early.map { (value: Int) -> Int in value }.record()
    early.send(1)
    #expect(recorder.events == [.value(1)])
    let source = ManualPublisher<Int, TestError>()
    let other = source.map { (value: Int) -> Int in value }.record(demanding: .max(1))
    for value in 1...3 { source.send(value) }
    source.sendSubscription()
    source.send(completion: .finished)
    source.send(4)
    source.send(completion: .failure(.oops))
    #expect(other.events == [.subscription, .value(1), .value(2), .value(3), .finished])
    #expect(source.subscriptions.map(\.events) == [[.requested(.max(1))], [.cancelled]])
  }

  @Test("drops what a publisher sends after a cancel, and releases the subscriber")
  func cancel() {
    let source = ManualPublisher<Int, TestError>()
    let isGone = isReleased { token in
      var recorder: Recorder? = source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }
        .record(demanding: .unlimited)
      source.send(1)
      recorder?.cancel()
      source.send(2)
      #expect(recorder?.values == [1])
      recorder = nil
    }
    #expect(isGone, "The publisher keeps its subscriber, but what stands behind is released.")
  }

  @Test("shows the subscriber and the subscription that it stands between")
  func description() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.map { (value: Int) -> Int in value }.record()
    #expect(source.subscribers.map { "\($0)" } == ["Map"])
    #expect(recorder.subscription.map { "\($0)" } == "Manual")
    #expect(recorder.subscription?.combineIdentifier == source.subscriptions.first?.combineIdentifier)
  }

  @Test("a program's subscriber of a program's publisher is left alone")
  func foreign() {
    final class Plain: Subscriber {
      typealias Input = Int
      typealias Failure = TestError
      var subscription: (any Subscription)?
      func receive(subscription: any Subscription) { self.subscription = subscription }
      func receive(_ input: Int) -> Subscribers.Demand { .none }
      func receive(completion: Subscribers.Completion<TestError>) {}
    }
    struct Looking: Publisher {
      typealias Output = Int
      typealias Failure = TestError
      func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestError {
        #expect(subscriber is Plain)
      }
    }
    Looking().subscribe(Plain())
  }

  @Test("leaves the completion of another thread to the thread that delivers")
  func completionOfAnotherThread() {
    let source = ManualPublisher<Int, TestError>()
    var log: [String] = []
    let sink = source.sink(receiveCompletion: { _ in log.append("end") }) { value in
      log.append("enter \(value)")
      onAnotherThread { source.send(completion: .finished) }
      log.append("leave \(value)")
    }
    source.send(1)
    #expect(log == ["enter 1", "leave 1", "end"])
    withExtendedLifetime(sink) {}
  }

  @Test("releases the subscriber after the delivery in which another thread has cancelled")
  func cancelOfAnotherThread() {
    let source = ManualPublisher<Int, TestError>()
    weak var remains: Token?
    var isThereInside = false
    do {
      let token = Token()
      remains = token
      let recorder = Recorder<Int, TestError>(demanding: .unlimited)
      recorder.onValue = { [unowned recorder] _ in
        onAnotherThread { recorder.cancel() }
        isThereInside = remains != nil
        return .none
      }
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.subscribe(recorder)
      source.send(1)
      #expect(recorder.events == [.subscription, .value(1)])
    }
    #expect(isThereInside)
    #expect(remains == nil, "The publisher keeps its subscriber, but what stands behind is released.")
    #expect(source.events == [.requested(.unlimited), .cancelled])
  }

  @Test("cancels a second subscription, and the subscriber gets one")
  func secondSubscription() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.map { (value: Int) -> Int in value }.record(demanding: .max(1))
    source.sendSubscription()
    source.send(1)
    #expect(recorder.events == [.subscription, .value(1)])
    #expect(source.subscriptions.map(\.events) == [[.requested(.max(1))], [.cancelled]])
  }

  @Test("drops what is sent from inside the delivery in which the publisher has completed")
  func sendsAfterCompletionInside() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demanding: .unlimited)
    recorder.onValue = { value in
      if value == 1 {
        source.send(completion: .finished)
        source.send(2)
      }
      return .none
    }
    source.map { (value: Int) -> Int in value }.subscribe(recorder)
    source.send(1)
    #expect(recorder.events == [.subscription, .value(1), .finished])
  }
}
