import Dispatch
import Testing
import Weir
import WeirDispatch
import WeirTesting

/// These tests use real schedulers.
///
/// The timeout of a minute is never reached.
@Suite struct WaitingTests {
  @Test func awaitsValuesAndTheEnd() async throws {
    let subscriber = TestSubscriber<Int, Never>(demanding: .unlimited)
    (1...3).lazy.publisher.receive(on: DispatchQueue.global()).subscribe(subscriber)
    #expect(try await subscriber.values(count: 3, timeout: .seconds(600)) == [1, 2, 3])
    try await subscriber.wait(for: .completion, timeout: .seconds(600))
    #expect(subscriber.isFinished)
  }

  @Test func waitsForAnyDuration() async throws {
    let subscriber = TestSubscriber<Int, Never>(demanding: .unlimited)
    [1].lazy.publisher.receive(on: DispatchQueue.global()).subscribe(subscriber)
    try await subscriber.wait(for: .completion, timeout: .seconds(Int64.max))
    #expect(subscriber.values == [1])
  }

  @Test func aCancelledTaskWaitsNoLonger() async throws {
    let subscriber = TestSubscriber<Int, Never>(demanding: .unlimited)
    PassthroughSubject<Int, Never>().subscribe(subscriber)
    let task = Task { try await subscriber.wait(for: .completion, timeout: .seconds(600)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func blocksUntilTheEnd() throws {
    let subscriber = TestSubscriber<Int, Never>(demanding: .unlimited)
    (1...3).lazy.publisher.receive(on: DispatchQueue.global()).subscribe(subscriber)
    try subscriber.wait(for: .completion, timeout: .seconds(600))
    #expect(subscriber.values == [1, 2, 3])
  }

  @Test func givesUpAtTheEndOrWhenTheTimeIsOver() async throws {
    let ended = TestSubscriber<Int, Never>(demanding: .unlimited)
    [1, 2].lazy.publisher.subscribe(ended)
    let atTheEnd = messageOfFailure { try ended.wait(for: .values(3), timeout: .seconds(600)) }
    #expect(atTheEnd == "Waited for 3 values. The publisher completed (finished), and the values are [1, 2].")
    let open = TestSubscriber<Int, Never>(demanding: .unlimited)
    PassthroughSubject<Int, Never>().subscribe(open)
    let late = "Waited for the completion. There was no completion after 0.001 seconds, and the values are []."
    #expect(messageOfFailure { try open.wait(for: .completion, timeout: .milliseconds(1)) } == late)
    let error = await #expect(throws: TestFailure.self) {
      try await open.wait(for: .completion, timeout: .milliseconds(1))
    }
    #expect(error?.message == late)
  }
}
