import Testing
import Weir

@testable import TestSupport

@Suite("receive(on:)")
struct ReceiveOnTests {
  let source = ManualPublisher<Int, TestError>()

  @Test("the subscription arrives immediately, all other events on the scheduler, in order")
  func hops() {
    let scheduler = VirtualTimeScheduler()
    let recorder = source.receive(on: scheduler).record(demanding: .max(3), returning: .max(1))
    #expect(recorder.events == [.subscription])
    #expect(source.events == [.requested(.max(3))])
    #expect(source.send(1) == .none)
    source.send(2)
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription])
    scheduler.runDue()
    #expect(recorder.events == [.subscription, .value(1), .value(2), .finished])
    #expect(source.events == [.requested(.max(3))])
  }

  @Test("delivers what arrives inside the subscription, also if the scheduler runs actions there", arguments: [0, 2])
  func insideSubscription(values: Int) {
    let recorder = Recorder<Int, TestError>()
    recorder.onSubscription = { [source] in
      $0.request(.unlimited)
      #expect(source.events == [.requested(.unlimited)])
      for value in 0..<values { source.send(value) }
      source.send(completion: .finished)
    }
    let immediate = ImmediateScheduler.shared
    source.receive(on: immediate).delay(for: 0, scheduler: immediate).subscribe(recorder)
    #expect(recorder.events == [.subscription] + (0..<values).map { .value($0) } + [.finished])
  }

  /// The operators with hops, on a scheduler that runs actions inline.
  enum Inline: CaseIterable {
    case receive, receiveOnce, delay

    func make(_ source: some Publisher<Int, TestError>) -> AnyPublisher<Int, TestError> {
      let scheduler = ImmediateScheduler.shared
      return switch self {
      case .receive: AnyPublisher(source.receive(on: scheduler))
      case .receiveOnce: AnyPublisher(source.receive(on: scheduler, hops: .oneForAll))
      case .delay: AnyPublisher(source.delay(for: 1, scheduler: scheduler))
      }
    }
  }

  @Test("requests a limited number of values before the downstream has its subscription", arguments: Inline.allCases)
  func endless(_ tested: Inline) {
    var read = 0
    let endless = sequence(first: 1) { (n: Int) -> Int? in
      read += 1
      return read < 5_000 ? n + 1 : nil
    }
    let first = tested.make(endless.publisher.setFailureType(to: TestError.self)).prefix(1)
    let recorder = first.record(demanding: .unlimited)
    #expect(recorder.events == [.subscription, .value(1), .finished])
    #expect(read <= HandOver.limit)
  }

  @Test("any number of values that a delivery sends follow it in order", arguments: Inline.allCases)
  func nested(_ tested: Inline) {
    let count = 3 * HandOver.limit
    let recorder = Recorder<Int, TestError>()
    recorder.onValue = { [source] in
      if $0 == 0 { for value in 1..<count { source.send(value) } }
      return .none
    }
    tested.make(source).subscribe(recorder)
    recorder.request(.unlimited)
    source.send(0)
    source.send(completion: .finished)
    #expect(recorder.values == Array(0..<count))
    #expect(recorder.isFinished)
  }

  @Test("by default, hops once for each event")
  func initialisers() {
    let scheduler = VirtualTimeScheduler()
    let plain = Publishers.ReceiveOn(upstream: source, scheduler: scheduler, options: nil)
    #expect(plain.hops == .oneForEach)
    #expect(
      Publishers.ReceiveOn(upstream: source, scheduler: scheduler, options: nil, hops: .oneForAll).hops == .oneForAll)
  }

  @Test("with one hop for all, uses the scheduler once for pending events, and keeps the order")
  func oneHopForAll() {
    let scheduler = BatchScheduler()
    let recorder = source.receive(on: scheduler, options: "fast", hops: .oneForAll).record(demanding: .unlimited)
    for value in 1...20 { source.send(value) }
    #expect(scheduler.options == ["fast"])
    scheduler.runInReverse()
    source.send(21)
    source.send(completion: .finished)
    #expect(scheduler.options == ["fast", "fast"])
    scheduler.runInReverse()
    #expect(recorder.events == [.subscription] + (1...21).map { .value($0) } + [.finished])
  }

  @Test("with one hop for all, yields the scheduler to other work after each limit of values")
  func oneHopForAllInParts() {
    let limit = HandOver.limit
    let scheduler = VirtualTimeScheduler()
    let recorder = source.receive(on: scheduler, hops: .oneForAll).record(demanding: .unlimited)
    var turns: [Int] = []
    func look() {
      turns.append(recorder.values.count)
      if !recorder.isFinished { scheduler.schedule { look() } }
    }
    for value in 1...2 * limit + 1 { source.send(value) }
    source.send(completion: .finished)
    scheduler.schedule { look() }
    scheduler.runDue()
    #expect(turns == [limit, 2 * limit, 2 * limit + 1])
    #expect(recorder.events == [.subscription] + (1...2 * limit + 1).map { .value($0) } + [.finished])
  }

  @Test("with one hop for all, a re-entrant value arrives with the next hop")
  func oneHopForAllNested() {
    let scheduler = VirtualTimeScheduler()
    let recorder = source.receive(on: scheduler, hops: .oneForAll).record(demanding: .unlimited)
    recorder.onValue = { [source] value in
      if value == 1 { source.send(2) }
      return .none
    }
    source.send(1)
    scheduler.runDue()
    #expect(recorder.events == [.subscription, .value(1), .value(2)])
  }

  @Test("requests returned demand from the upstream when the value arrives")
  func returnedDemand() {
    let scheduler = VirtualTimeScheduler()
    _ = source.receive(on: scheduler).record(demanding: .max(1), returning: .max(1))
    source.send(1)
    scheduler.runDue()
    #expect(source.events == [.requested(.max(1)), .requested(.max(1))])
  }

  @Test("keeps the order, with the completion last, on a scheduler that reverses its work")
  func reverse() {
    let scheduler = BatchScheduler()
    let recorder = source.receive(on: scheduler, options: "fast").record(demanding: .unlimited)
    for value in 1...20 { source.send(value) }
    source.send(completion: .failure(.oops))
    scheduler.runInReverse()
    #expect(recorder.events == [.subscription] + (1...20).map { .value($0) } + [.failed(.oops)])
    #expect(Set(scheduler.options) == ["fast"])
  }

  @Test("keeps the order, with the completion last, on a concurrent scheduler")
  func concurrent() {
    for _ in 0..<100 {
      let scheduler = BatchScheduler()
      let recorder = source.receive(on: scheduler).record(demanding: .unlimited)
      let index = source.subscribers.count - 1
      for value in 1...20 { source.send(value, to: index) }
      source.send(completion: .finished, to: index)
      scheduler.runAtOnce()
      #expect(recorder.events == [.subscription] + (1...20).map { .value($0) } + [.finished])
    }
  }

  @Test("a re-entrant value arrives with its own hop")
  func nested() {
    let scheduler = VirtualTimeScheduler()
    let recorder = source.receive(on: scheduler).record(demanding: .unlimited)
    recorder.onValue = { value in
      if value < 3 { source.send(value + 1) }
      #expect(scheduler.pendingCount == (value < 3 ? 1 : 0))
      return .none
    }
    source.send(1)
    scheduler.runDue()
    #expect(recorder.values == [1, 2, 3])
  }

  @Test("a cancellation drops and releases pending events")
  func cancels() {
    let scheduler = VirtualTimeScheduler()
    let subject = PassthroughSubject<Token, Never>()
    let cancellable = subject.receive(on: scheduler).sink { (_: Token) in Issue.record("a value has arrived") }
    #expect(
      isReleased { token in
        subject.send(token)
        cancellable.cancel()
      })
    scheduler.runDue()
  }

  @Test("50,000 immediate hops don't grow the stack")
  func stack() {
    onAnotherThread {
      let recorder = (1...50_000).publisher.receive(on: ImmediateScheduler.shared)
        .record(demanding: .max(1), returning: .max(1))
      #expect(recorder.values.count == 50_000)
      #expect(recorder.isFinished)
    }
  }
}
