import Testing

@testable import TestSupport
@testable import Weir

private enum Sender {
  @TaskLocal static var request = 0
}

@Suite("ActorLane")
@MainActor
struct ActorLaneTests {
  /// A lane that one thread after the other uses.
  struct Elsewhere: @unchecked Sendable {
    let lane: ActorLane<Int>

    @MainActor
    func put(_ values: Range<Int>) {
      let put: @Sendable () -> Void = { for value in values { lane.put(value) } }
      onAnotherThread(put)
    }
  }

  let limit = HandOver.limit

  func lane(_ apply: @escaping @MainActor (Int) -> Void) -> ActorLane<Int> {
    let lane = ActorLane<Int>()
    lane.open(apply)
    return lane
  }

  @Test("5,000 values from another thread yield to other work after each limit of them")
  func sinkTurns() async {
    struct Sent: @unchecked Sendable {  // One thread after the other uses the subject.
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
    let turns = await mainActorTurns(until: 5000) { values.count }
    await until { isFinished }
    #expect(turns == Array(repeating: limit, count: 5000 / limit))
    #expect(values == Array(0..<5000))
    withExtendedLifetime(cancellable) {}
  }

  @Test("delivers a value on the main actor immediately, after fewer pending ones than the limit")
  func putBehindFew() {
    var values: [Int] = []
    let lane = self.lane { values.append($0) }
    Elsewhere(lane: lane).put(0..<limit - 1)
    lane.put(limit - 1)
    #expect(values == Array(0..<limit))
    lane.put(limit)
    #expect(values == Array(0...limit))
  }

  @Test("a value on the main actor delivers at most a limit of pending ones, and does not overtake the rest")
  func putBehindMany() async {
    var values: [Int] = []
    let lane = self.lane { values.append($0) }
    Elsewhere(lane: lane).put(0..<3 * limit)
    lane.put(3 * limit)
    #expect(values == Array(0..<limit))
    lane.put(3 * limit + 1)
    #expect(values == Array(0..<2 * limit))
    #expect(await mainActorTurns(until: 3 * limit + 2) { values.count } == [limit, 2])
    #expect(values == Array(0..<3 * limit + 2))
    lane.put(-1)
    #expect(values.last == -1)
  }

  @Test("values that a delivery enqueues share its turn, so a chain of them respects the limit")
  func nested() async {
    let count = 5 * limit
    var values: [Int] = []
    var depth = 0
    var deepest = 0
    let box = Box<ActorLane<Int>?>(nil)
    let lane = self.lane { value in
      depth += 1
      deepest = max(deepest, depth)
      values.append(value)
      if value < count { box.value?.put(value + count) }
      depth -= 1
    }
    box.value = lane
    Elsewhere(lane: lane).put(0..<count)
    #expect(await mainActorTurns(until: 2 * count) { values.count } == Array(repeating: limit, count: 10))
    #expect(values == Array(0..<2 * count))
    #expect(deepest <= limit)
    box.value = nil
  }

  @Test("delivers a value that a delivery enqueues immediately if no others are pending")
  func nestedWithNothingPending() {
    let count = 2 * limit
    var values: [Int] = []
    let box = Box<ActorLane<Int>?>(nil)
    let lane = self.lane { value in
      values.append(value)
      guard value == -1 else { return }
      for next in 1...count {
        box.value?.put(next)
        #expect(values.last == next)
      }
    }
    box.value = lane
    Elsewhere(lane: lane).put(0..<1)
    lane.put(-1)
    #expect(values == [0, -1] + Array(1...count))
    box.value = nil
  }

  @Test("a delivery has no task-local value of the sender before")
  func taskLocals() async {
    var requests: [Int] = []
    let lane = self.lane { _ in requests.append(Sender.request) }
    Sender.$request.withValue(42) { Elsewhere(lane: lane).put(0..<1) }
    Elsewhere(lane: lane).put(1..<2)
    while requests.count < 2 { await Task.yield() }
    #expect(requests == [0, 0])
    let elsewhere = Elsewhere(lane: lane)
    await Task.detached { Sender.$request.withValue(43) { elsewhere.lane.put(2) } }.value
    while requests.count < 3 { await Task.yield() }
    #expect(requests.last == 0)
  }

  @Test("delivers no value after a close between two turns")
  func close() async {
    var values: [Int] = []
    let lane = self.lane { values.append($0) }
    Elsewhere(lane: lane).put(0..<3 * limit)
    lane.put(3 * limit)
    lane.close()
    for _ in 0..<10 { await Task.yield() }
    #expect(values == Array(0..<limit))
  }
}
