import Testing
import Weir

@testable import TestSupport

/// On the main actor, where a new task has run until it awaits when another task has yielded.
///
/// A task that is resumed returns to the actor through another thread, so tests wait for what it does.
@Suite("values")
@MainActor
struct AsyncPublisherTests {
  typealias Throwing = AsyncThrowingPublisher<ManualPublisher<Int, TestError>>

  let manual = ManualPublisher<Int, Never>()
  let failing = ManualPublisher<Int, TestError>()

  @Test("returns the publisher's values up to its completion")
  func all() async throws {
    var found: [Int] = []
    for await value in [1, 2, 3].publisher.values { found.append(value) }
    #expect(found == [1, 2, 3])
    for try await value in [4, 5].publisher.setFailureType(to: TestError.self).values { found.append(value) }
    #expect(found == [1, 2, 3, 4, 5])
  }

  @Test("throws a failure once, after the values before it")
  func failure() async throws {
    var found: [Int] = []
    let source = [1, 2].publisher.setFailureType(to: TestError.self).append(Fail(error: .oops))
    await #expect(throws: TestError.oops) {
      for try await value in source.values { found.append(value) }
    }
    #expect(found == [1, 2])
    var iterator = failing.values.makeAsyncIterator()
    failing.send(completion: .failure(.oops))
    await #expect(throws: TestError.oops) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }

  @Test("each wait requests one value")
  func demand() async {
    var iterator = manual.values.makeAsyncIterator()
    #expect(manual.events == [])
    for value in 1...3 {
      manual.subscriptions[0].onRequest = { [manual] _ in #expect(manual.send(value) == .none) }
      #expect(await iterator.next() == value)
      #expect(manual.events == Array(repeating: .requested(.max(1)), count: value))
    }
    manual.subscriptions[0].onRequest = { _ in }
    #expect(manual.send(9) == .none, "A value that nobody awaits is lost.")
    manual.subscriptions[0].onRequest = { [manual] _ in manual.send(4) }
    #expect(await iterator.next() == 4)
    manual.send(completion: .finished)
    #expect(await iterator.next() == nil)
    #expect(manual.events == Array(repeating: .requested(.max(1)), count: 4))
  }

  @Test("values of a hot publisher between two waits are dropped, unless a buffer keeps them")
  func hot() async {
    let subject = PassthroughSubject<Int, Never>()
    var iterator = subject.values.makeAsyncIterator()
    var buffered = subject.buffer(size: 9, prefetch: .byRequest, whenFull: .dropOldest).values.makeAsyncIterator()
    subject.send(1)
    let sender = Task { @MainActor in subject.send(2) }
    #expect(await iterator.next() == 2)
    #expect(await buffered.next() == 1)
    #expect(await buffered.next() == 2)
    await sender.value
  }

  @Test("a replaying subject delivers the latest value at each wait")
  func latest() async {
    let subject = CurrentValueSubject<Int, Never>(0)
    var iterator = subject.values.makeAsyncIterator()
    subject.send(1)
    #expect(await iterator.next() == 1)
    subject.send(2)
    subject.send(3)
    #expect(await iterator.next() == 3)
  }

  @Test("each iterator has its own subscription")
  func iterators() async {
    let values = manual.values
    #expect(manual.subscriptions.isEmpty)
    var (first, second) = (values.makeAsyncIterator(), values.makeAsyncIterator())
    #expect(manual.subscriptions.count == 2)
    for (index, subscription) in manual.subscriptions.enumerated() {
      subscription.onRequest = { [manual] _ in manual.send(index, to: index) }
    }
    #expect(await second.next() == 1)
    #expect(await first.next() == 0)
    manual.subscriptions.forEach { #expect($0.events == [.requested(.max(1))]) }
  }

  @Test("releasing the iterator and leaving the loop cancel")
  func drops() async {
    do {
      let iterator = manual.values.makeAsyncIterator()
      withExtendedLifetime(iterator) {}
    }
    #expect(manual.events == [.cancelled])
    let subject = CurrentValueSubject<Int, Never>(0)
    var cancels = 0
    for await value in subject.handleEvents(receiveCancel: { cancels += 1 }).values {
      #expect(value == 0)
      break
    }
    #expect(cancels == 1)
  }

  @Test("a completed iterator cancels no subscription")
  func ended() async {
    do {
      var iterator = manual.values.makeAsyncIterator()
      manual.send(completion: .finished)
      #expect(await iterator.next() == nil)
    }
    #expect(manual.events == [])
  }

  @Test("cancelling the task cancels the subscription and ends the loop, without an error")
  func cancels() async throws {
    let task = Task { @MainActor [failing] in
      var count = 0
      for try await _ in failing.values { count += 1 }
      return count
    }
    await Task.yield()
    #expect(failing.events == [.requested(.max(1))])
    failing.send(1)
    await until { failing.events == [.requested(.max(1)), .requested(.max(1))] }
    task.cancel()
    #expect(failing.events.last == .cancelled, "The subscription is cancelled at once.")
    failing.send(2)
    failing.send(completion: .failure(.oops))
    #expect(try await task.value == 1)
    #expect(failing.events.count == 3)
  }

  @Test("a task that is cancelled before it awaits receives and requests no value")
  func cancelledBefore() async {
    let task = Task { @MainActor [manual] in
      var iterator = manual.values.makeAsyncIterator()
      return await iterator.next()
    }
    task.cancel()
    #expect(await task.value == nil)
    #expect(manual.events == [.cancelled])
  }

  @Test("a cancellation before the subscription cancels it when it arrives")
  func lateSubscription() async {
    let manual = ManualPublisher<Int, Never>(subscribing: false)
    let task = Task { @MainActor in
      var iterator = manual.values.makeAsyncIterator()
      return await iterator.next()
    }
    await Task.yield()
    task.cancel()
    #expect(await task.value == nil)
    #expect(manual.sendSubscription().events == [.cancelled])
  }

  @Test("waits on copies of an iterator are served in order, and requested together for a late subscription")
  func severalWaits() async throws {
    let manual = ManualPublisher<Int, TestError>(subscribing: false)
    let iterator = manual.values.makeAsyncIterator()
    let tasks = (0..<3).map { _ in
      Task { @MainActor in
        var copy = iterator
        return try await copy.next()
      }
    }
    await Task.yield()
    #expect(manual.sendSubscription().events == [.requested(.max(3))])
    #expect(manual.sendSubscription().events == [.cancelled])
    manual.send(1)
    #expect(try await tasks[0].value == 1)
    manual.send(completion: .failure(.oops))
    await #expect(throws: TestError.oops) { try await tasks[1].value }
    #expect(try await tasks[2].value == nil)
    #expect(manual.events == [.requested(.max(3))])
    withExtendedLifetime(iterator) {}
  }

  @Test("a value before the subscription ends the waits, but not the sequence")
  func early() async {
    let manual = ManualPublisher<Int, Never>(subscribing: false)
    let iterator = manual.values.makeAsyncIterator()
    let task = Task { @MainActor in
      var copy = iterator
      return await copy.next()
    }
    await Task.yield()
    manual.send(1)
    #expect(await task.value == nil)
    manual.sendSubscription().onRequest = { _ in manual.send(2) }
    var copy = iterator
    #expect(await copy.next() == 2)
  }

  @Test("the publisher's side can cancel the subscriber")
  func subscriberIsCancellable() async {
    struct Catching: Publisher {
      typealias Output = Int
      typealias Failure = Never
      let caught: Box<(any Cancellable)?>
      func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
        caught.value = subscriber as? any Cancellable
      }
    }
    let caught = Box<(any Cancellable)?>(nil)
    var iterator = Catching(caught: caught).values.makeAsyncIterator()
    caught.value?.cancel()
    #expect(await iterator.next() == nil)
  }

  @Test("completion releases the subscription, and a thrown failure is released")
  func releases() async {
    struct Telling: Error { let token: Token }
    weak var remains: Token?
    let manual = ManualPublisher<Int, any Error>()
    var iterator = manual.values.makeAsyncIterator()
    do {
      let token = Token()
      remains = token
      manual.send(completion: .failure(Telling(token: token)))
    }
    #expect(remains != nil)
    do {
      _ = try await iterator.next()
      Issue.record("Nothing was thrown.")
    } catch {}
    #expect(remains == nil)
    withExtendedLifetime(iterator) {}
  }

  @Test("values that aren't Sendable can be awaited, and demand is requested on the caller's executor")
  func notSendable() async {
    final class Thing {}
    let thing = Thing()
    var iterator = Deferred { Just(thing) }.handleEvents(receiveRequest: { _ in MainActor.assertIsolated() }).values
      .makeAsyncIterator()
    #expect(await iterator.next() === thing)
    for await value in Just(thing).handleEvents(receiveRequest: { _ in MainActor.assertIsolated() }).values {
      #expect(value === thing)
    }
  }
}

@Suite("values on several threads")
struct AsyncPublisherThreadTests {
  @Test("no requested value is lost, whichever thread delivers")
  func delivers() async {
    let subject = PassthroughSubject<Int, Never>()
    let publisher = subject.buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest)
    let values = publisher.values
    nonisolated(unsafe) var iterator = values.makeAsyncIterator()
    let sender = subject
    async let sent: Void = {
      for value in 1...5_000 { sender.send(value) }
      sender.send(completion: .finished)
    }()
    var count = 0
    while let value = await iterator.next() {
      count += 1
      #expect(value == count)
    }
    await sent
    #expect(count == 5_000)
  }

  @Test("a cancellation at any time ends the loop")
  func cancels() async {
    for _ in 0..<500 {
      let subject = PassthroughSubject<Int, Never>()
      let shared = subject
      let cancelled = LiveCount()
      let task = Task {
        for await _ in shared.handleEvents(receiveCancel: { cancelled.add(1) }).values {}
      }
      async let sent: Void = { for value in 0..<20 { shared.send(value) } }()
      task.cancel()
      await task.value
      await sent
      #expect(cancelled.value == 1)
    }
  }

  @Test("a completion, a value and a cancellation race: every wait is answered once")
  func meets() async {
    for _ in 0..<500 {
      let subject = PassthroughSubject<Int, TestError>()
      let shared = subject
      let task = Task { () -> Int in
        var count = 0
        for try await _ in shared.values { count += 1 }
        return count
      }
      async let sent: Void = { for value in 0..<5 { shared.send(value) } }()
      async let ended: Void = shared.send(completion: .failure(.oops))
      task.cancel()
      let result = await task.result
      if case .success(let count) = result { #expect(count <= 5) }
      await sent
      await ended
    }
  }
}
