import Dispatch
import Testing

@testable import TestSupport
@testable import Weir

/// Another thread sends while a subscriber handles the first value.
@Suite("bounds while another thread sends")
struct BoundsTests {
  typealias Upstream = AnyPublisher<Counted, Never>

  /// The number of values that a publisher retains while its subscriber handles a value and another thread sends a
  /// thousand.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bound: Int
    let expected: [Int]

    /// Whether no other subscriber receives the current value in its place.
    let isFirst: Bool

    let make: @Sendable (Upstream) -> Upstream

    init(
      _ testDescription: String, bound: Int = 2, _ expected: [Int] = [0, 999, 1000], isFirst: Bool = true,
      _ make: @escaping @Sendable (Upstream) -> Upstream
    ) {
      self.testDescription = testDescription
      self.bound = bound
      self.expected = expected
      self.isFirst = isFirst
      self.make = make
    }
  }

  static func buffer(_ upstream: some Publisher<Counted, Never>) -> Upstream {
    upstream.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest).eraseToAnyPublisher()
  }

  static let silent = Empty<Counted, Never>(completeImmediately: false)

  static let cases = [
    Case("buffer, oldest") { buffer($0) },
    Case("buffer, newest", [0, 1, 2]) {
      $0.buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest).eraseToAnyPublisher()
    },
    Case("buffer of one", bound: 1, [0, 1000]) {
      $0.buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest).eraseToAnyPublisher()
    },
    Case("below stateless operators", [1, 1000, 1001]) {
      buffer($0.map { Counted($0.number + 1, $0.count) }.filter { $0.number > 0 })
    },
    Case("below operators with state") { buffer($0.removeDuplicates { $0.number == $1.number }.prefix(10_000)) },
    Case("below merge") { buffer($0.merge(with: silent)) },
    Case("below flatMap") { buffer($0.flatMap { Just($0) }) },
    Case("below flatMap of a publisher with a gate") { buffer($0.flatMap { Just($0).merge(with: Empty()) }) },
    Case("below switchToLatest") { buffer(Just($0).switchToLatest()) },
    Case("below append") { buffer($0.append(Empty())) },
    Case("below handleEvents") { buffer($0.handleEvents(receiveOutput: { _ in })) },
    Case("below subscribe(on:)") { buffer($0.subscribe(on: ImmediateScheduler.shared)) },
    Case("below prefix(untilOutputFrom:)") { buffer($0.prefix(untilOutputFrom: silent)) },
    Case("below combineLatest") { buffer($0.combineLatest(Just(0)) { value, _ in value }) },
    Case("below debounce and others that pass values on at once") { buffer($0.receive(on: ImmediateScheduler.shared)) },
    Case("below share") { buffer($0.share()) },
    Case("below share, where another is already", isFirst: false) {
      let shared = $0.merge(with: silent).share()
      shared.subscribe(Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: { _ in }))
      return buffer(shared)
    },
    Case("below two that share, with operators between") {
      buffer($0.merge(with: silent).share().merge(with: silent).share())
    },
    Case("below another buffer") {
      buffer($0.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest))
    },
    Case("above other operators") {
      buffer($0).scan(Optional<Counted>.none) { $1 }.compactMap { $0 }.merge(with: silent).eraseToAnyPublisher()
    },
  ]

  @Test("behind a subject", arguments: cases)
  func buffers(_ test: Case) {
    let count = LiveValues()
    let subject = PassthroughSubject<Counted, Never>()
    var numbers: [Int] = []
    let sink = test.make(subject.eraseToAnyPublisher()).sink { (value: Counted) in
      numbers.append(value.number)
      if numbers.count > 1 { return }
      onAnotherThread { for number in 1...1000 { subject.send(Counted(number, count)) } }
    }
    subject.send(Counted(0, count))
    HandOver.settle()
    #expect(numbers == test.expected)
    // One more for each thread in a call, and for each operator that keeps the last value.
    #expect(count.highest <= test.bound + 4)
    sink.cancel()
    #expect(count.now == 0)
  }

  @Test("behind the current value of a subject", arguments: cases.filter(\.isFirst))
  func currentValues(_ test: Case) {
    let count = LiveValues()
    let subject = CurrentValueSubject<Counted, Never>(Counted(0, count))
    var numbers: [Int] = []
    let sink = test.make(subject.eraseToAnyPublisher()).sink { (value: Counted) in
      numbers.append(value.number)
      if numbers.count > 1 { return }
      onAnotherThread { for number in 1...1000 { subject.send(Counted(number, count)) } }
    }
    HandOver.settle()
    #expect(numbers == test.expected)
    #expect(count.highest <= test.bound + 4)
    sink.cancel()
    #expect(count.now == 1)
  }

  @Test("behind a subscription in which another thread sends", arguments: cases.prefix(5))
  func subscriptions(_ test: Case) {
    let count = LiveValues()
    let subject = PassthroughSubject<Counted, Never>()
    let recorder = Recorder<Int, Never>()
    recorder.onSubscription = { (subscription: any Subscription) in
      subscription.request(.unlimited)
      onAnotherThread { subject.send(Counted(0, count)) }
    }
    recorder.onValue = { (_: Int) -> Subscribers.Demand in
      if recorder.values.count == 1 {
        onAnotherThread { for number in 1...1000 { subject.send(Counted(number, count)) } }
      }
      return .none
    }
    test.make(subject.eraseToAnyPublisher()).map(\.number).subscribe(recorder)
    HandOver.settle()
    #expect(recorder.values == test.expected)
    #expect(count.highest <= test.bound + 4)
    recorder.cancel()
    #expect(count.now == 0)
  }

  @Test("what is pending behind the current value precedes what is sent while a buffer delivers", arguments: [3, 500])
  func pending(_ count: Int) {
    let subject = CurrentValueSubject<Int, Never>(0)
    var values: [Int] = []
    let sink = subject.map { (value: Int) -> Int in
      if value == 0 { onAnotherThread { for value in 1...count { subject.send(value) } } }
      return value
    }
    .buffer(size: 1_000, prefetch: .byRequest, whenFull: .dropNewest)
    .sink { (value: Int) in
      values.append(value)
      if value == 0 { onAnotherThread { for value in count + 1...count + 3 { subject.send(value) } } }
    }
    HandOver.settle()
    #expect(values == Array(0...count + 3))
    withExtendedLifetime(sink) {}
  }

  @Test("a buffer keeps to its size although something is pending behind the current value")
  func pendingAndFull() {
    let subject = CurrentValueSubject<Int, Never>(0)
    var values: [Int] = []
    let sink = subject.map { (value: Int) -> Int in
      if value == 0 { onAnotherThread { subject.send(1) } }
      return value
    }
    .buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest)
    .sink { (value: Int) in
      values.append(value)
      if value == 0 { onAnotherThread { for value in 2...100 { subject.send(value) } } }
    }
    HandOver.settle()
    #expect(values == [0, 99, 100])
    withExtendedLifetime(sink) {}
  }

  @Test("a full buffer behind a subject takes the latest value at its next request")
  func keepsFull() {
    let subject = CurrentValueSubject<Int, Never>(0)
    var values: [Int] = []
    let sink = subject.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest).sink { (value: Int) in
      values.append(value)
      if value == 0 { onAnotherThread { for value in 1...10 { subject.send(value) } } }
    }
    #expect(values == [0, 1, 10])
    withExtendedLifetime(sink) {}
  }

  @Test("a completion that another thread sends while a buffer delivers follows the buffered values")
  func completes() {
    let subject = CurrentValueSubject<Int, TestError>(0)
    let recorder = Recorder<Int, TestError>(demanding: .unlimited)
    recorder.onValue = { (value: Int) -> Subscribers.Demand in
      if value == 0 {
        onAnotherThread {
          for value in 1...2 { subject.send(value) }
          subject.send(completion: .finished)
        }
      }
      return .none
    }
    subject.buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest).subscribe(recorder)
    #expect(recorder.events == [.subscription, .value(0), .value(1), .value(2), .finished])
  }

  @Test("a cancellation while a buffer delivers releases the subscriber")
  func cancels() {
    let subject = CurrentValueSubject<Int, Never>(0)
    weak var released: Recorder<Int, Never>?
    do {
      let recorder = Recorder<Int, Never>(demanding: .unlimited)
      released = recorder
      recorder.onValue = { [unowned recorder] (value: Int) -> Subscribers.Demand in
        onAnotherThread { subject.send(1) }
        recorder.cancel()
        return .none
      }
      subject.buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest).subscribe(recorder)
      #expect(recorder.values == [0])
    }
    #expect(released == nil)
    subject.send(2)
  }

  @Test("while a request delivers buffered values", arguments: cases)
  func requests(_ test: Case) {
    let count = LiveValues()
    let subject = PassthroughSubject<Counted, Never>()
    let recorder = test.make(subject.eraseToAnyPublisher()).map(\.number).record()
    recorder.onValue = { _ in
      if recorder.values.count == 1 {
        onAnotherThread { for number in 1...1000 { subject.send(Counted(number, count)) } }
      }
      return .none
    }
    subject.send(Counted(0, count))
    recorder.request(.max(1))
    #expect(recorder.values == [test.expected[0]])
    #expect(count.highest <= test.bound + 4)
    recorder.request(.unlimited)
    HandOver.settle()
    #expect(recorder.values == test.expected)
    recorder.cancel()
    #expect(count.now == 0)
  }

  @Test(
    "values beyond a buffer's size in one turn of a thread are delivered if there is demand", arguments: [10, 1_000])
  func burst(_ count: Int) {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.flatMap { (0..<$0).publisher }.buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest)
      .record(demanding: .unlimited)
    subject.send(count)
    #expect(recorder.values == Array(0..<count))
  }

  @Test("and other threads' values are dropped while they are delivered")
  func burstAndOthers() {
    let subject = PassthroughSubject<Int, Never>()
    var (values, sent) = ([Int](), 0)
    let sink = subject.flatMap { (value: Int) in (value..<value + 10).publisher }
      .handleEvents(receiveOutput: { (_: Int) in sent += 1 })
      .buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest)
      .sink { (value: Int) in
        values.append(value)
        if value > 0 { return }
        onAnotherThread { for value in 1...100 { subject.send(value * 10) } }
        // They have arrived at the buffer, so they are not pending at the subject.
        #expect(sent == 1_010)
      }
    subject.send(0)
    #expect(values == Array(0..<10))
    withExtendedLifetime(sink) {}
  }

  @Test("what is pending at a subject is delivered while a buffer's subscriber blocks, if a subscriber comes")
  func offersToNewSubscribers() {
    let subject = CurrentValueSubject<Int, Never>(0)
    var (values, late) = ([Int](), [Int]())
    let arrived = DispatchSemaphore(value: 0)
    var sinks = [
      subject.sink { (value: Int) in
        values.append(value)
        if value == 1 { onAnotherThread { subject.send(2) } }
      }
    ]
    subject.buffer(size: 9, prefetch: .byRequest, whenFull: .dropNewest).sink { (value: Int) in
      if value != 1 { return }
      onAnotherThread {
        sinks.append(
          subject.sink { (value: Int) in
            late.append(value)
            arrived.signal()
          })
      }
      arrived.wait()
      #expect(values == [0, 1, 2])
    }
    .store(in: &sinks)
    subject.send(1)
    #expect(late == [2])
  }

  @Test("an operator that needs only the last or the first of several values keeps one for a busy subscriber")
  func timed() {
    let make: [(String, (Upstream, VirtualTimeScheduler) -> Upstream, [Int])] = [
      ("debounce", { $0.debounce(for: 2, scheduler: $1).eraseToAnyPublisher() }, [0, 1_000]),
      ("throttle", { $0.throttle(for: 2, scheduler: $1, latest: true).eraseToAnyPublisher() }, [0, 1_000]),
      ("throttle, first", { $0.throttle(for: 2, scheduler: $1, latest: false).eraseToAnyPublisher() }, [0, 1]),
    ]
    for (name, attach, expected) in make {
      let (count, scheduler) = (LiveValues(), VirtualTimeScheduler())
      let subject = PassthroughSubject<Counted, Never>()
      var numbers: [Int] = []
      let sink = attach(subject.eraseToAnyPublisher(), scheduler).sink { (value: Counted) in
        numbers.append(value.number)
        if value.number > 0 { return }
        onAnotherThread { for number in 1...1_000 { subject.send(Counted(number, count)) } }
      }
      subject.send(Counted(0, count))
      scheduler.advance(by: 10)
      #expect(numbers == expected, "\(name)")
      #expect(count.highest <= 4, "\(name)")
      sink.cancel()
      #expect(count.now == 0, "\(name)")
    }
  }

  @Test("the completion follows values that are pending at a gate")
  func ends() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.first { $0 > 0 }.merge(with: Empty()).buffer(
      size: 2, prefetch: .byRequest, whenFull: .dropNewest
    )
    .record(demanding: .unlimited)
    subject.send(1)
    #expect(recorder.events == [.subscription, .value(1), .finished])
  }

  @Test("a subject keeps requested values")
  func subjects() {
    let count = LiveValues()
    let subject = PassthroughSubject<Counted, Never>()
    let recorder = subject.map(\.number).record(demanding: .max(3))
    recorder.onValue = { value in
      if value == 0 {
        onAnotherThread {
          for number in 1...1000 {
            subject.send(Counted(number, count))
            // The value that is being delivered, and the requested ones.
            #expect(count.now <= 3)
          }
        }
      }
      return .none
    }
    subject.send(Counted(0, count))
    #expect(recorder.values == [0, 1, 2])
    recorder.request(.unlimited)
    #expect(recorder.values == [0, 1, 2])
  }

  @Test("a current value keeps the last value for a subscriber without demand")
  func currentValue() {
    let count = LiveValues()
    let subject = CurrentValueSubject<Counted, Never>(Counted(0, count))
    let recorder = subject.map(\.number).record()
    recorder.onValue = { value in
      if value == 0 { onAnotherThread { for number in 1...1000 { subject.send(Counted(number, count)) } } }
      return .none
    }
    recorder.request(.max(1))
    #expect(recorder.values == [0])
    // The value that is being delivered, the subject's, the pending one, and the next one.
    #expect(count.highest <= 4)
    recorder.request(.unlimited)
    #expect(recorder.values == [0, 1000])
  }

  @Test("a current value keeps requested values and the last one")
  func currentValueOnDemand() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let recorder = subject.record()
    recorder.onValue = { value in
      if value == 0 { onAnotherThread { for value in 1...1000 { subject.send(value) } } }
      return .none
    }
    recorder.request(.max(3))
    #expect(recorder.values == [0, 1, 2])
    recorder.request(.max(1))
    #expect(recorder.values == [0, 1, 2, 1000])
  }

  @Test("a subscriber that requests after another thread has sent receives the last value, as in Combine")
  func lateRequest() {
    let subject = CurrentValueSubject<Int, Never>(0)
    var values: [Int] = []
    subject.subscribe(
      AnySubscriber(
        receiveSubscription: { (subscription: any Subscription) in
          onAnotherThread { for value in 1...3 { subject.send(value) } }
          subscription.request(.unlimited)
          onAnotherThread { for value in 4...6 { subject.send(value) } }
        },
        receiveValue: { (value: Int) in
          values.append(value)
          return .none
        }, receiveCompletion: nil))
    #expect(values == [3, 4, 5, 6])
  }

  @Test("keeps values that were sent before another subscriber attaches")
  func joins() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let recorder = subject.record()
    let late = Recorder<Int, Never>(demanding: .max(1))
    let idle = Recorder<Int, Never>()
    recorder.onValue = { value in
      if value == 0 {
        onAnotherThread {
          for value in 1...3 { subject.send(value) }
          subject.subscribe(idle)
          subject.send(0)
          subject.send(3)
          subject.subscribe(late)
          for value in 4...6 { subject.send(value) }
        }
      }
      return .none
    }
    recorder.request(.max(1))
    #expect(late.values == [3])
    late.request(.max(1))
    #expect(late.values == [3, 6])
    idle.request(.unlimited)
    subject.send(7)
    #expect(idle.values == [6, 7])
    recorder.cancel()
  }

  @Test("a failure follows values that are pending at a gate, if they are requested")
  func fails() {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = subject.buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest).record(demanding: .unlimited)
    let other = subject.sink(
      receiveCompletion: { (_: Subscribers.Completion<TestError>) in },
      receiveValue: { (_: Int) in subject.send(completion: .failure(.oops)) })
    subject.send(1)
    #expect(recorder.events == [.subscription, .value(1), .failed(.oops)])
    other.cancel()
  }

  @Test("100,000 values that are pending for a slow subscriber reach a buffer beside it one by one")
  func slowNeighbor() {
    let subject = PassthroughSubject<Int, Never>()
    let slow = subject.sink { (value: Int) in
      if value == 0 { onAnotherThread { for value in 1...100_000 { subject.send(value) } } }
    }
    let recorder = subject.buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest).record(demanding: .unlimited)
    subject.send(0)
    HandOver.settle()
    #expect(recorder.values == Array(0...100_000))
    slow.cancel()
  }

  @Test("a long sequence inside one value of a subject is delivered meanwhile")
  func longSequence() {
    let subject = PassthroughSubject<Int, Never>()
    var (made, most, values) = (0, 0, 0)
    let sequence = (1...1_000).publisher.handleEvents(receiveOutput: { (_: Int) in made += 1 })
    let cancellable = subject.flatMap { (_: Int) in sequence }
      .buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest)
      .sink { (value: Int) in
        values += 1
        most = max(most, made - values)
        #expect(value == values)
      }
    subject.send(0)
    #expect(values == 1_000)
    #expect(most == HandOver.limit)
    cancellable.cancel()
  }

  @Test("two subjects that send to each other, with a buffer below each")
  func ring() {
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let recorders = [first, second].map {
      $0.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest).record(demanding: .unlimited)
    }
    let empty = Empty<Int, Never>(completeImmediately: false)
    let there = first.merge(with: empty).map { $0 + 1 }.filter { $0 < 5 }.subscribe(second)
    let back = second.merge(with: empty).subscribe(first)
    first.send(1)
    #expect(recorders.map { $0.values } == [[1, 2, 3, 4], [2, 3, 4]])
    there.cancel()
    back.cancel()
  }
}
