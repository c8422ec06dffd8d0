import Testing
import Weir

@testable import TestSupport

@Suite("the value of a future, awaited")
struct FutureValueTests {
  /// A future, and what fulfils it.
  private func make<Failure: Error>(
    _ failure: Failure.Type
  ) -> (Future<Int, Failure>, Future<Int, Failure>.Promise) {
    var kept: Future<Int, Failure>.Promise = { _ in }
    let future = Future<Int, Failure> { kept = $0 }
    return (future, kept)
  }

  @Test("is there at once when it has come before")
  func fulfilled() async throws {
    #expect(await Future<Int, Never> { $0(.success(7)) }.value == 7)
    #expect(try await Future<Int, TestError> { $0(.success(7)) }.value == 7)
  }

  @Test("is thrown instead when it is a failure")
  func failed() async {
    await #expect(throws: TestError.oops) { try await Future<Int, TestError> { $0(.failure(.oops)) }.value }
  }

  @Test("is waited for, also by several tasks")
  @MainActor
  func waits() async throws {
    let (future, promise) = make(TestError.self)
    let tasks = (0..<3).map { _ in Task { @MainActor in try await future.value } }
    await Task.yield()
    promise(.success(7))
    for task in tasks { #expect(try await task.value == 7) }
  }

  @Test("is waited for where no failure is possible")
  @MainActor
  func waitsForSure() async {
    let (future, promise) = make(Never.self)
    let task = Task { @MainActor in await future.value }
    await Task.yield()
    promise(.success(7))
    #expect(await task.value == 7)
  }

  @Test("a failure is thrown to those who wait")
  @MainActor
  func waitsForFailure() async {
    let (future, promise) = make(TestError.self)
    let task = Task { @MainActor in try await future.value }
    await Task.yield()
    promise(.failure(.oops))
    await #expect(throws: TestError.oops) { try await task.value }
  }

  @Test("cancelling the task ends the wait and leaves nothing behind")
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

  @Test("a task that is cancelled before it waits doesn't wait")
  @MainActor
  func cancelledBefore() async {
    let (future, promise) = make(TestError.self)
    let task = Task { @MainActor in try await future.value }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    withExtendedLifetime(promise) {}
  }

  @Test("a value that is no Sendable can be awaited")
  @MainActor
  func notSendable() async throws {
    final class Thing {}
    let thing = Thing()
    let future = Future<Thing, TestError> { $0(.success(thing)) }
    #expect(try await future.value === thing)
  }
}
