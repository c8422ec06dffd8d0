import Testing

@testable import TestSupport
@testable import Weir

@Suite("MainActorLane, and the turns of an actor")
@MainActor
struct MainActorLaneTests {
  /// A lane that is used by one thread after the other.
  struct Elsewhere: @unchecked Sendable {
    let lane: MainActorLane<Int>

    @MainActor
    func put(_ values: Range<Int>) {
      let put: @Sendable () -> Void = { for value in values { lane.put(value) } }
      onAnotherThread(put)
    }
  }

  /// How many values arrived between two turns of another job on the main actor, until `count` are there.
  func turns(until count: Int, _ arrived: @escaping @MainActor () -> Int) async -> [Int] {
    let turns = Box<[Int]>([])
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      // The job enqueues its next turn itself: a task that awaits it would return through another executor.
      @MainActor func look(last: Int) {
        let now = arrived()
        if now > last { turns.value.append(now - last) }
        if now >= count { return continuation.resume() }
        Task { @MainActor in look(last: now) }
      }
      look(last: arrived())
    }
    return turns.value
  }

  @Test("5,000 values from another thread leave a turn to other work after 64 of them each")
  func sinkTurns() async {
    struct Sent: @unchecked Sendable {  // The subject is used by one thread after the other.
      let subject = PassthroughSubject<Int, Never>()
    }
    let sent = Sent()
    var values: [Int] = []
    var isFinished = false
    let cancellable = sent.subject.sink(on: MainActor.shared, receiveCompletion: { _ in isFinished = true }) {
      values.append($0)
    }
    let send: @Sendable () -> Void = {
      for value in 0..<5000 { sent.subject.send(value) }
      sent.subject.send(completion: .finished)
    }
    onAnotherThread(send)
    #expect(values.isEmpty)
    let turns = await turns(until: 5000) { values.count }
    await until { isFinished }
    #expect(turns == Array(repeating: 64, count: 78) + [8])
    #expect(values == Array(0..<5000))
    withExtendedLifetime(cancellable) {}
  }

  @Test("a value on the main actor delivers at most 64 pending ones, and does not overtake the rest")
  func putBehindMany() async {
    var values: [Int] = []
    let lane = MainActorLane<Int>()
    lane.open { values.append($0) }
    let elsewhere = Elsewhere(lane: lane)
    elsewhere.put(0..<63)
    lane.put(63)
    #expect(values == Array(0..<64))
    elsewhere.put(64..<264)
    lane.put(264)
    #expect(values == Array(0..<128))
    lane.put(265)
    #expect(values == Array(0..<192))
    #expect(await turns(until: 266) { values.count } == [64, 10])
    #expect(values == Array(0..<266))
    lane.put(266)
    #expect(values.last == 266)
  }

  @Test("values that a delivery puts share the turn, so a chain of them is not longer than 64 deliveries")
  func nested() async {
    var values: [Int] = []
    var depth = 0
    var deepest = 0
    let box = Box<MainActorLane<Int>?>(nil)
    let lane = MainActorLane<Int>()
    lane.open { value in
      depth += 1
      deepest = max(deepest, depth)
      values.append(value)
      if value < 1000 { box.value?.put(value + 1000) }
      depth -= 1
    }
    box.value = lane
    Elsewhere(lane: lane).put(0..<1000)
    #expect(await turns(until: 2000) { values.count }.allSatisfy { $0 <= 64 })
    #expect(values == Array(0..<2000))
    #expect(deepest <= 65)
    box.value = nil
  }

  @Test("a value that a delivery puts is delivered immediately where nothing is pending")
  func nestedWithNothingPending() {
    var values: [Int] = []
    let box = Box<MainActorLane<Int>?>(nil)
    let lane = MainActorLane<Int>()
    lane.open { value in
      values.append(value)
      guard value < 2 else { return }
      for next in 2..<200 {
        box.value?.put(next)
        if value == 1 { #expect(values.last == next) }
      }
    }
    box.value = lane
    Elsewhere(lane: lane).put(0..<1)
    lane.put(1)
    #expect(values.prefix(2) == [0, 1])
    #expect(values.count == 398)
    box.value = nil
  }

  @Test("nothing is delivered after a close between two turns")
  func close() async {
    var values: [Int] = []
    let lane = MainActorLane<Int>()
    lane.open { values.append($0) }
    Elsewhere(lane: lane).put(0..<200)
    lane.put(200)
    lane.close()
    for _ in 0..<10 { await Task.yield() }
    #expect(values == Array(0..<64))
  }

  actor Worker {
    private var runs: [Int] = []
    private(set) var largestTurn = 0

    /// Schedules actions, and another job before the actor can run one of them.
    func schedule(_ count: Int) {
      let scheduler = ActorScheduler(self)
      for number in 0..<count {
        scheduler.schedule { self.assumeIsolated { $0.runs.append(number) } }
      }
      look(last: 0, until: count)
    }

    private func look(last: Int, until count: Int) {
      let now = runs.count
      largestTurn = max(largestTurn, now - last)
      if now < count { Task { look(last: now, until: count) } }
    }

    var isOrdered: Bool { runs == Array(runs.indices) }
    var count: Int { runs.count }
  }

  @Test("5,000 actions on an actor leave a turn to its other work after 64 of them each")
  func actionTurns() async {
    let worker = Worker()
    await worker.schedule(5000)
    while await worker.count < 5000 { await Task.yield() }
    #expect(await worker.isOrdered)
    #expect(await (1...64).contains(worker.largestTurn))
  }
}
