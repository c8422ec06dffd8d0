import Testing
import Weir

@testable import TestSupport

@Suite("value of a future")
struct FutureValueTests {
  /// A future, and its promise.
  private func make<Failure: Error>(
    _ failure: Failure.Type
  ) -> (Future<Int, Failure>, Future<Int, Failure>.Promise) {
    var kept: Future<Int, Failure>.Promise = { _ in }
    let future = Future<Int, Failure> { kept = $0 }
    return (future, kept)
  }

  @Test("returns a value that exists immediately")
  func fulfilled() async throws {
    #expect(await Future<Int, Never> { $0(.success(7)) }.value == 7)
    #expect(try await Future<Int, TestError> { $0(.success(7)) }.value == 7)
  }

  @Test("throws a failure that exists immediately")
  func failed() async {
    await #expect(throws: TestError.oops) { try await Future<Int, TestError> { $0(.failure(.oops)) }.value }
  }

  @Test("suspends until the value arrives, also for several tasks")
  @MainActor
  func waits() async throws {
    let (future, promise) = make(TestError.self)
    let tasks = (0..<3).map { _ in Task { @MainActor in try await future.value } }
    await Task.yield()
    promise(.success(7))
    for task in tasks { #expect(try await task.value == 7) }
  }

  @Test("suspends for a future that can't fail")
  @MainActor
  func waitsForSure() async {
    let (future, promise) = make(Never.self)
    let task = Task { @MainActor in await future.value }
    await Task.yield()
    promise(.success(7))
    #expect(await task.value == 7)
  }

  @Test("throws a failure in all waiting tasks")
  @MainActor
  func waitsForFailure() async {
    let (future, promise) = make(TestError.self)
    let task = Task { @MainActor in try await future.value }
    await Task.yield()
    promise(.failure(.oops))
    await #expect(throws: TestError.oops) { try await task.value }
  }

  @Test("cancelling the task ends the wait and leaves no subscription")
  @MainActor
  func cancels() async {
    let (future, promise) = make(TestError.self)
    let other = future.record(demanding: .max(1))
    let task = Task { @MainActor in try await future.value }
    await Task.yield()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    promise(.success(7))
    #expect(other.events == [.subscription, .value(7), .finished])
  }

  @Test("a task that is cancelled before it waits doesn't suspend")
  @MainActor
  func cancelledBefore() async {
    let (future, promise) = make(TestError.self)
    let task = Task { @MainActor in try await future.value }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    withExtendedLifetime(promise) {}
  }

  @Test("returns a value that isn't Sendable")
  @MainActor
  func notSendable() async throws {
    final class Thing {}
    let thing = Thing()
    let future = Future<Thing, TestError> { $0(.success(thing)) }
    #expect(try await future.value === thing)
  }
}
