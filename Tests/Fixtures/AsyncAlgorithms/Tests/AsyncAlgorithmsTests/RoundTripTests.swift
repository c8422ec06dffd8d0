import AsyncAlgorithms
import Synchronization
import Testing
import Weir
import WeirRx

/// A number that several tasks change.
private final class Count: Sendable {
  private let number = Atomic<Int>(0)

  var value: Int { number.load(ordering: .acquiring) }

  func add() {
    number.wrappingAdd(1, ordering: .acquiringAndReleasing)
  }
}

/// Runs other tasks until a condition holds, or returns after a limit.
private func until(_ isSo: () -> Bool) async {
  let hopeless = ContinuousClock.now + .seconds(600)
  while !isSo() {
    guard !Task.isCancelled, ContinuousClock.now < hopeless else {
      Issue.record("The condition did not become true in time.")
      return
    }
    await Task.yield()
  }
}

@Suite("algorithms of asynchronous sequences, between publishers", .timeLimit(.minutes(10)))
struct RoundTripTests {
  @Test("debounce uses the time of a test clock")
  func debounce() async {
    let (stream, feed) = AsyncStream<Int>.makeStream()
    let (clock, pulls) = (TestClock(), Count())
    let source = AsyncStream<Int>(unfolding: {
      pulls.add()
      for await value in stream { return value }
      return nil
    }).publisher
    let debounced = source.values.debounce(for: .seconds(1), clock: clock).publisher
    let found = Mutex<[Int]>([])
    let (values, isTerminated) = (Count(), Count())
    let sink = debounced.sink(
      receiveCompletion: { (_: Subscribers.Completion<Never>) in isTerminated.add() },
      receiveValue: { (value: Int) in
        found.withLock { $0.append(value) }
        values.add()
      })
    (1...3).forEach { feed.yield($0) }
    // The fourth call means that three elements have been taken.
    await until { pulls.value == 4 && clock.sleepers > 0 }
    #expect(values.value == 0)
    clock.advance(by: .seconds(1))
    await until { values.value == 1 }
    feed.yield(4)
    await until { pulls.value == 5 && clock.sleepers > 0 }
    clock.advance(by: .seconds(1))
    await until { values.value == 2 }
    feed.finish()
    await until { isTerminated.value == 1 }
    #expect(found.withLock { $0 } == [3, 4])
    withExtendedLifetime(sink) {}
  }

  @Test("chunks and groups keep their elements", arguments: [1, 3, 100])
  func chunks(room: Int) async {
    let numbers = (0..<1_000).async.publisher
    let chunks = numbers.values(buffering: .suspending(room)).chunks(ofCount: 3).publisher
    let all = await chunks.collect(first: 1_000)
    #expect(all.count == 334)
    #expect(all.flatMap { $0 } == Array(0..<1_000))
    let groups = numbers.values.chunked { $0 / 10 == $1 / 10 }.publisher.map { $0.reduce(0, +) }
    #expect(await groups.last == (990..<1_000).reduce(0, +))
    #expect(await groups.reduce(0, +).first == 499_500)
  }

  @Test("merge keeps the order of each side, and continues into Weir's merge")
  func merges() async {
    let (even, odd) = (stride(from: 0, to: 2_000, by: 2), stride(from: 1, to: 2_000, by: 2))
    let evens = Array(even).async.publisher
    let odds = Array(odd).async.publisher
    let merged = merge(evens.values, odds.values(buffering: .suspending(4))).publisher
    let all = await merged.collect(first: 3_000)
    #expect(all.filter { $0.isMultiple(of: 2) } == Array(even))
    #expect(all.filter { !$0.isMultiple(of: 2) } == Array(odd))
    let again = await merged.merge(with: Just(2_000)).reduce(0, +).first
    #expect(again == 2_001_000)
  }

  @Test("a typed failure passes both ways")
  func failure() async {
    struct Failed: Error {}
    let failing = [1, 2].async.publisher.setFailureType(to: (any Error).self).tryMap { (value: Int) throws -> Int in
      if value == 2 { throw Failed() }
      return value
    }
    var found: [Int] = []
    await #expect(throws: Failed.self) {
      for try await chunk in failing.values(buffering: .unbounded).chunks(ofCount: 1) { found += chunk }
    }
    #expect(found == [1])
  }

  @Test("cancelling the publisher cancels the whole sequence")
  func cancels() async {
    let (stream, feed) = AsyncStream<Int>.makeStream()
    let (isCancelled, values, pulls) = (Count(), Count(), Count())
    feed.onTermination = { _ in isCancelled.add() }
    let source = AsyncStream<Int>(unfolding: {
      pulls.add()
      for await value in stream { return value }
      return nil
    }).publisher
    let sink = source.values.removeDuplicates().publisher.sink { (_: Int) in values.add() }
    feed.yield(1)
    // A stream receives the cancellation if a task awaits it.
    await until { values.value == 1 && pulls.value == 2 }
    sink.cancel()
    await until { isCancelled.value == 1 }
    #expect(values.value == 1)
  }
}
