import Dispatch
import Testing
import Weir

@testable import TestSupport

/// Operators with several upstreams on several threads, with subscribers that are not thread-safe.
@Suite("several threads feed one operator")
struct CombiningThreadTests {
  typealias Subject = PassthroughSubject<Int, Never>

  static let count = 5_000

  let subjects = (0..<3).map { _ in Subject() }

  /// Sends into every subject on its own thread; returns all values, whose deliveries must not overlap.
  func feed<P: Publisher<Int, Never>>(_ publisher: P) -> [Int] {
    let recorder = Recorder<Int, Never>(demanding: .unlimited)
    var (inside, deepest) = (0, 0)
    recorder.onValue = { _ in
      inside += 1
      deepest = max(deepest, inside)
      inside -= 1
      return .none
    }
    publisher.subscribe(recorder)
    race(
      { for value in 1...Self.count { subjects[0].send(value) } },
      { for value in 1...Self.count { subjects[1].send(value) } },
      { for value in 1...Self.count { subjects[2].send(value) } })
    for subject in subjects { subject.send(completion: .finished) }
    #expect(recorder.isFinished)
    #expect(deepest == 1)
    return recorder.values
  }

  static let sum = count * (count + 1) / 2

  @Test("merge loses no value and serializes delivery")
  func merges() {
    #expect(feed(subjects[0].merge(with: subjects[1], subjects[2])).reduce(0, +) == 3 * Self.sum)
    #expect(feed(Publishers.MergeMany((0..<3).map { _ in Just(1) })) == [1, 1, 1])
  }

  @Test("flatMap loses no value and serializes delivery")
  func flatMaps() {
    #expect(feed((0..<3).publisher.flatMap { (n: Int) -> Subject in subjects[n] }).reduce(0, +) == 3 * Self.sum)
  }

  @Test("finite demand that is renewed during deliveries loses no value either")
  func mergesWithDemand() {
    let recorder = Recorder<Int, Never>(demanding: .max(1), returning: .max(1))
    let sources = (0..<3).map { _ in (1...Self.count).publisher.receive(on: ImmediateScheduler.shared) }
    let gates = (0..<3).map { _ in Subject() }
    let all = Publishers.MergeMany((0..<3).map { n in gates[n].flatMap { (_: Int) in sources[n] } })
    all.subscribe(recorder)
    race({ gates[0].send(1) }, { gates[1].send(1) }, { gates[2].send(1) })
    for gate in gates { gate.send(completion: .finished) }
    #expect(recorder.values.reduce(0, +) == 3 * Self.sum)
    #expect(recorder.isFinished)
  }

  @Test("finite demand for all values loses none, although each subject has demand for one value at a time")
  func mergesWithDemandForAll() {
    let merged = subjects[0].merge(with: subjects[1], subjects[2])
    let flat = (0..<3).publisher.flatMap { (n: Int) -> Subject in subjects[n] }
    for publisher in [merged.eraseToAnyPublisher(), flat.eraseToAnyPublisher()] {
      let recorder = Recorder<Int, Never>(demanding: .max(3 * Self.count))
      publisher.subscribe(recorder)
      race(
        { for value in 1...Self.count { subjects[0].send(value) } },
        { for value in 1...Self.count { subjects[1].send(value) } },
        { for value in 1...Self.count { subjects[2].send(value) } })
      HandOver.settle()
      #expect(recorder.values.reduce(0, +) == 3 * Self.sum)
    }
  }

  @Test("zip pairs all values by position")
  func zips() {
    let zipped = subjects[0].zip(subjects[1], subjects[2]) { (a: Int, b: Int, c: Int) -> Int in
      a == b && b == c ? a : -1
    }
    #expect(feed(zipped) == Array(1...Self.count))
  }

  @Test("combineLatest never returns to an older value, and finishes with the last of each")
  func combines() {
    let combined = subjects[0].combineLatest(subjects[1], subjects[2]) { (a: Int, b: Int, c: Int) -> Int in a + b + c }
    let values = feed(combined)
    #expect(values.last == 3 * Self.count)
    #expect(values == values.sorted())
  }

  @Test("switchToLatest forwards one publisher at a time while another thread switches")
  func switches() {
    let outer = PassthroughSubject<Subject, Never>()
    let recorder = Recorder<Int, Never>(demanding: .unlimited)
    var (inside, deepest) = (0, 0)
    recorder.onValue = { _ in
      inside += 1
      deepest = max(deepest, inside)
      inside -= 1
      return .none
    }
    outer.switchToLatest().subscribe(recorder)
    race(
      { for value in 1...Self.count { subjects[0].send(value) } },
      { for value in 1...Self.count { subjects[1].send(value) } },
      { for value in 0..<1_000 { outer.send(subjects[value % 2]) } })
    #expect(deepest <= 1)
    let before = recorder.events.count
    subjects[0].send(1)
    subjects[1].send(7)
    #expect(recorder.events.count == before + 1)
    #expect(recorder.events.last == .value(7))
  }

  @Test("a completion that races with a value is delivered once, last")
  func completions() {
    for _ in 0..<Effort.rounds(300) {
      let (a, b) = (PassthroughSubject<Int, TestError>(), PassthroughSubject<Int, TestError>())
      let recorder = a.merge(with: b).record(demanding: .unlimited)
      race({ for value in 1...5 { a.send(value) } }, { b.send(completion: .failure(.oops)) })
      #expect(recorder.events.filter { $0 == .failed(.oops) }.count == 1)
      #expect(recorder.events.last == .failed(.oops))
    }
  }

  @Test("requests that race with values deliver every value once, in order")
  func requests() {
    let (a, b) = (Subject(), Subject())
    let recorder = a.zip(b) { (a: Int, b: Int) -> Int in a }.record(demanding: .max(1))
    let buffered = a.merge(with: b).record()
    buffered.request(.unlimited)
    let total = 2_000
    recorder.request(.max(total))
    race(
      { for value in 1...total { a.send(value) } }, { for value in 1...total { b.send(value) } },
      { for _ in 0..<total { recorder.request(.max(1)) } })
    #expect(recorder.values == Array(1...total))
    #expect(buffered.values.count == 2 * total)
  }

  @Test("a request reaches all upstreams before it returns, although another thread is delivering")
  func requestsWhileDelivering() {
    let children = (0..<4).map { _ in ManualPublisher<Int, Never>() }
    let recorder = children.publisher.flatMap { (child: ManualPublisher<Int, Never>) in child }.record(demanding: .none)
    for number in 0..<3 { children[number].send(number) }
    let (isDelivering, hasReturned) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    recorder.onValue = { value in
      if value == 3 {
        isDelivering.signal()
        hasReturned.wait()
      }
      return .none
    }
    let requests = Box<[Int]>([])
    let deliverer = DispatchGroup()
    for (number, child) in children.enumerated() {
      child.subscriptions[0].onRequest = { _ in
        requests.value.append(number)
        guard number == 0 else { return }
        nonisolated(unsafe) let last = children[3]
        DispatchQueue.global().async(group: deliverer) { last.send(3) }
        isDelivering.wait()
      }
    }
    recorder.request(.max(4))
    #expect(requests.value == [0, 1, 2])
    hasReturned.signal()
    deliverer.wait()
    #expect(recorder.values == [0, 1, 2, 3])
  }

  @Test("two pipelines that cross a foreign lock don't block each other")
  func foreignLock() {
    let foreign = DispatchSemaphore(value: 1)
    let (delivering, sent) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let (a, b) = (Subject(), Subject())
    let merged = a.merge(with: b)
    var values: [Int] = []
    let cancellable = merged.sink { value in
      if value == 1 {
        // The other thread holds the foreign lock, and sends into the same pipeline before it releases it.
        delivering.signal()
        foreign.wait()
        foreign.signal()
      }
      values.append(value)
    }
    foreign.wait()
    let finished = DispatchGroup()
    nonisolated(unsafe) let send = { a.send(1) }
    DispatchQueue.global().async(group: finished) { send() }
    delivering.wait()
    nonisolated(unsafe) let sendOther = { b.send(2) }
    DispatchQueue.global().async(group: finished) {
      sendOther()
      sent.signal()
    }
    let returned = sent.wait(timeout: .now() + .seconds(300))
    foreign.signal()
    #expect(returned == .success)
    finished.wait()
    #expect(values == [1, 2])
    withExtendedLifetime(cancellable) {}
  }

  @Test("pipelines that feed each other from two threads don't block each other")
  func crossing() {
    let (a, b) = (Subject(), Subject())
    var (sumA, sumB) = (0, 0)
    let first = a.merge(with: subjects[0]).sink { value in
      sumA += 1
      if value > 0 { b.send(0) }
    }
    let second = b.merge(with: subjects[1]).sink { value in
      sumB += 1
      if value > 0 { a.send(0) }
    }
    race({ for _ in 0..<Self.count { a.send(1) } }, { for _ in 0..<Self.count { b.send(1) } })
    #expect(sumA == 2 * Self.count)
    #expect(sumB == 2 * Self.count)
    withExtendedLifetime((first, second)) {}
  }

  @Test("cancellations that race with all calls leave no upstream")
  func cancels() {
    for _ in 0..<Effort.rounds(200) {
      let (outer, inner) = (ManualPublisher<Int, Never>(), ManualPublisher<Int, Never>())
      let recorder = outer.flatMap { (_: Int) -> ManualPublisher<Int, Never> in inner }.record(demanding: .unlimited)
      race({ outer.send(1) }, { recorder.cancel() })
      #expect(outer.isCancelledOnce)
      #expect(inner.subscriptions.allSatisfy { $0.events.filter { $0 == .cancelled }.count == 1 })
    }
  }

  @Test("the delivering thread delivers the values that another thread sends meanwhile")
  func takesUp() {
    let a = PassthroughSubject<Int, Never>()
    let b = PassthroughSubject<Int, Never>()
    let publishers: [AnyPublisher<Int, Never>] = [
      a.merge(with: b).eraseToAnyPublisher(),
      a.combineLatest(b) { (one: Int, other: Int) -> Int in one * 100 + other }.eraseToAnyPublisher(),
      a.zip(b.prepend(7)) { (one: Int, other: Int) -> Int in one * 100 + other }.eraseToAnyPublisher(),
      Publishers.Sequence<[PassthroughSubject<Int, Never>], Never>(sequence: [a, b])
        .flatMap { (subject: PassthroughSubject<Int, Never>) in subject }.eraseToAnyPublisher(),
    ]
    let expected = [[1, 2], [102], [107], [1, 2]]
    for (publisher, expected) in zip(publishers, expected) {
      let recorder = Recorder<Int, Never>(demanding: .unlimited)
      recorder.onValue = { value in
        if value != 2, recorder.values.count == 1 { onAnotherThread { b.send(2) } }
        return .none
      }
      publisher.subscribe(recorder)
      if expected == [102] { b.send(2) }
      a.send(1)
      #expect(Array(recorder.values.prefix(expected.count)) == expected)
      recorder.cancel()
    }
  }
}
