import Testing

@testable import TestSupport
@testable import Weir

/// The numbers from 1 to `end`, without a suspension.
private struct Numbers: AsyncSequence, Sendable {
  struct Iterator: AsyncIteratorProtocol {
    let pulls: LiveCount
    let end: Int

    mutating func next() async -> Int? { await next(isolation: nil) }

    mutating func next(isolation: isolated (any Actor)?) async -> Int? {
      pulls.add(1)
      return pulls.value <= end ? pulls.value : nil
    }
  }

  let end: Int
  let pulls = LiveCount()

  func makeAsyncIterator() -> Iterator { Iterator(pulls: pulls, end: end) }
}

@Suite("ActionLine, and other tasks that deliver on an actor")
struct ActionLineTests {
  @Test("5,000 actions on an actor yield to its other work after each limit of them")
  @MainActor
  func actions() async {
    let scheduler = ActorScheduler(MainActor.shared)
    var runs: [Int] = []
    for number in 0..<5000 { scheduler.schedule { MainActor.assumeIsolated { runs.append(number) } } }
    let turns = await mainActorTurns(until: 5000) { runs.count }
    #expect(turns.count >= 5000 / HandOver.limit)
    #expect(turns.allSatisfy { $0 <= HandOver.limit })
    #expect(runs == Array(0..<5000))
  }

  @Test("an asynchronous sequence that never suspends yields to its actor's other work")
  @MainActor
  func asyncSequence() async {
    let count = 5 * HandOver.limit
    var values: [Int] = []
    let cancellable = Numbers(end: count).publisher(isolation: MainActor.shared).sink { values.append($0) }
    let turns = await mainActorTurns(until: count) { values.count }
    #expect(turns == Array(repeating: HandOver.limit, count: 5))
    #expect(values == Array(1...count))
    withExtendedLifetime(cancellable) {}
  }

  @Test("a cancellation between two turns of an asynchronous sequence pulls no further element")
  @MainActor
  func cancelledAsyncSequence() async {
    let numbers = Numbers(end: 1000)
    var values: [Int] = []
    var cancellable: AnyCancellable?
    cancellable = numbers.publisher(isolation: MainActor.shared).sink { value in
      values.append(value)
      // The job runs when the task of the sequence yields.
      if value == 1 { Task { @MainActor in cancellable?.cancel() } }
    }
    _ = await mainActorTurns(until: HandOver.limit) { values.count }
    for _ in 0..<10 { await Task.yield() }
    #expect(values == Array(1...HandOver.limit))
    #expect(numbers.pulls.value == HandOver.limit)
  }

  @Test("a task that iterates over values without suspending yields to its actor's other work")
  @MainActor
  func values() async {
    let count = 5 * HandOver.limit
    var values: [Int] = []
    let task = Task { @MainActor in
      for await value in (0..<count).publisher.values { values.append(value) }
    }
    let turns = await mainActorTurns(until: count) { values.count }
    await task.value
    #expect(turns == Array(repeating: HandOver.limit, count: 5))
    #expect(values == Array(0..<count))
  }
}
