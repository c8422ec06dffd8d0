import Testing
import Weir

@testable import TestSupport

/// On the main actor, where a new task has run until it awaits when another task has yielded.
@Suite("values(buffering:)")
@MainActor
struct AsyncBufferedPublisherTests {
  typealias Buffered = AsyncBufferedPublisher<ManualPublisher<Int, TestError>>

  let manual = ManualPublisher<Int, TestError>()

  /// All values for the task, after five values and the completion were sent.
  private func kept(_ buffering: AsyncBuffering) async throws -> [Int] {
    let subject = PassthroughSubject<Int, TestError>()
    let iterator = subject.values(buffering: buffering).makeAsyncIterator()
    for value in 1...5 { subject.send(value) }
    subject.send(completion: .finished)
    return try await rest(of: iterator)
  }

  private func rest<P: Publisher>(of iterator: AsyncBufferedPublisher<P>.Iterator) async throws -> [P.Output] {
    var (iterator, found) = (iterator, [P.Output]())
    while let value = try await iterator.next() { found.append(value) }
    #expect(try await iterator.next() == nil)
    return found
  }

  @Test("returns all values, the first or the latest of them, depending on the strategy")
  func keeps() async throws {
    #expect(try await kept(.unbounded) == [1, 2, 3, 4, 5])
    #expect(try await kept(.oldest(2)) == [1, 2])
    #expect(try await kept(.newest(2)) == [4, 5])
    #expect(try await kept(.suspending(3)) == [1, 2, 3], "There was no demand for the others.")
  }

  @Test("needs no try if the publisher can't fail, and throws its own failure otherwise")
  func typed() async {
    var found: [Int] = []
    for await value in [1, 2, 3].lazy.publisher.values(buffering: .suspending(2)) { found.append(value) }
    #expect(found == [1, 2, 3])
    var iterator = manual.values(buffering: .unbounded).makeAsyncIterator()
    manual.send(completion: .failure(.oops))
    do throws(TestError) {
      _ = try await iterator.next()
      Issue.record("Nothing was thrown.")
    } catch {
      #expect(error == .oops)
    }
  }

  @Test("throws a failure once, after the buffered values")
  func failure() async throws {
    var iterator = manual.values(buffering: .newest(2)).makeAsyncIterator()
    (1...3).forEach { manual.send($0) }
    manual.send(completion: .failure(.oops))
    #expect(try await iterator.next() == 2)
    #expect(try await iterator.next() == 3)
    await #expect(throws: TestError.oops) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
    #expect(manual.events == [.requested(.unlimited)])
  }

  @Test(
    "requests unlimited values immediately, except with a buffer that suspends",
    arguments: [
      AsyncBuffering.unbounded, .oldest(2), .newest(2),
    ])
  func demand(buffering: AsyncBuffering) async throws {
    var iterator = manual.values(buffering: buffering).makeAsyncIterator()
    #expect(manual.events == [.requested(.unlimited)])
    #expect(manual.send(1) == .none)
    #expect(try await iterator.next() == 1)
    let task = Task { @MainActor [iterator] in
      var copy = iterator
      return try await copy.next()
    }
    await Task.yield()
    #expect(manual.send(2) == .none)
    #expect(try await task.value == 2)
    #expect(manual.events == [.requested(.unlimited)])
  }

  @Test("a suspending buffer requests as many values as it has room for, and more as it is emptied")
  func suspends() async throws {
    var iterator = manual.values(buffering: .suspending(2)).makeAsyncIterator()
    #expect(manual.events == [.requested(.max(2))])
    #expect(manual.send(1) == .none)
    #expect(manual.send(2) == .none)
    #expect(manual.send(9) == .none, "One that was not asked for finds no room.")
    #expect(manual.events == [.requested(.max(2))])
    #expect(try await iterator.next() == 1)
    #expect(manual.events == [.requested(.max(2)), .requested(.max(1))])
    #expect(try await iterator.next() == 2)
    #expect(manual.events == [.requested(.max(2)), .requested(.max(1)), .requested(.max(1))])
    let task = Task { @MainActor [iterator] in
      var copy = iterator
      return try await copy.next()
    }
    await Task.yield()
    #expect(manual.events.count == 3, "A wait needs no room.")
    #expect(manual.send(3) == .max(1), "Nor does the value that comes to it.")
    #expect(try await task.value == 3)
    manual.send(4)
    manual.send(completion: .finished)
    #expect(try await iterator.next() == 4)
    #expect(try await iterator.next() == nil)
    #expect(manual.events.count == 3, "Nothing is asked for after the end.")
  }

  @Test("a cold source is never further ahead than the buffer's size", arguments: [1, 2, 5])
  func cold(room: Int) async {
    var made = 0
    var taken = 0
    let source = (1...50).lazy.map { (value: Int) -> Int in
      made = value
      return value
    }.publisher.handleEvents(receiveOutput: { (value: Int) in
      #expect(value <= taken + 1 + room, "Beside what the buffer keeps there is the one that is being taken.")
    })
    for await value in source.values(buffering: .suspending(room)) {
      #expect(value == taken + 1)
      taken = value
    }
    #expect(taken == 50)
    #expect(made == 50)
  }

  @Test("demand is pending until a late subscription arrives")
  func lateSubscription() async throws {
    let manual = ManualPublisher<Int, TestError>(subscribing: false)
    let iterator = manual.values(buffering: .suspending(3)).makeAsyncIterator()
    let task = Task { @MainActor in
      var copy = iterator
      return try await copy.next()
    }
    await Task.yield()
    #expect(manual.sendSubscription().events == [.requested(.max(3))])
    #expect(manual.sendSubscription().events == [.cancelled])
    manual.send(1)
    #expect(try await task.value == 1)
    withExtendedLifetime(iterator) {}
  }

  @Test("each iterator has its own subscription and buffer")
  func iterators() async throws {
    let values = manual.values(buffering: .newest(1))
    #expect(manual.subscriptions.isEmpty)
    var (first, second) = (values.makeAsyncIterator(), values.makeAsyncIterator())
    manual.send(1, to: 0)
    manual.send(2, to: 1)
    #expect(try await second.next() == 2)
    #expect(try await first.next() == 1)
    manual.subscriptions.forEach { #expect($0.events == [.requested(.unlimited)]) }
  }

  @Test("releasing the iterator and leaving the loop cancel, and release the buffered values")
  func drops() async throws {
    let subject = PassthroughSubject<LastWords, Never>()
    var (cancels, released) = (0, 0)
    do {
      let iterator = subject.handleEvents(receiveCancel: { cancels += 1 }).values(buffering: .unbounded)
        .makeAsyncIterator()
      subject.send(LastWords { released += 1 })
      #expect(released == 0)
      withExtendedLifetime(iterator) {}
    }
    #expect((cancels, released) == (1, 1))
    for try await value in manual.merge(with: Just(0).setFailureType(to: TestError.self)).values(buffering: .unbounded)
    {
      #expect(value == 0)
      break
    }
    #expect(manual.events == [.requested(.unlimited), .cancelled])
  }

  @Test("values that don't fit are released outside all locks")
  func releases() async {
    let subject = PassthroughSubject<LastWords, Never>()
    var released: [Int] = []
    let oldest = subject.values(buffering: .oldest(1)).makeAsyncIterator()
    for number in 1...2 { subject.send(LastWords(number) { released.append(number) }) }
    #expect(released == [2])
    withExtendedLifetime(oldest) {}
    var newest = subject.values(buffering: .newest(1)).makeAsyncIterator()
    for number in 3...4 { subject.send(LastWords(number) { released.append(number) }) }
    #expect(released == [2, 3])
    #expect(await newest.next()?.number == 4)
    #expect(released == [2, 3, 4])
  }

  @Test("a completed iterator cancels no subscription, and releases unread values")
  func ended() async {
    let manual = ManualPublisher<LastWords, Never>()
    var released = 0
    do {
      let iterator = manual.values(buffering: .unbounded).makeAsyncIterator()
      manual.send(LastWords { released += 1 })
      manual.send(completion: .finished)
      #expect(released == 0)
      withExtendedLifetime(iterator) {}
    }
    #expect(released == 1)
    #expect(manual.events == [.requested(.unlimited)])
  }

  @Test("cancelling the waiting task immediately cancels the subscription and ends the loop, without an error")
  func cancels() async throws {
    let task = Task { @MainActor [manual] in
      var count = 0
      for try await _ in manual.values(buffering: .suspending(1)) { count += 1 }
      return count
    }
    await Task.yield()
    manual.send(1)
    await Task.yield()
    task.cancel()
    #expect(manual.events == [.requested(.max(1)), .cancelled])
    manual.send(2)
    manual.send(completion: .failure(.oops))
    #expect(try await task.value == 1)
    #expect(manual.events.count == 2)
  }

  @Test("a task that is cancelled before it waits receives no value, not even a buffered one")
  func cancelledBefore() async throws {
    let iterator = manual.values(buffering: .unbounded).makeAsyncIterator()
    manual.send(1)
    let task = Task { @MainActor in
      var copy = iterator
      return try await copy.next()
    }
    task.cancel()
    #expect(try await task.value == nil)
    #expect(manual.events == [.requested(.unlimited), .cancelled])
  }

  @Test("waits on copies of an iterator are served in order, and the first receives the failure")
  func severalWaits() async throws {
    let iterator = manual.values(buffering: .suspending(2)).makeAsyncIterator()
    let tasks = (0..<3).map { _ in
      Task { @MainActor in
        var copy = iterator
        return try await copy.next()
      }
    }
    await Task.yield()
    #expect(manual.send(1) == .max(1))
    manual.send(completion: .failure(.oops))
    #expect(try await tasks[0].value == 1)
    await #expect(throws: TestError.oops) { try await tasks[1].value }
    #expect(try await tasks[2].value == nil)
    withExtendedLifetime(iterator) {}
  }

  @Test("rejects a buffer of size zero", arguments: [AsyncBuffering.oldest(0), .newest(0), .suspending(0)])
  func noRoom(buffering: AsyncBuffering) async {
    let expected = "values(buffering:) requires room for at least 1 value. Use `values` for no buffer."
    let result: ExitTest.Result?
    switch buffering {
    case .oldest:
      result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Just(1).values(buffering: .oldest(0))
      }
    case .newest:
      result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Just(1).values(buffering: .newest(0))
      }
    default:
      result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Just(1).values(buffering: .suspending(-1))
      }
    }
    #expect(result.map { String(decoding: $0.standardErrorContent, as: UTF8.self).contains(expected) } == true)
  }
}

@Suite("values(buffering:) on several threads")
struct AsyncBufferedPublisherThreadTests {
  @Test("all values arrive in order, however the source and the task are scheduled")
  func delivers() async {
    let subject = PassthroughSubject<Int, Never>()
    nonisolated(unsafe) let iterator = subject.values(buffering: .unbounded).makeAsyncIterator()
    let sender = subject
    async let sent: Void = {
      for value in 1...5_000 { sender.send(value) }
      sender.send(completion: .finished)
    }()
    var (copy, count) = (iterator, 0)
    while let value = await copy.next() {
      count += 1
      #expect(value == count)
    }
    await sent
    #expect(count == 5_000)
  }

  @Test("demand that races with values loses none")
  func suspends() async {
    let subject = PassthroughSubject<Int, Never>()
    let kept = subject.buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest)
    nonisolated(unsafe) let iterator = kept.values(buffering: .suspending(3)).makeAsyncIterator()
    let sender = subject
    async let sent: Void = {
      for value in 1...5_000 { sender.send(value) }
      sender.send(completion: .finished)
    }()
    var (copy, count) = (iterator, 0)
    while let value = await copy.next() {
      count += 1
      #expect(value == count)
    }
    await sent
    #expect(count == 5_000)
  }

  @Test(
    "resumes every wait once when a value, the completion, a wait and a cancellation race",
    arguments: [
      AsyncBuffering.unbounded, .oldest(2), .newest(2), .suspending(2),
    ])
  func meets(buffering: AsyncBuffering) async {
    for _ in 0..<Effort.rounds(300) {
      let subject = PassthroughSubject<Int, TestError>()
      let shared = subject
      let cancels = LiveCount()
      let ends = LiveCount()
      let task = Task { () -> Int in
        var count = 0
        let source = shared.handleEvents(receiveCompletion: { _ in ends.add(1) }, receiveCancel: { cancels.add(1) })
        for try await _ in source.values(buffering: buffering) { count += 1 }
        return count
      }
      async let sent: Void = { for value in 0..<5 { shared.send(value) } }()
      async let ended: Void = shared.send(completion: .failure(.oops))
      task.cancel()
      let result = await task.result
      if case .success(let count) = result { #expect(count <= 5) }
      await sent
      await ended
      #expect(cancels.value + ends.value >= 1)
      #expect(cancels.value <= 1)
    }
  }
}
