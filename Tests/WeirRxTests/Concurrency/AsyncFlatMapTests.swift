import Testing
import Weir
import WeirRx

@testable import TestSupport

/// The calls run on the main actor, so that they make progress only while the test awaits.
@Suite("asyncFlatMap", .timeLimit(.minutes(10)))
@MainActor
struct AsyncFlatMapTests {
  typealias Manual = ManualPublisher<Int, TestError>

  let manual = Manual()
  let calls = Calls()

  /// The answer of each call, and its successor.
  private func record(
    _ maxPublishers: Subscribers.Demand, demanding demand: Subscribers.Demand = .unlimited
  ) -> Recorder<Int, TestError> {
    manual.asyncFlatMap(maxPublishers: maxPublishers) {
      @MainActor [calls] (value: Int) async throws(TestError)
        -> Publishers.SetFailureType<
          Publishers.Sequence<LazySequence<[Int]>, Never>, TestError
        > in
      let answer = try await calls.make(value)
      return [answer, answer + 1].lazy.publisher.setFailureType(to: TestError.self)
    }.record(demanding: demand)
  }

  @Test("awaits the publishers one after the other, and forwards all their values")
  func one() async {
    let recorder = record(.max(1))
    #expect(manual.events == [.requested(.max(1))])
    manual.send(1)
    await until { calls.running == [1] }
    calls.answer(1)
    await until { manual.events.count == 2 }
    #expect(recorder.values == [10, 11])
    manual.send(2)
    manual.send(completion: .finished)
    await until { calls.running == [2] }
    calls.answer(2)
    await until { recorder.isFinished }
    #expect(recorder.events == [.subscription, .value(10), .value(11), .value(20), .value(21), .finished])
    #expect(manual.events == [.requested(.max(1)), .requested(.max(1))])
  }

  @Test("awaits several publishers concurrently, and forwards values as they arrive")
  func several() async {
    let recorder = record(.max(2))
    manual.send(1)
    manual.send(2)
    await until { calls.running == [1, 2] }
    calls.answer(2)
    await until { recorder.values.count == 2 }
    calls.answer(1)
    await until { recorder.values.count == 4 }
    #expect(recorder.values == [20, 21, 10, 11])
  }

  @Test("delivers no more values than requested")
  func demand() async {
    let recorder = record(.max(1), demanding: .max(1))
    manual.send(1)
    await until { calls.running == [1] }
    calls.answer(1)
    await until { recorder.values == [10] }
    await Task.yield()
    #expect(recorder.values == [10])
    recorder.request(.max(1))
    await until { recorder.values == [10, 11] }
  }

  @Test("requests one value ahead from an inner publisher")
  func oneAhead() async {
    let inner = Manual()
    nonisolated(unsafe) let shared = inner
    let recorder = manual.asyncFlatMap { @MainActor (value: Int) async throws(TestError) -> Manual in shared }.record()
    manual.send(1)
    await until { !inner.events.isEmpty }
    #expect(inner.send(5) == .none)
    recorder.request(.max(1))
    #expect(recorder.values == [5])
    #expect(inner.events == [.requested(.max(1)), .requested(.max(1))])
  }

  @Test("an error of a call terminates the operator and cancels the other calls")
  func failure() async {
    let recorder = record(.max(2))
    manual.send(1)
    manual.send(2)
    await until { calls.running == [1, 2] }
    calls.fail(2)
    await until { recorder.events.count == 2 }
    #expect(recorder.events == [.subscription, .failed(.oops)])
    await until { calls.running == [] }
    #expect(calls.log.last == "cancel 1")
    #expect(manual.events == [.requested(.max(2)), .cancelled])
  }

  @Test("cancellation cancels the calls and the publishers")
  func cancels() async {
    let inner = Manual()
    nonisolated(unsafe) let shared = inner
    let recorder = manual.asyncFlatMap(maxPublishers: .max(2)) {
      @MainActor [calls] (value: Int) async throws(TestError) -> Manual in
      if value == 2 { _ = try await calls.make(2) }
      return shared
    }.record(demanding: .unlimited)
    manual.send(1)
    manual.send(2)
    await until { calls.running == [2] && inner.events == [.requested(.unlimited)] }
    inner.send(5)
    recorder.cancel()
    #expect(inner.events == [.requested(.unlimited), .cancelled])
    #expect(manual.events == [.requested(.max(2)), .cancelled])
    await until { calls.running == [] }
    inner.send(6)
    await Task.yield()
    #expect(recorder.events == [.subscription, .value(5)])
    #expect(inner.subscriptions.count == 1, "What the cancelled call gave is not subscribed to.")
  }

  @Test("starts no call that was cancelled before its actor was free")
  func neverBegun() async {
    let recorder = record(.max(2))
    manual.send(1)
    recorder.cancel()
    let other = Just(7).asyncFlatMap { @MainActor (value: Int) in Just(value) }.record(demanding: .unlimited)
    await until { other.isFinished }
    #expect(other.values == [7])
    #expect(calls.log == [])
  }
}
