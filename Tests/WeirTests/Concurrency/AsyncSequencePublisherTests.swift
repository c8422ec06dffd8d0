import Foundation
import Synchronization
import Testing
import Weir

@testable import TestSupport

/// The actions of a sequence and its subscriber, in order.
private final class Diary: Sendable {
  private let entries = Mutex<[String]>([])

  var all: [String] { entries.withLock { $0 } }

  func write(_ entry: String) {
    entries.withLock { $0.append(entry) }
  }
}

/// The numbers up to a last one, and then a finish or a failure.
///
/// Records each pull.
private struct Numbers: AsyncSequence, Sendable {
  let diary: Diary
  var last = Int.max
  var failure: TestError?

  struct AsyncIterator: AsyncIteratorProtocol {
    let numbers: Numbers
    var count = 0

    mutating func next(isolation actor: isolated (any Actor)?) async throws(TestError) -> Int? {
      count += 1
      numbers.diary.write("pull \(count)")
      if count <= numbers.last { return count }
      if let failure = numbers.failure { throw failure }
      return nil
    }

    mutating func next() async throws(TestError) -> Int? {
      try await next(isolation: nil)
    }
  }

  func makeAsyncIterator() -> AsyncIterator {
    diary.write("iterate")
    return AsyncIterator(numbers: self)
  }
}

/// A sequence that reports when a task awaits it.
private struct Awaited: AsyncSequence, Sendable {
  let stream: AsyncStream<Int>
  let diary: Diary

  struct AsyncIterator: AsyncIteratorProtocol {
    var upstream: AsyncStream<Int>.AsyncIterator
    let diary: Diary

    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      diary.write("pull")
      return await upstream.next(isolation: actor)
    }

    mutating func next() async -> Int? {
      await next(isolation: nil)
    }
  }

  func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(upstream: stream.makeAsyncIterator(), diary: diary)
  }
}

/// On the main actor, where the sequences are iterated too, so that they make progress only while the test awaits.
@Suite("publisher of an asynchronous sequence", .timeLimit(.minutes(10)))
@MainActor
struct AsyncSequencePublisherTests {
  private let diary = Diary()

  /// Creates a subscriber that records its events in the diary.
  private func record<Elements>(
    _ publisher: AsyncSequencePublisher<Elements>, demanding demand: Subscribers.Demand = .none
  ) -> Recorder<Int, Elements.Failure> where Elements.Element == Int {
    let recorder = Recorder<Int, Elements.Failure>(demanding: demand)
    recorder.onValue = { [diary] (value: Int) in
      diary.write("value \(value)")
      return .none
    }
    recorder.onCompletion = { [diary] in diary.write("end") }
    publisher.subscribe(recorder)
    return recorder
  }

  @Test("sends all elements and finishes")
  func all() async {
    let recorder = record(Numbers(diary: diary, last: 3).publisher(isolation: MainActor.shared), demanding: .unlimited)
    await until { recorder.isFinished }
    #expect(recorder.events == [.subscription, .value(1), .value(2), .value(3), .finished])
    #expect(diary.all.filter { $0.hasPrefix("pull") }.count == 4)
  }

  /// An asynchronous sequence whose iterator counts its copies.
  private struct AsyncCopyCounting: AsyncSequence, Sendable {
    let elements: CopyCounting

    struct AsyncIterator: AsyncIteratorProtocol {
      var iterator: CopyCountingIterator

      mutating func next(isolation actor: isolated (any Actor)?) async -> Int? { iterator.next() }

      mutating func next() async -> Int? { iterator.next() }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(iterator: elements.makeIterator()) }
  }

  @Test("pulls elements without copying the iterator between requests", arguments: [false, true])
  func copies(isOnMainActor: Bool) async {
    let elements = CopyCounting(end: 100)
    let sequence = AsyncCopyCounting(elements: elements)
    let recorder = Recorder<Int, Never>()
    let count = LiveCount()
    recorder.onValue = { _ in
      count.add(1)
      return .none
    }
    let publisher = isOnMainActor ? sequence.publisher(isolation: MainActor.shared) : sequence.publisher
    publisher.subscribe(recorder)
    for number in 1...100 {
      recorder.request(.max(1))
      await until { count.value == number }
    }
    #expect(recorder.values == Array(0..<100))
    #expect(elements.copies.value == 0)
    recorder.cancel()
  }

  @Test("delivers elements after the subscription, also if the subscriber requests during it")
  func announcement() async {
    for _ in 0..<100 {
      let recorder = Recorder<Int, TestError>()
      let isInside = LiveCount()
      let early = LiveCount()
      let ends = LiveCount()
      recorder.onSubscription = { subscription in
        isInside.add(1)
        subscription.request(.unlimited)
        // Gives time to a task that must not have been started. It doesn't wait for one, because others may occupy all
        // threads.
        for _ in 0..<1_000 where early.value == 0 { sched_yield() }
        isInside.add(-1)
      }
      recorder.onValue = { _ in
        early.add(isInside.value)
        return .none
      }
      recorder.onCompletion = { ends.add(1) }
      Numbers(diary: diary, last: 3).publisher.subscribe(recorder)
      await until { ends.value == 1 }
      #expect(early.value == 0)
    }
  }

  @Test("pulls one element for each requested value")
  func demand() async {
    let recorder = record(Numbers(diary: diary, last: 4).publisher(isolation: MainActor.shared))
    await Task.yield()
    #expect(diary.all == [], "Nobody has asked for anything.")
    recorder.request(.max(2))
    await until { recorder.values.count == 2 }
    recorder.request(.max(1))
    await until { recorder.values.count == 3 }
    recorder.request(.max(1))
    await until { recorder.values.count == 4 }
    #expect(
      diary.all == [
        "iterate", "pull 1", "value 1", "pull 2", "value 2", "pull 3", "value 3", "pull 4", "value 4",
      ])
    #expect(!recorder.isFinished, "The end is found by asking for more.")
    recorder.request(.max(1))
    await until { recorder.isFinished }
    #expect(diary.all.suffix(2) == ["pull 5", "end"])
  }

  @Test("accepts demand that is returned or requested during a delivery")
  func nestedDemand() async {
    let recorder = record(Numbers(diary: diary, last: 5).publisher(isolation: MainActor.shared))
    recorder.onValue = { [unowned recorder] (value: Int) in
      if value == 1 { recorder.request(.max(1)) }
      return value < 3 ? .max(1) : .none
    }
    recorder.request(.max(1))
    await until { recorder.values.count == 4 }
    recorder.request(.max(2))
    await until { recorder.isFinished }
    #expect(recorder.values == [1, 2, 3, 4, 5])
  }

  @Test("fails with the sequence's typed error")
  func failure() async {
    let publisher = Numbers(diary: diary, last: 1, failure: .oops).publisher(isolation: MainActor.shared)
    let recorder: Recorder<Int, TestError> = record(publisher, demanding: .unlimited)
    await until { recorder.events.count == 3 }
    #expect(recorder.events == [.subscription, .value(1), .failed(.oops)])
    let (stream, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
    let other = record(stream.publisher(isolation: MainActor.shared), demanding: .max(2))
    continuation.yield(7)
    continuation.finish(throwing: TestError.other)
    await until { other.events.count == 3 }
    #expect(other.events == [.subscription, .value(7), .failed(.other)])
  }

  @Test("a sequence that doesn't throw makes a publisher that can't fail, iterated outside any actor")
  func sure() async {
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    let diary = diary
    let sink = stream.publisher.sink(
      receiveCompletion: { @Sendable (_: Subscribers.Completion<Never>) in diary.write("end") },
      receiveValue: { @Sendable (value: Int) in diary.write("value \(value)") })
    continuation.yield(1)
    continuation.yield(2)
    continuation.finish()
    await until { diary.all.last == "end" }
    #expect(diary.all == ["value 1", "value 2", "end"])
    withExtendedLifetime(sink) {}
  }

  @Test("delivers on the given actor")
  func isolation() async {
    let recorder = record(Numbers(diary: diary, last: 2).publisher(isolation: MainActor.shared))
    recorder.onValue = { (_: Int) in
      MainActor.assertIsolated()
      return .none
    }
    recorder.onCompletion = { MainActor.assertIsolated() }
    nonisolated(unsafe) let shared = recorder
    await Task.detached { shared.request(.unlimited) }.value
    await until { recorder.isFinished }
    #expect(recorder.values == [1, 2])
  }

  @Test("each subscriber has its own iterator")
  func subscribers() async {
    let publisher = Numbers(diary: diary, last: 2).publisher(isolation: MainActor.shared)
    let (first, second) = (record(publisher, demanding: .max(1)), record(publisher, demanding: .unlimited))
    await until { first.values.count == 1 && second.isFinished }
    #expect(first.values == [1])
    #expect(second.values == [1, 2])
    #expect(diary.all.filter { $0 == "iterate" }.count == 2)
  }

  @Test("cancellation cancels the awaiting task, and no event follows")
  func cancels() async {
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    continuation.onTermination = { [diary] in diary.write("\($0)") }
    let recorder = record(Awaited(stream: stream, diary: diary).publisher(isolation: MainActor.shared))
    recorder.request(.unlimited)
    continuation.yield(1)
    await until { diary.all == ["pull", "value 1", "pull"] }
    recorder.cancel()
    await until { diary.all.count == 4 }
    #expect(diary.all.last == "cancelled")
    continuation.yield(2)
    recorder.cancel()
    recorder.request(.max(1))
    await Task.yield()
    #expect(recorder.events == [.subscription, .value(1)])
  }

  @Test("a cancellation during a delivery prevents further pulls")
  func cancelsInside() async {
    let recorder = record(Numbers(diary: diary).publisher(isolation: MainActor.shared))
    recorder.onValue = { [unowned recorder, diary] (value: Int) in
      guard value == 2 else { return .none }
      recorder.cancel()
      diary.write("cancel")
      return .none
    }
    recorder.request(.unlimited)
    await until { diary.all.last == "cancel" }
    // Another iteration runs after all that started before it.
    let other = Numbers(diary: Diary(), last: 0).publisher(isolation: MainActor.shared).record(demanding: .max(1))
    await until { other.isFinished }
    #expect(diary.all == ["iterate", "pull 1", "pull 2", "cancel"])
    #expect(recorder.values == [1, 2])
  }

  @Test("values are pending until the subscription has returned, and can be cancelled there")
  func announcing() async {
    let recorder = Recorder<Int, TestError>()
    recorder.onSubscription = { [diary] (subscription: any Subscription) in
      subscription.request(.unlimited)
      subscription.cancel()
      diary.write("cancel")
    }
    Numbers(diary: diary).publisher(isolation: MainActor.shared).subscribe(recorder)
    let other = record(Numbers(diary: diary, last: 0).publisher(isolation: MainActor.shared), demanding: .max(1))
    await until { other.isFinished }
    #expect(recorder.events == [.subscription])
    #expect(diary.all == ["cancel", "iterate", "pull 1", "end"], "No iterator is made for who has left.")
  }

  @Test("a cancellation, idle or during a wait, releases the subscriber and the iterator's contents")
  func releases() async {
    for demand in [Subscribers.Demand.max(1), .max(2)] {
      weak var remains: Token?
      weak var subscriber: Recorder<Int, Never>?
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      continuation.yield(1)
      do {
        let token = Token()
        remains = token
        let mapped = stream.map { (value: Int) -> Int in
          withExtendedLifetime(token) {}
          return value
        }
        let recorder = mapped.publisher(isolation: MainActor.shared).record(demanding: demand)
        subscriber = recorder
        await until { recorder.values == [1] }
        recorder.cancel()
      }
      await until { remains == nil && subscriber == nil }
      withExtendedLifetime(continuation) {}
    }
  }

  @Test("the subscription describes itself")
  func mirror() {
    let recorder = record(Numbers(diary: diary).publisher)
    #expect(recorder.subscription.map { "\($0)" } == "AsyncSequence")
    #expect(recorder.subscription.map { Mirror(reflecting: $0).children.first?.label } == "sequence")
  }

  @Test("rejects zero demand")
  func noDemand() async {
    await #expect(processExitsWith: .failure) {
      Numbers(diary: Diary()).publisher.record(demanding: .max(1)).request(.none)
    }
  }
}

@Suite("publisher of an asynchronous sequence, on several threads", .timeLimit(.minutes(10)))
struct AsyncSequencePublisherThreadTests {
  @Test("concurrent requests and a cancellation: delivery is serialized, in order and within the demand")
  func races() async {
    for round in 0..<Effort.rounds(200) {
      let diary = Diary()
      let cancels = round.isMultiple(of: 2)
      let (inside, count) = (LiveCount(), LiveCount())
      let recorder = Recorder<Int, TestError>()
      recorder.onValue = { (value: Int) in
        inside.add(1)
        count.add(1)
        #expect(inside.value == 1)
        #expect(count.value == value)
        inside.add(-1)
        return .none
      }
      Numbers(diary: diary).publisher.subscribe(recorder)
      nonisolated(unsafe) let shared = recorder
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<3 {
          group.addTask { for _ in 0..<5 { shared.request(.max(1)) } }
        }
        if cancels { group.addTask { shared.cancel() } }
      }
      if !cancels { await until { count.value == 15 } }
      recorder.cancel()
      #expect(!diary.all.contains("pull 16"))
    }
  }
}

/// Futures of asynchronous work, and tasks as cancellables.
@Suite("tasks, as futures and cancellables", .timeLimit(.minutes(10)))
@MainActor
struct TaskTests {
  private func answer() async -> Int { 7 }
  private func failing() async throws -> Int { throw TestError.oops }

  @Test("a future awaits its work once, for all subscribers")
  func future() async throws {
    let sure = Future { await answer() }
    #expect(await sure.value == 7)
    #expect(sure.record(demanding: .max(1)).events == [.subscription, .value(7), .finished])
    let failed = Future { try await failing() }
    await #expect(throws: TestError.oops) { try await failed.value }
    let typed = Future<Int, TestError> { () async throws(TestError) -> Int in throw .other }
    await #expect(throws: TestError.other) { try await typed.value }
    #expect(typed.record().events == [.subscription, .failed(.other)])
  }

  @Test("a future's work runs on its closure's actor")
  func isolated() async {
    let future = Future { @MainActor in
      MainActor.assertIsolated()
      return 7
    }
    #expect(await future.value == 7)
  }

  /// The closures capture what only the main actor may use.
  @MainActor
  private final class Library {
    var books = ["Emma"]

    func load() async throws -> [String] {
      if books.isEmpty { throw TestError.oops }
      return books
    }

    func loading() -> Future<[String], any Error> { Future { @MainActor in try await self.load() } }

    func counting() -> Future<Int, any Error> { Future { @MainActor [weak self] in self?.books.count ?? 0 } }

    func counted() -> Future<Int, Never> { Future { self.books.count } }
  }

  @Test("or else on the actor of the code around it, as a task's does")
  @MainActor
  func inherited() async throws {
    let library = Library()
    #expect(try await library.loading().value == ["Emma"])
    #expect(try await library.counting().value == 1)
    #expect(await library.counted().value == 1)
    let future = Future {
      MainActor.assertIsolated()
      return library.books.count
    }
    #expect(await future.value == 1)
  }

  @Test("a collection of cancellables, or its own cancellable, cancels a task")
  func stores() async {
    let tasks = (0..<3).map { _ in Task { while !Task.isCancelled { await Task.yield() } } }
    var (set, list): (Set<AnyCancellable>, [AnyCancellable]) = ([], [])
    tasks[0].store(in: &set)
    tasks[1].store(in: &list)
    let single = AnyCancellable(tasks[2])
    #expect(tasks.map(\.isCancelled) == [false, false, false])
    set = []
    #expect(tasks.map(\.isCancelled) == [true, false, false])
    list = []
    #expect(tasks.map(\.isCancelled) == [true, true, false])
    single.cancel()
    #expect(tasks.map(\.isCancelled) == [true, true, true])
  }
}
