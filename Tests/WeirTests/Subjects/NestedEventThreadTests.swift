import Testing

@testable import TestSupport
@testable import Weir

/// What a subscriber sends in a delivery, while other threads have enqueued events behind that.
@Suite("events in a delivery, and events of other threads")
struct NestedEventThreadTests {
  /// Records the values, and the ends of their deliveries as negative numbers.
  private func record(
    _ subject: some Subject<Int, TestError>, _ act: @escaping (Int) -> Void
  ) -> (recorder: Recorder<Int, TestError>, log: () -> [Int]) {
    let recorder = Recorder<Int, TestError>(demanding: .unlimited)
    var log: [Int] = []
    recorder.onValue = { (value: Int) -> Subscribers.Demand in
      log.append(value)
      act(value)
      log.append(-value)
      return .none
    }
    subject.subscribe(recorder)
    log = []
    return (recorder, { log })
  }

  @Test("a value follows what another thread has sent during the same delivery", arguments: SubjectKind.allCases)
  func follows(_ kind: SubjectKind) {
    let subject = kind.make(0)
    let (_, log) = record(subject) { value in
      if value == 1 {
        onAnotherThread { subject.send(2) }
        subject.send(3)
      }
      // Nothing has been sent during this delivery.
      if value == 2 { subject.send(4) }
    }
    subject.send(1)
    #expect(log() == [1, 2, 4, -4, -2, 3, -3, -1])
  }

  @Test("a value precedes what another thread had sent before the delivery", arguments: SubjectKind.allCases)
  func precedes(_ kind: SubjectKind) {
    let subject = kind.make(0)
    let (_, log) = record(subject) { value in
      if value == 1 { onAnotherThread { for value in 2...4 { subject.send(value) } } }
      if (2...4).contains(value) { subject.send(10 * value) }
      if value == 20 { onAnotherThread { subject.send(5) } }
    }
    subject.send(1)
    #expect(log() == [1, -1, 2, 20, -20, -2, 3, 30, -30, -3, 4, 40, -40, -4, 5, -5])
  }

  @Test("a completion drops what another thread had sent before the delivery, but not what it has sent during it")
  func completes() {
    let subject = PassthroughSubject<Int, TestError>()
    let (recorder, log) = record(subject) { value in
      if value == 1 { onAnotherThread { for value in 2...3 { subject.send(value) } } }
      if value == 2 {
        onAnotherThread { subject.send(4) }
        subject.send(completion: .finished)
      }
    }
    subject.send(1)
    #expect(log() == [1, -1, 2, 3, -3, 4, -4, -2])
    #expect(recorder.isFinished)
  }

  @Test("events are not nested as deeply as other threads send them", arguments: SubjectKind.allCases)
  func depth(_ kind: SubjectKind) {
    let subject = kind.make(0)
    var (depth, deepest) = (0, 0)
    let (recorder, _) = record(subject) { value in
      depth += 1
      deepest = max(deepest, depth)
      if (1..<1000).contains(value) {
        onAnotherThread { subject.send(value + 1) }
        subject.send(10_000 + value)
      }
      depth -= 1
    }
    subject.send(1)
    #expect(deepest < 20)
    #expect(recorder.values.filter { (1...1000).contains($0) } == Array(1...1000))
    #expect(Set(recorder.values.filter { $0 > 10_000 }) == Set(10_001..<11_000))
  }

  private final class Queue: _Gated {
    var counts = EnqueuedCounts()
    override var enqueuedCounts: EnqueuedCounts { counts }
  }

  @Test("both bounds hold although other threads enqueue events when it is decided that one is nested")
  func bounds() {
    func catchUps(on pending: Int) -> Int {
      let queue = Queue()
      var count = 0
      func nest() {
        queue.counts = EnqueuedCounts(pending: pending, total: queue.counts.total + 1)
        var isFirst = true
        queue.nest(
          deliverNext: {
            if isFirst { count += 1 }
            if isFirst, count < 1000 { nest() }
            isFirst = false
            return true
          }, {})
      }
      nest()
      return count
    }
    #expect(catchUps(on: 1) == 16)
    #expect(catchUps(on: 90) == 3)
    #expect(catchUps(on: 1_000_000) == 1)
  }

  @Test("a nested call delivers a bounded number of others' events")
  func allowance() {
    let subject = PassthroughSubject<Int, TestError>()
    var (sent, delivered, deliveredInside) = (0, 0, 0)
    let (recorder, _) = record(subject) { value in
      delivered += 1
      if value < 0 || sent >= 10_000 { return }
      onAnotherThread {
        for _ in 1...50 {
          sent += 1
          subject.send(sent)
        }
      }
      subject.send(-1 - value)
      if value == 0 { deliveredInside = delivered }
    }
    subject.send(0)
    #expect(deliveredInside > 50)
    #expect(deliveredInside < 50 + 200 + 50)
    withExtendedLifetime(recorder) {}
  }

  @Test("two subjects that send to each other come to rest", arguments: SubjectKind.allCases)
  func ring(_ kind: SubjectKind) {
    let (first, second) = (kind.make(0), kind.make(0))
    let setter = first.eraseToAnyPublisher().filter { $0 == 1 }.first().sink(receiveCompletion: { _ in }) { (_: Int) in
      onAnotherThread { first.send(2) }
    }
    var values: [Int] = []
    let there = first.eraseToAnyPublisher().removeDuplicates().sink(receiveCompletion: { _ in }) { (value: Int) in
      values.append(value)
      second.send(value)
    }
    let back = second.eraseToAnyPublisher().removeDuplicates().sink(receiveCompletion: { _ in }) { (value: Int) in
      first.send(value)
    }
    values = []
    first.send(1)
    #expect(values == [1, 2, 1])
    withExtendedLifetime((setter, there, back)) {}
  }

  @Test("two subjects behind an operator that enqueues nested values exchange two values")
  func ringOfMerge() {
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    var values: [Int] = []
    let setter = first.first().sink { (_: Int) in onAnotherThread { first.send(2) } }
    let there = first.merge(with: Empty(completeImmediately: false)).removeDuplicates().sink { (value: Int) in
      values.append(value)
      if values.count < 6 { second.send(value) }
    }
    let back = second.removeDuplicates().sink { (value: Int) in first.send(value) }
    first.send(1)
    #expect(values == [1, 2, 1, 2, 1, 2, 1])
    withExtendedLifetime((setter, there, back)) {}
  }

  private final class Pair: ObservableObject, @unchecked Sendable {
    @Published var first = 0
    @Published var second = 0
  }

  @Test("two published properties that are assigned to each other come to rest")
  func publishedRing() {
    let pair = Pair()
    let setter = pair.$first.filter { $0 == 1 }.first().sink { [unowned pair] (_: Int) in
      onAnotherThread { pair.first = 2 }
    }
    pair.$first.removeDuplicates().assign(to: &pair.$second)
    pair.$second.removeDuplicates().assign(to: &pair.$first)
    pair.first = 1
    #expect(pair.first == pair.second)
    withExtendedLifetime(setter) {}
  }

  // MARK: Stored values

  @Test("the value that is delivered last remains stored")
  func storesLast() {
    let subject = CurrentValueSubject<Int, TestError>(0)
    var reads: [Int] = []
    let (recorder, _) = record(subject) { value in
      if value == 1 { onAnotherThread { for value in 2...3 { subject.send(value) } } }
      if value == 2 {
        subject.send(20)
        reads.append(subject.value)
      }
    }
    subject.send(1)
    #expect(recorder.values == [0, 1, 2, 20, 3])
    #expect(reads == [20])
    #expect(subject.value == 3)
  }

  @Test("the value of a published property that is delivered last remains stored")
  func storesLastPublished() {
    let pair = Pair()
    var (values, reads): ([Int], [Int]) = ([], [])
    let sink = pair.$first.sink { [unowned pair] (value: Int) in
      values.append(value)
      if value == 1 { onAnotherThread { for value in 2...3 { pair.first = value } } }
      if value == 2 {
        pair.first = 20
        reads.append(pair.first)
      }
    }
    pair.first = 1
    #expect(values == [0, 1, 2, 20, 3])
    #expect(reads == [20])
    #expect(pair.first == 3)
    withExtendedLifetime(sink) {}
  }
}
