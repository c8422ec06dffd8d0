import Testing
import Weir

@testable import TestSupport

/// Faults that other libraries had or have: ours is to have none of them.
///
/// Those that need an order of threads stand in InterleavingTests too, which tries every one.
@Suite("known faults of other libraries")
struct KnownFaultsTests {
  typealias Subject = PassthroughSubject<Int, TestError>

  // RxSwift 2698, 2713: what is torn down runs while a lock of the operator is held, so it waits for whoever waits for it.
  @Test(
    "what a cancel tears down may wait for another thread that sends", arguments: RigCase.all.filter { !$0.isTimed })
  func teardownUnderLock(_ operation: RigCase) {
    let rig = operation.rig()
    let recorder = rig.record(demanding: .unlimited)
    var sent = 0
    for source in rig.sources {
      for subscription in source.subscriptions {
        subscription.onCancel = {
          onAnotherThread {
            rig.sources[0].send(1)
            recorder.request(.max(1))
            recorder.cancel()
            sent += 1
          }
        }
      }
    }
    recorder.cancel()
    #expect(sent > 0)
    #expect(recorder.events == [.subscription])
  }

  // RxSwift 2711: an event is forwarded under a lock, and the teardown that it causes wants that lock.
  @Test(
    "a delivery may wait for another thread that cancels or sends",
    arguments: RigCase.all.filter { !$0.isTimed && !$0.passesThrough })
  func teardownWhileForwarding(_ operation: RigCase) {
    let rig = operation.rig()
    let recorder = rig.record(demanding: .unlimited)
    recorder.onValue = { _ in
      onAnotherThread {
        rig.sources.last?.send(2)
        recorder.cancel()
      }
      return .none
    }
    rig.emit()
    #expect(recorder.values == [1])
    #expect(rig.cancels == rig.sources.map { _ in 1 })
  }

  // OpenCombine 208: a closure is released under the lock, and what it captured comes back for the lock when it goes.
  @Test("what a closure captured may send, ask and cancel from another thread when it goes")
  func closureReleasedUnderLock() {
    let subject = Subject()
    let other = CurrentValueSubject<Int, TestError>(0)
    var gone = 0
    func words() -> LastWords {
      LastWords {
        gone += 1
        onAnotherThread {
          subject.send(7)
          other.send(7)
          other.sink(receiveCompletion: { _ in }, receiveValue: { (_: Int) -> Void in }).cancel()
        }
      }
    }
    func attach(to publisher: some Publisher<Int, TestError>) -> AnyCancellable {
      let words = words()
      return publisher.sink(
        receiveCompletion: { (_: Subscribers.Completion<TestError>) -> Void in withExtendedLifetime(words) {} },
        receiveValue: { (_: Int) -> Void in withExtendedLifetime(words) {} })
    }
    var cancellables = [attach(to: subject), attach(to: other), attach(to: subject.merge(with: other))]
    for cancellable in cancellables { cancellable.cancel() }
    #expect(gone == 3)
    cancellables = [
      attach(to: subject.share()), attach(to: other.prefix(5)), attach(to: subject.zip(other) { $0 + $1 }),
    ]
    subject.send(completion: .finished)
    other.send(completion: .finished)
    #expect(gone == 6)
    withExtendedLifetime(cancellables) {}
  }

  // OpenCombine 157: a request and a cancel at once trap in a publisher of one value.
  @Test("a request and a cancel at once leave a publisher of one value whole")
  func requestRacesCancel() {
    for _ in 0..<Effort.rounds(500) {
      let recorders = [
        Just(1).setFailureType(to: TestError.self).record(),
        Optional(1).publisher.setFailureType(to: TestError.self).record(),
      ]
      for recorder in recorders {
        race({ recorder.request(.max(1)) }, { recorder.cancel() })
        #expect([[], [1]].contains(recorder.values))
      }
    }
  }

  // OpenCombine 234: on a scheduler that runs its work at once on many threads, the completion overtakes a value.
  @Test("nothing overtakes on a scheduler that turns its work round")
  func completionOvertakes() {
    let scheduler = BatchScheduler()
    let recorder = [1, 2, 3].lazy.publisher.receive(on: scheduler).record(demanding: .unlimited)
    scheduler.runInReverse()
    #expect(recorder.events == [.subscription, .value(1), .value(2), .value(3), .finished])
  }

  // OpenCombine, debounce: the scheduler hands a timer over after the cancel, and it runs for ever.
  @Test("a cancel while or after a timer is made leaves none")
  func lateTimer() {
    let (scheduler, subject) = (VirtualTimeScheduler(), Subject())
    let recorder = subject.debounce(for: 5, scheduler: scheduler).record(demanding: .unlimited)
    subject.send(1)
    recorder.cancel()
    subject.send(2)
    #expect(scheduler.pendingCount == 0)
    scheduler.advance(by: 20)
    #expect(recorder.events == [.subscription])

    let (late, other) = (LateTimerScheduler(), Subject())
    let cancelled = other.debounce(for: 5, scheduler: late).record(demanding: .unlimited)
    late.onSchedule = { cancelled.cancel() }
    other.send(1)
    #expect(late.timer.events == [.cancelled])
    #expect(cancelled.events == [.subscription])
  }

  // CombineExt, DemandBuffer: the completion drops what waits for demand, or is kept back where nothing waits.
  @Test("a normal end lets out what waits, and needs no demand itself")
  func completionAndBuffer() {
    let subject = Subject()
    let waiting = subject.buffer(size: 9, prefetch: .byRequest, whenFull: .dropNewest).record()
    let empty = Subject()
    let idle = empty.buffer(size: 9, prefetch: .byRequest, whenFull: .dropNewest).record()
    for value in 1...3 { subject.send(value) }
    subject.send(completion: .finished)
    #expect(waiting.events == [.subscription])
    waiting.request(.max(3))
    #expect(waiting.events == [.subscription, .value(1), .value(2), .value(3), .finished])
    empty.send(completion: .finished)
    #expect(idle.events == [.subscription, .finished])
  }

  // OpenCombine 121, 139: a second upstream is kept, and kept alive, where the first is.
  @Test("a second upstream's subscription is cancelled and let go of", arguments: RigCase.all.filter { !$0.isTimed })
  func secondUpstream(_ operation: RigCase) {
    let rig = operation.rig()
    let recorder = rig.record(demanding: .unlimited)
    let isGone = isReleased { token in
      let second = TokenSubscription(token)
      rig.sources[0].subscribers[0].receive(subscription: second)
      #expect(second.isCancelled)
    }
    #expect(isGone)
    withExtendedLifetime(recorder) {}
  }

  // CombineCocoa: a publisher of events ignores demand, and its target is never removed.
  @Test("a hot source keeps to the demand, and lets go on a cancel")
  func hotSource() {
    let subject = Subject()
    let isGone =
      isReleased { token in
        let recorder = subject.handleEvents(receiveCancel: { withExtendedLifetime(token) {} }).record(
          demanding: .max(1))
        for value in 1...3 { subject.send(value) }
        #expect(recorder.values == [1])
        recorder.cancel()
      }
    #expect(isGone)
  }

  // async-algorithms 437: a decision is made in two critical sections, and what comes between them is lost.
  @Test("the ends of two upstreams at once make one end")
  func splitDecision() {
    for _ in 0..<Effort.rounds(300) {
      let (a, b) = (Subject(), Subject())
      let publishers: [AnyPublisher<Int, TestError>] = [
        a.merge(with: b).eraseToAnyPublisher(), a.zip(b) { $0 + $1 }.eraseToAnyPublisher(),
        a.combineLatest(b) { $0 + $1 }.eraseToAnyPublisher(), a.prefix(untilOutputFrom: b).eraseToAnyPublisher(),
      ]
      let recorders = publishers.map { $0.record(demanding: .unlimited) }
      race({ a.send(completion: .finished) }, { b.send(completion: .finished) })
      for recorder in recorders { #expect(recorder.events == [.subscription, .finished]) }
    }
  }

  // ReactiveSwift 877, RxSwift 2275: publishers that follow one another take stack for each.
  @Test("publishers that follow one another at once take no stack")
  func recursion() {
    let steps = Effort.steps
    var count = 0
    onSmallStack {
      let relay = PassthroughSubject<Int, Never>()
      let cancellable = relay.merge(with: Just(1)).flatMap { (value: Int) -> Just<Int> in Just(value) }.sink {
        (value: Int) -> Void in
        count = value
        if value < steps { relay.send(value + 1) }
      }
      withExtendedLifetime(cancellable) {}
    }
    #expect(count == steps)
  }

  // zip in several libraries: the faster side is asked without end, and all it sends is kept.
  @Test("a zip asks an endless side for no more than it needs")
  func endlessSide() {
    var made = 0
    let endless = sequence(first: 0) { (last: Int) -> Int? in
      made += 1
      return last + 1
    }
    let recorder = endless.publisher.zip([10, 20, 30].lazy.publisher) { (a: Int, b: Int) -> Int in a + b }.record()
    recorder.request(.max(2))
    #expect(recorder.values == [10, 21])
    #expect(made <= 3)
    recorder.request(.max(5))
    #expect(recorder.events == [.subscription, .value(10), .value(21), .value(32), .finished])
    #expect(made <= 8)
  }

  // Reactor 1937: an operator keeps a value and asks for no other in its place, so a downstream with little demand waits
  // for ever.
  @Test("what is kept or left out is asked for again")
  func swallowedDemand() {
    let numbers = (1...10).lazy.publisher
    #expect(numbers.filter { (v: Int) -> Bool in v == 9 }.record(demanding: .max(1)).values == [9])
    #expect(numbers.compactMap { (v: Int) -> Int? in v == 9 ? v : nil }.record(demanding: .max(1)).values == [9])
    #expect(numbers.dropFirst(8).record(demanding: .max(1)).values == [9])
    #expect(numbers.drop { (v: Int) -> Bool in v < 9 }.record(demanding: .max(1)).values == [9])
    #expect(numbers.collect(4).record(demanding: .max(1)).values == [[1, 2, 3, 4]])
    #expect(numbers.map { (v: Int) -> Int in v / 9 }.removeDuplicates().record(demanding: .max(2)).values == [0, 1])
    #expect(
      numbers.flatMap(maxPublishers: .max(1)) { (v: Int) -> Optional<Int>.Publisher in (v == 9 ? v : nil).publisher }
        .record(demanding: .max(1)).values == [9])
  }
}

/// A subscription that keeps something alive.
private final class TokenSubscription: Subscription {
  let token: Token
  private(set) var isCancelled = false

  init(_ token: Token) { self.token = token }

  func request(_ demand: Subscribers.Demand) {}
  func cancel() { isCancelled = true }
}
