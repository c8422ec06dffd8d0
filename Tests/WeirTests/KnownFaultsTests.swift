import Testing
import Weir

@testable import TestSupport

/// Faults that other libraries had or have: ours is to have none of them.
///
/// Those that need an order of threads stand in InterleavingTests too, which tries every one.
@Suite("known faults of other libraries")
struct KnownFaultsTests {
  typealias Subject = PassthroughSubject<Int, TestError>

  // RxSwift 2698, 2713: the teardown runs while a lock of the operator is held, so it waits for a thread that waits for
  // it.
  @Test(
    "the teardown of a cancellation can wait for another thread that sends",
    arguments: RigCase.all.filter { !$0.isTimed })
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
    "a delivery can wait for another thread that cancels or sends",
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

  // RxSwift 2698: a connectable subscribes to its source, and disposes of that subscription, under its lock.
  @Test("connecting and disconnecting may wait for another thread that subscribes and sends")
  func connectionUnderLock() {
    let source = ManualPublisher<Int, TestError>()
    let meanwhile = Box<() -> Void>({})
    let upstream = Deferred { () -> ManualPublisher<Int, TestError> in
      onAnotherThread { meanwhile.value() }
      return source
    }
    let subject = Subject()
    let connectable = upstream.handleEvents(receiveCancel: { onAnotherThread { meanwhile.value() } })
      .multicast(subject: subject)
    var recorders: [Recorder<Int, TestError>] = []
    meanwhile.value = {
      recorders.append(connectable.record(demanding: .unlimited))
      subject.send(recorders.count * 10)
    }
    let connection = connectable.connect()
    source.send(1)
    connection.cancel()
    #expect(
      recorders.map(\.events) == [
        [.subscription, .value(10), .value(1), .value(20)], [.subscription, .value(20)],
      ])
    #expect(source.isCancelledOnce)
  }

  // RxSwift 2708: the first subscriber connects under the lock that the second one needs.
  @Test("a subscriber that connects for all may wait for another thread that subscribes", arguments: [true, false])
  func sharingUnderLock(isShare: Bool) {
    let source = ManualPublisher<Int, TestError>()
    let meanwhile = Box<() -> Void>({})
    let upstream = Deferred { () -> ManualPublisher<Int, TestError> in
      onAnotherThread { meanwhile.value() }
      return source
    }
    let shared: AnyPublisher<Int, TestError> =
      isShare
      ? upstream.share().eraseToAnyPublisher()
      : upstream.multicast(subject: Subject()).autoconnect().eraseToAnyPublisher()
    var others: [Recorder<Int, TestError>] = []
    meanwhile.value = { others.append(shared.record(demanding: .unlimited)) }
    let recorder = shared.record(demanding: .unlimited)
    source.send(1)
    #expect(recorder.events == [.subscription, .value(1)])
    #expect(others.map(\.events) == [[.subscription, .value(1)]])
    #expect(source.subscribers.count == 1)
  }

  // RxSwift 2703: zip disposes of its other sources under its lock when one of them completes.
  @Test("a zip that completes may wait for another thread that sends and requests")
  func zipCompletesUnderLock() {
    let (a, b) = (ManualPublisher<Int, TestError>(), ManualPublisher<Int, TestError>())
    let recorder = a.zip(b) { (a: Int, b: Int) -> Int in a + b }.record(demanding: .unlimited)
    b.subscriptions[0].onCancel = {
      onAnotherThread {
        b.send(1)
        a.send(2)
        recorder.request(.max(1))
      }
    }
    a.send(completion: .finished)
    #expect(recorder.events == [.subscription, .finished])
    #expect(b.isCancelledOnce)
  }

  // RxSwift 2711, and what the review of its fix (2724) found: a failure tears the other upstreams down under a lock.
  @Test(
    "the teardown of a failure can wait for another thread that sends and requests",
    arguments: RigCase.merging + RigCase.joining + RigCase.opening)
  func teardownByFailure(_ operation: RigCase) {
    let rig = operation.rig()
    let recorder = rig.record(demanding: .unlimited)
    var cancels = 0
    for source in rig.sources.dropFirst() {
      source.subscriptions[0].onCancel = {
        onAnotherThread {
          rig.sources.last?.send(1)
          recorder.request(.max(1))
          cancels += 1
        }
      }
    }
    rig.sources[0].send(completion: .failure(.oops))
    #expect(cancels == rig.sources.count - 1)
    #expect(recorder.events == [.subscription, .failed(.oops)])
  }

  // RxSwift 2727: a continuation is resumed under a lock that the cancel of its task takes, too.
  @Test("a task that is cancelled while its value arrives ends")
  func resumedUnderLock() async {
    for round in 0..<Effort.rounds(300) {
      let promise = Box<Future<Int, TestError>.Promise>({ _ in })
      let future = Future<Int, TestError> { promise.value = $0 }
      let isReady = LiveCount()
      let task = Task {
        isReady.add(1)
        return try await future.value
      }
      // At one time before the task waits, at another when it does.
      if !round.isMultiple(of: 4) { await until { isReady.value == 1 } }
      // The first of them tends to begin first.
      if round.isMultiple(of: 2) {
        race({ promise.value(.success(7)) }, { task.cancel() })
      } else {
        race({ task.cancel() }, { promise.value(.success(7)) })
      }
      switch await task.result {
      case .success(let value): #expect(value == 7)
      case .failure(let error): #expect(error is CancellationError)
      }
    }
  }

  // OpenCombine 208: a closure is released under the lock, and its captured value takes the lock again when it is
  // released.
  @Test("a captured value may send, request and cancel on another thread when it is released")
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

  // OpenCombine 157: a concurrent request and cancel trap in a publisher of one value.
  @Test("a concurrent request and cancel leave a publisher of one value consistent")
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

  // OpenCombine 234: on a scheduler that runs its work concurrently on many threads, the completion overtakes a value.
  @Test("no event overtakes another on a scheduler that reverses its work")
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

  // CombineExt 121, 139: a second upstream is kept, and kept alive, where the first is.
  @Test("a second upstream's subscription is cancelled and released", arguments: RigCase.all.filter { !$0.isTimed })
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
  @Test("a hot source honors demand, and releases its subscriber on a cancel")
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
  @Test("concurrent completions of two upstreams send one completion")
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

  // async-algorithms 437: with one consumer, flatMapLatest traps or hangs if its base switches often.
  @Test("a task receives the last of publishers that are switched while they send and complete")
  func switchedOften() async {
    for _ in 0..<Effort.rounds(100) {
      let outer = PassthroughSubject<Int, Never>()
      let latest = outer.map { (number: Int) -> AnyPublisher<Int, Never> in
        guard number.isMultiple(of: 3) else { return Empty().eraseToAnyPublisher() }
        // It sends on a thread of its own, and completes there.
        let numbers = AsyncStream<Int> { continuation in
          continuation.yield(number)
          continuation.finish()
        }
        return numbers.publisher.eraseToAnyPublisher()
      }
      var iterator = latest.switchToLatest().values(buffering: .unbounded).makeAsyncIterator()
      for number in 1...30 { outer.send(number) }
      outer.send(completion: .finished)
      var received: [Int] = []
      while let number = await iterator.next() { received.append(number) }
      #expect(received.last == 30)
      #expect(received == Array(Set(received)).sorted())
    }
  }

  // Mutiny 2187: the timer and the size flush one buffer, each on its thread.
  @Test("a timer that fires while a full array is delivered sends nothing twice, and nothing empty")
  func flushedTwice() {
    let (timers, subject) = (ThreadTimers(), Subject())
    let recorder = subject.collect(.byTimeOrCount(timers, 10, 2)).record(demanding: .unlimited)
    recorder.onValue = { _ in
      onAnotherThread { timers.fire() }
      return .none
    }
    for value in 1...5 { subject.send(value) }
    subject.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value([1, 2]), .value([3, 4]), .value([5]), .finished])
  }

  // CombineExt 1.8.0: a value that meets a cancel from another thread traps in the buffer of a relay's subscription.
  @Test("a value that meets a cancel from another thread is delivered or dropped")
  func valueMeetsCancel() {
    for _ in 0..<Effort.rounds(300) {
      let subject = Subject()
      let recorder = subject.buffer(size: 4, prefetch: .byRequest, whenFull: .dropNewest)
        .record(demanding: .unlimited)
      race({ for value in 1...9 { subject.send(value) } }, { recorder.cancel() })
      #expect(recorder.values == Array((1...9).prefix(recorder.values.count)))
      #expect(recorder.events.count == recorder.values.count + 1)
    }
  }

  // ReactiveSwift 877, RxSwift 2275: publishers that follow one another take stack for each.
  @Test("publishers that follow one another immediately take no stack")
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

    // Each switches to the next. `merge` stands in front: a subject that is sent to from inside its own delivery nests.
    onSmallStack {
      let relay = PassthroughSubject<Int, Never>()
      let publishers = relay.merge(with: Just(steps + 1)).map { (value: Int) -> Just<Int> in Just(value) }
      let cancellable = publishers.switchToLatest().sink { (value: Int) -> Void in
        count = value
        if value < 2 * steps { relay.send(value + 1) }
      }
      withExtendedLifetime(cancellable) {}
    }
    #expect(count == 2 * steps)
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

  // Reactor 1937: an operator keeps a value and asks for no other in its place, so a downstream with little demand
  // waits for ever.
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
