import Testing
import Weir
import WeirRx

@testable import TestSupport

/// The calls and their results run on the main actor, so that they make progress only while the test awaits.
@Suite("asyncMap", .timeLimit(.minutes(10)))
@MainActor
struct AsyncMapTests {
  typealias Manual = ManualPublisher<Int, TestError>

  let manual = Manual()
  let calls = Calls()

  private func record(
    _ maxPublishers: Subscribers.Demand, demanding demand: Subscribers.Demand = .unlimited
  ) -> Recorder<Int, TestError> {
    mapped(manual, maxPublishers).record(demanding: demand)
  }

  private func mapped<P: Publisher<Int, TestError>>(
    _ source: P, _ maxPublishers: Subscribers.Demand
  ) -> Publishers.AsyncMap<P, Int> {
    source.asyncMap(maxPublishers: maxPublishers) {
      @MainActor [calls] (value: Int) async throws(TestError) -> Int in
      try await calls.make(value)
    }
  }

  private func send(_ values: Int...) {
    for value in values { manual.send(value) }
  }

  @Test("delivers results in the order of the values, whichever call completes first")
  func order() async {
    let recorder = record(.max(3))
    send(1, 2, 3)
    await until { calls.running == [1, 2, 3] }
    calls.answer(3)
    calls.answer(2)
    await Task.yield()
    await Task.yield()
    #expect(recorder.events == [.subscription])
    calls.answer(1)
    await until { recorder.values.count == 3 }
    manual.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(10), .value(20), .value(30), .finished])
  }

  @Test("makes one call at a time by default, and requests the next value when the result is delivered")
  func oneAtATime() async {
    let recorder = manual.asyncMap { @MainActor [calls] (value: Int) async throws(TestError) -> Int in
      try await calls.make(value)
    }.record(demanding: .unlimited)
    #expect(manual.events == [.requested(.max(1))])
    #expect(manual.send(1) == .none)
    await until { calls.running == [1] }
    #expect(manual.events == [.requested(.max(1))])
    calls.answer(1)
    await until { recorder.values == [10] }
    #expect(manual.events == [.requested(.max(1)), .requested(.max(1))])
    #expect(calls.log == ["begin 1", "end 1"])
  }

  @Test("requests no more values than the maximum number of calls")
  func limit() async {
    let recorder = record(.max(2))
    #expect(manual.events == [.requested(.max(2))])
    send(1, 2)
    send(9)
    await until { calls.running == [1, 2] }
    calls.answer(2)
    await Task.yield()
    await Task.yield()
    #expect(manual.events == [.requested(.max(2))], "A result that waits for its turn has its place.")
    calls.answer(1)
    await until { recorder.values == [10, 20] }
    let asked = manual.events.dropFirst().reduce(into: Subscribers.Demand.none) { (sum, event) in
      if case .requested(let demand) = event { sum += demand }
    }
    #expect(asked == .max(2))
    #expect(calls.most == 2)
    #expect(calls.log.contains("begin 9") == false, "One that was not asked for has no call that may begin.")
  }

  @Test("requests no more values than the downstream demand")
  func demand() async {
    let recorder = record(.unlimited, demanding: .none)
    #expect(manual.events == [])
    recorder.request(.max(2))
    #expect(manual.events == [.requested(.max(2))])
    send(1)
    recorder.request(.max(1))
    #expect(manual.events == [.requested(.max(2)), .requested(.max(1))])
    send(2, 3)
    await until { calls.running == [1, 2, 3] }
    [1, 2, 3].forEach(calls.answer)
    await until { recorder.values == [10, 20, 30] }
    #expect(manual.events.count == 2, "Demand has been used up.")
    recorder.request(.unlimited)
    #expect(manual.events.last == .requested(.unlimited))
  }

  @Test("uses demand that the subscriber returns for a result")
  func returnedDemand() async {
    let recorder = record(.max(4), demanding: .max(1))
    recorder.onValue = { (value: Int) in value == 10 ? .max(3) : .none }
    send(1)
    await until { calls.running == [1] }
    calls.answer(1)
    await until { recorder.values == [10] }
    #expect(manual.events == [.requested(.max(1)), .requested(.max(3))])
  }

  @Test("delivers the completion or failure of the values after the results")
  func ends() async {
    for completion in [Subscribers.Completion<TestError>.finished, .failure(.oops)] {
      let (manual, calls) = (Manual(), Calls())
      let recorder = manual.asyncMap(maxPublishers: .max(2)) {
        @MainActor (value: Int) async throws(TestError) -> Int in try await calls.make(value)
      }.record(demanding: .unlimited)
      manual.send(1)
      manual.send(2)
      manual.send(completion: completion)
      await until { calls.running == [1, 2] }
      #expect(recorder.events == [.subscription])
      calls.answer(2)
      calls.answer(1)
      await until { recorder.events.count == 4 }
      #expect(
        recorder.events == [
          .subscription, .value(10), .value(20), completion == .finished ? .finished : .failed(.oops),
        ]
      )
      #expect(manual.events == [.requested(.max(2))])
    }
    let empty = record(.max(1), demanding: .none)
    manual.send(completion: .failure(.other))
    #expect(empty.events == [.subscription, .failed(.other)])
  }

  @Test("delivers a call's error after earlier results; cancels the values and later calls immediately")
  func callFails() async {
    let recorder = record(.max(4))
    send(1, 2, 3, 4)
    await until { calls.running == [1, 2, 3, 4] }
    calls.answer(3)
    calls.fail(2)
    await until { calls.running == [1] }
    #expect(calls.log.suffix(1) == ["cancel 4"])
    #expect(manual.events == [.requested(.max(4)), .cancelled])
    #expect(recorder.events == [.subscription])
    send(5)
    manual.send(completion: .finished)
    calls.answer(1)
    await until { recorder.events.count == 3 }
    #expect(recorder.events == [.subscription, .value(10), .failed(.oops)])
  }

  @Test("delivers the first failure in the order of the values")
  func twoFailures() async {
    let recorder = record(.max(3))
    send(1, 2, 3)
    manual.send(completion: .failure(.other))
    await until { calls.running == [1, 2, 3] }
    calls.fail(3)
    await Task.yield()
    calls.fail(1)
    await until { recorder.events.count == 2 }
    await until { calls.running == [] }
    #expect(recorder.events == [.subscription, .failed(.oops)])
  }

  @Test("cancellation cancels the values and all calls, and no event follows")
  func cancels() async {
    let recorder = record(.max(3))
    send(1, 2)
    await until { calls.running == [1, 2] }
    calls.answer(2)
    recorder.cancel()
    #expect(manual.events == [.requested(.max(3)), .cancelled])
    await until { calls.running == [] }
    send(3)
    manual.send(completion: .finished)
    recorder.request(.max(1))
    await Task.yield()
    #expect(recorder.events == [.subscription])
    // Tasks can start in any order.
    #expect(Set(calls.log.prefix(2)) == ["begin 1", "begin 2"])
    #expect(calls.log.dropFirst(2) == ["end 2", "cancel 1"])
  }

  @Test("no result follows a cancellation during a delivery")
  func cancelsInside() async {
    let recorder = record(.max(3))
    recorder.onValue = { [unowned recorder] (_: Int) in
      recorder.cancel()
      return .max(1)
    }
    send(1, 2, 3)
    await until { calls.running == [1, 2, 3] }
    calls.answer(2)
    await Task.yield()
    await Task.yield()
    calls.answer(1)
    await until { calls.running == [] }
    #expect(recorder.events == [.subscription, .value(10)])
    #expect(manual.events == [.requested(.max(3)), .cancelled])
    #expect(calls.log.last == "cancel 3")
  }

  @Test("starts no call that was cancelled before its actor was free")
  func neverBegun() async {
    let recorder = record(.max(3))
    send(1, 2)
    recorder.cancel()
    // Calls for the actor start in the order of their arrival.
    let other = Just(7).setFailureType(to: TestError.self).asyncMap { @MainActor (value: Int) in value }
      .record(demanding: .unlimited)
    await until { other.isFinished }
    #expect(calls.log == [])
    #expect(recorder.events == [.subscription])
  }

  @Test("runs calls and delivers results on the closure's actor, or outside any actor")
  func isolation() async {
    let numbers = (1...20).lazy.publisher
    let seen = LiveCount()
    let main = numbers.asyncMap(maxPublishers: .max(5)) { @MainActor (value: Int) in
      MainActor.assertIsolated()
      return value
    }.handleEvents(receiveOutput: { (_: Int) in
      MainActor.assertIsolated()
      seen.add(1)
    }).record(demanding: .unlimited)
    await until { main.isFinished }
    #expect(main.values == Array(1...20))
    #expect(seen.value == 20)
    let outside = await numbers.asyncMap(maxPublishers: .max(5)) { (value: Int) in
      #expect(#isolation == nil)
      return value
    }.collect(first: 20)
    #expect(outside == Array(1...20))
  }

  @Test("a closure that throws any error makes a publisher that fails with any error")
  func trying() async throws {
    let numbers = (1...5).lazy.publisher
    let recorder = numbers.tryAsyncMap(maxPublishers: .max(2)) { @MainActor (value: Int) async throws -> Int in
      if value == 3 { throw TestError.oops }
      return value
    }.record(demanding: .unlimited)
    await until { recorder.events.count == 4 }
    #expect(recorder.events == [.subscription, .value(1), .value(2), .failed(.oops)])
    let failing = Fail<Int, TestError>(error: .other).tryAsyncMap { (value: Int) in value }
    let failed = failing.record()
    #expect(failed.events == [.subscription, .failed(.other)])
  }

  @Test("takes functions and function values, also of an actor, and closures that send a result that isn't sendable")
  func functions() async {
    final class Box {
      let value: Int
      init(_ value: Int) { self.value = value }
    }
    @Sendable func thrice(_ value: Int) async -> Int { 3 * value }
    @MainActor func onMain(_ value: Int) async throws -> [Int] {
      MainActor.assertIsolated()
      if value == 2 { throw TestError.oops }
      return [value]
    }
    @Sendable func once(_ value: Int) async -> Just<Int> { Just(value) }
    @Sendable nonisolated(nonsending) func inherited(_ value: Int) async -> Int { 4 * value }
    @Sendable nonisolated(nonsending) func odd(_ value: Int) async throws -> Int {
      if value == 2 { throw TestError.oops }
      return value
    }
    @Sendable nonisolated(nonsending) func inheritedOnce(_ value: Int) async -> Just<Int> { Just(value) }
    let value: @Sendable (Int) async -> Int = thrice
    let numbers = [1, 2].publisher

    #expect(await numbers.asyncMap(thrice).collect(first: 3) == [3, 6])
    #expect(await numbers.asyncMap(value).collect(first: 3) == [3, 6])
    #expect(await numbers.asyncFlatMap(once).collect(first: 3) == [1, 2])
    #expect(await numbers.asyncMap(inherited).collect(first: 3) == [4, 8])
    #expect(await numbers.asyncFlatMap(inheritedOnce).collect(first: 3) == [1, 2])
    let oddOnly: Recorder<Int, any Error> = numbers.tryAsyncMap(odd).record(demanding: .unlimited)
    await until { oddOnly.events.count == 3 }
    #expect(oddOnly.events == [.subscription, .value(1), .failed(.oops)])
    let failing: Recorder<[Int], any Error> = numbers.tryAsyncMap(onMain).record(demanding: .unlimited)
    await until { failing.events.count == 3 }
    #expect(failing.events == [.subscription, .value([1]), .failed(.oops)])
    var unboxed: [Int] = []
    let token = numbers.asyncMap { @MainActor (value: Int) -> Box in Box(value) }.sink { unboxed.append($0.value) }
    await until { unboxed.count == 2 }
    #expect(unboxed == [1, 2])
    token.cancel()
  }

  @Test("infers the result of a closure of several statements in front of a closure that takes any value")
  func statements() async {
    var described: [String] = []
    func describe(_ values: Any...) { described += values.map { String(describing: $0) } }
    var lane: Set<AnyCancellable> = []
    [1, 2].publisher.asyncMap { @MainActor number in
      let doubled = 2 * number
      return doubled
    }
    .sink { describe($0) }.store(in: &lane)
    [1, 2].publisher.tryAsyncMap { @MainActor number in
      let tripled = 3 * number
      return tripled
    }
    .sink {
      describe($0)
    } receiveValue: {
      describe($0)
    }
    .store(in: &lane)
    await until { described.count == 5 }
    #expect(described.sorted() == ["2", "3", "4", "6", "finished"])
  }

  @Test("releases the subscriber at cancellation, finish and failure, although a call continues")
  func releases() async {
    for ending in Ending.allCases {
      let subject = PassthroughSubject<Int, TestError>()
      weak var remains: Token?
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      do {
        let token = Token()
        remains = token
        let recorder = subject.asyncMap { @MainActor (value: Int) async throws(TestError) -> Int in
          // This call ignores its cancellation.
          if ending == .cancel { await Task { for await _ in stream {} }.value }
          return value
        }.record(demanding: .unlimited)
        recorder.onCompletion = { withExtendedLifetime(token) {} }
        ending.happen(to: subject, recorder)
        if ending != .cancel { await until { recorder.events.count == 3 } }
      }
      await until { remains == nil }
      continuation.finish()
      withExtendedLifetime(subject) {}
    }
  }

  @Test("the subscription describes itself, and a second one is cancelled")
  func subscriptions() {
    let recorder = record(.max(1))
    #expect(recorder.subscription.map { "\($0)" } == "AsyncMap")
    #expect(manual.sendSubscription().events == [.cancelled])
    recorder.cancel()
    #expect(manual.sendSubscription().events == [.cancelled])
    #expect(recorder.events == [.subscription])
  }

  @Test("rejects a maximum of no calls")
  func noCalls() async {
    await #expect(processExitsWith: .failure) {
      _ = Just(1).asyncMap(maxPublishers: .none) { (value: Int) in value }
    }
    await #expect(processExitsWith: .failure) {
      _ = Just(1).asyncFlatMap(maxPublishers: .none) { (value: Int) in Just(value) }
    }
  }
}

@Suite("asyncMap, on several threads", .timeLimit(.minutes(10)))
struct AsyncMapThreadTests {
  @Test("results keep their order, none is lost, and calls don't exceed the demand")
  func orders() async {
    let (running, most) = (LiveCount(), LiveCount())
    let results = await (0..<2_000).lazy.publisher.asyncMap(maxPublishers: .max(4)) { (value: Int) -> Int in
      running.add(1)
      if running.value > 4 { most.add(1) }
      for _ in 0..<value % 4 { await Task.yield() }
      running.add(-1)
      return value
    }.collect(first: 2_001)
    #expect(results == Array(0..<2_000))
    #expect(most.value == 0)
    #expect(running.value == 0)
  }

  @Test("concurrent values, results, demand, failures and cancellations deliver in order, with one completion")
  func meets() async {
    for round in 0..<Effort.rounds(200) {
      let subject = PassthroughSubject<Int, TestError>()
      let (inside, ends) = (LiveCount(), LiveCount())
      let recorder = Recorder<Int, TestError>(demanding: .max(2))
      recorder.onValue = { (_: Int) in
        inside.add(1)
        #expect(inside.value == 1)
        inside.add(-1)
        return .max(1)
      }
      recorder.onCompletion = { ends.add(1) }
      subject.asyncMap(maxPublishers: .max(3)) { (value: Int) async throws(TestError) -> Int in
        if round.isMultiple(of: 3), value == 3 { throw .oops }
        return value
      }.subscribe(recorder)
      let shared = subject
      nonisolated(unsafe) let subscriber = recorder
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          for value in 0..<6 { shared.send(value) }
          shared.send(completion: .finished)
        }
        group.addTask { subscriber.request(.max(2)) }
        if round.isMultiple(of: 2) { group.addTask { subscriber.cancel() } }
      }
      if !round.isMultiple(of: 2) { await until { ends.value == 1 } }
      subscriber.cancel()
      // Every delivering thread has left by now, or leaves without another event.
      await until { inside.value == 0 }
      #expect(ends.value <= 1)
    }
  }
}
