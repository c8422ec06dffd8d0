import Testing
import Weir
import WeirRx

@testable import TestSupport

/// On the main actor, where a new task has run until it awaits when another task has yielded.
@Suite("first, last and collect(first:)")
@MainActor
struct AwaitingTests {
  typealias Manual = ManualPublisher<Int, TestError>

  @Test("the first value is awaited with a demand of one, and cancels")
  func first() async throws {
    let manual = Manual()
    let task = Task { @MainActor in try await manual.first }
    await Task.yield()
    #expect(manual.events == [.requested(.max(1))])
    manual.send(7)
    #expect(manual.events == [.requested(.max(1)), .cancelled])
    manual.send(8)
    #expect(try await task.value == 7)
    #expect(manual.events.count == 2)
  }

  @Test("the last value is awaited with unlimited demand, and returned at the finish")
  func last() async throws {
    let manual = Manual()
    let task = Task { @MainActor in try await manual.last }
    await Task.yield()
    (1...3).forEach { manual.send($0) }
    manual.send(completion: .finished)
    #expect(try await task.value == 3)
    #expect(manual.events == [.requested(.unlimited)])
  }

  @Test("several values are awaited with their number as demand, and cancel")
  func collects() async throws {
    let manual = Manual()
    let task = Task { @MainActor in try await manual.collect(first: 2) }
    await Task.yield()
    #expect(manual.events == [.requested(.max(2))])
    (1...3).forEach { manual.send($0) }
    #expect(try await task.value == [1, 2])
    #expect(manual.events == [.requested(.max(2)), .cancelled])
  }

  @Test("returns fewer values at an early finish, and doesn't subscribe for none")
  func fewer() async throws {
    let numbers = [1, 2].lazy.publisher
    #expect(await numbers.collect(first: 3) == [1, 2])
    #expect(await Empty<Int, Never>().collect(first: 3) == [])
    #expect(await Empty<Int, Never>().first == nil)
    #expect(await Empty<Int, Never>().last == nil)
    let manual = Manual()
    #expect(try await manual.collect(first: 0) == [])
    #expect(manual.subscriptions.isEmpty)
    await #expect(processExitsWith: .failure) { _ = await Just(1).collect(first: -1) }
  }

  @Test("throws a typed failure, unless the value arrived before")
  func failure() async throws {
    let failing = [1, 2].lazy.publisher.setFailureType(to: TestError.self).append(Fail(error: .oops))
    #expect(try await failing.first == 1)
    #expect(try await failing.collect(first: 2) == [1, 2])
    do throws(TestError) {
      _ = try await failing.last
      Issue.record("Nothing was thrown.")
    } catch {
      #expect(error == .oops)
    }
    do throws(TestError) {
      _ = try await failing.collect(first: 3)
      Issue.record("Nothing was thrown.")
    } catch {
      #expect(error == .oops)
    }
    do throws(TestError) {
      _ = try await Fail<Int, TestError>(error: .other).first
      Issue.record("Nothing was thrown.")
    } catch {
      #expect(error == .other)
    }
  }

  @Test("cancelling the task immediately cancels the subscription and returns no value")
  func cancels() async throws {
    let manual = Manual()
    let first = Task { @MainActor in try await manual.first }
    let last = Task { @MainActor in try await manual.last }
    let some = Task { @MainActor in try await manual.collect(first: 2) }
    await Task.yield()
    #expect(manual.subscriptions.count == 3)
    (0...2).forEach { if $0 > 0 { manual.send(1, to: $0) } }
    first.cancel()
    last.cancel()
    some.cancel()
    for subscription in manual.subscriptions { #expect(subscription.events.last == .cancelled) }
    #expect(try await first.value == nil)
    #expect(try await last.value == nil)
    #expect(try await some.value == [])
  }

  /// The test is that this compiles: the operators keep their names where both could be called.
  @Test("the operators of the same names are called without await")
  func operators() async throws {
    let source = PassthroughSubject<Int, TestError>()
    let first = source.first()
    let found = source.first { $0 > 1 }
    let last = source.last()
    let pairs = source.collect(2)
    let all = source.collect()
    let _: Publishers.First<PassthroughSubject<Int, TestError>> = first
    let _: Publishers.FirstWhere<PassthroughSubject<Int, TestError>> = found
    let _: Publishers.Last<PassthroughSubject<Int, TestError>> = last
    let _: Publishers.CollectByCount<PassthroughSubject<Int, TestError>> = pairs
    let _: Publishers.Collect<PassthroughSubject<Int, TestError>> = all
    let recorder = pairs.record(demanding: .unlimited)
    (1...3).forEach { source.send($0) }
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value([1, 2]), .value([3]), .finished])
    let third = try await [1, 2, 3].publisher.setFailureType(to: TestError.self).last
    #expect(third == 3)
    if let one = await [1, 2].lazy.publisher.first { #expect(one == 1) }
  }

  private func firstOf<P: Publisher>(_ publisher: P) async throws(P.Failure) -> P.Output? {
    let operated = publisher.first()
    let _: Publishers.First<P> = operated
    return try await publisher.first
  }

  @Test("the same applies to a generic failure type")
  func generic() async throws {
    #expect(await firstOf(Just(1)) == 1)
    #expect(try await firstOf(Just(2).setFailureType(to: TestError.self)) == 2)
    await #expect(throws: TestError.oops) { try await firstOf(Fail<Int, TestError>(error: .oops)) }
  }

  @Test("a value that isn't Sendable can be awaited")
  func notSendable() async {
    let thing = Thing()
    #expect(await Just(thing).first === thing)
    #expect(await Just(thing).collect(first: 1).first === thing)
  }
}

/// Not `Sendable`.
private final class Thing {}
