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

  private actor Library {
    private let subject = PassthroughSubject<Int, Never>()
    private var bag: Set<AnyCancellable> = []
    private var values: [Int] = []
    let life: LiveCount

    init(counting life: LiveCount) {
      self.life = life
      life.add(1)
    }

    deinit { life.add(-1) }

    func listen() {
      subject.receive(on: ActorScheduler(self)).sink { [weak self] value in
        self?.assumeIsolated { $0.values.append(value) }
      }
      .store(in: &bag)
    }

    func send(_ value: Int) { subject.send(value) }

    var received: [Int] { values }
  }

  @Test("a scheduler doesn't retain its actor, which can store the pipeline", .timeLimit(.minutes(10)))
  func actorIsReleased() async {
    let life = LiveCount()
    do {
      let library = Library(counting: life)
      await library.listen()
      await library.send(1)
      while await library.received != [1] { await Task.yield() }
    }
    while life.value > 0 { await Task.yield() }
  }

  @Test("the actions of an actor that has been deallocated run one after the other", .timeLimit(.minutes(10)))
  func actorIsGone() async {
    let scheduler = ActorScheduler(Library(counting: LiveCount()))
    let runs = LiveCount()
    for number in 0..<100 { scheduler.schedule { if runs.value == number { runs.add(1) } } }
    while runs.value < 100 { await Task.yield() }
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
