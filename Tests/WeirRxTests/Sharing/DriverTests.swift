import Dispatch
import Testing
import Weir
import WeirDispatch
import WeirRx

@testable import TestSupport

@Suite("Driver and Signal", .timeLimit(.minutes(10)))
@MainActor
struct DriverTests {
  let source = ManualPublisher<Int, TestError>()
  let relay = CurrentValueRelay(0)
  let seen = Box<[Int]>([])
  var bag = CancelBag()

  /// Waits until the main queue has run its pending actions.
  func settle() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }

  // MARK: Sharing

  @Test("delivers values that arrive on the main actor immediately")
  func atOnce() {
    relay.asDriver().drive(onNext: { seen.value.append($0) }).store(in: bag)
    #expect(seen.value == [0])
    relay.accept(1)
    #expect(seen.value == [0, 1])
  }

  @Test("serves all with one subscription; a driver replays its latest value, a signal doesn't")
  func late() {
    let driver = source.asDriver(onErrorJustReturn: -1)
    let signal = source.asSignal(onErrorJustReturn: -1)
    let (first, firstOfSignal) = (driver.record(demanding: .unlimited), signal.record(demanding: .unlimited))
    for index in 0...1 {
      source.send(1, to: index)
      source.send(2, to: index)
    }
    let (second, secondOfSignal) = (driver.record(demanding: .unlimited), signal.record(demanding: .unlimited))
    for index in 0...1 { source.send(3, to: index) }
    #expect(first.values == [1, 2, 3])
    #expect(second.events == [.subscription, .value(2), .value(3)])
    #expect(firstOfSignal.values == [1, 2, 3])
    #expect(secondOfSignal.events == [.subscription, .value(3)])
    #expect(source.subscribers.count == 2)
    #expect(source.events == [.requested(.unlimited)])
  }

  @Test("cancels its source with the last subscriber, and reconnects without old values")
  func reconnects() throws {
    let driver = source.asDriver(onErrorJustReturn: -1)
    let (first, second) = (driver.record(demanding: .unlimited), driver.record(demanding: .unlimited))
    source.send(1)
    first.cancel()
    #expect(!source.isCancelledOnce)
    second.cancel()
    #expect(source.isCancelledOnce)
    let third = driver.record(demanding: .unlimited)
    try #require(source.subscribers.count == 2)
    #expect(third.events == [.subscription])
    source.send(completion: .finished, to: 1)
    #expect(third.events == [.subscription, .finished])
    #expect(driver.record(demanding: .unlimited).events == [.subscription])
    #expect(source.subscribers.count == 3)
  }

  @Test("respects a subscriber's demand, and delivers the latest value at its next request")
  func demand() {
    let driver = source.asDriver(onErrorJustReturn: -1)
    let recorder = driver.record()
    for value in 1...3 { source.send(value) }
    #expect(recorder.events == [.subscription])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(3)])
    source.send(4)
    #expect(recorder.values == [3])
  }

  @Test("runs an operator's closure once for a value, whatever the number of subscribers")
  func sharesOperators() {
    var runs = 0
    let driver = relay.asDriver().map { (value: Int) -> Int in
      runs += 1
      return value * 10
    }
    let (first, second) = (driver.record(demanding: .unlimited), driver.record(demanding: .unlimited))
    relay.accept(1)
    #expect(first.values == [0, 10])
    #expect(second.values == [0, 10])
    #expect(runs == 2)
  }

  @Test("releases the source and the closures when the last subscriber has cancelled")
  func releases() {
    let isReleased = isReleased { (token: Token) in
      let driver = relay.asDriver().map { (value: Int) in withExtendedLifetime(token) { value } }
      let cancellable = driver.drive(onNext: { [token] _ in withExtendedLifetime(token) {} })
      relay.accept(1)
      cancellable.cancel()
    }
    #expect(isReleased)
  }

  // MARK: Failures

  @Test("replaces a failure with a value and a finish")
  func justReturn() {
    let driver = source.asDriver(onErrorJustReturn: -1).record(demanding: .unlimited)
    let signal = source.asSignal(onErrorJustReturn: -1).record(demanding: .unlimited)
    for index in 0...1 {
      source.send(1, to: index)
      source.send(completion: .failure(.oops), to: index)
    }
    #expect(driver.events == [.subscription, .value(1), .value(-1), .finished])
    #expect(signal.events == driver.events)
  }

  @Test("replaces a failure with another sequence, or with that of a closure")
  func recovers() {
    var failures: [TestError] = []
    let recorders = [
      source.asDriver(onErrorDriveWith: .of(7, 8)).record(demanding: .unlimited),
      source.asSignal(onErrorSignalWith: .of(7, 8)).record(demanding: .unlimited),
      source.asDriver(onErrorRecover: { (error: TestError) -> Driver<Int> in
        failures.append(error)
        return .of(7, 8)
      }).record(demanding: .unlimited),
      source.asSignal(onErrorRecover: { (error: TestError) -> Signal<Int> in
        failures.append(error)
        return .of(7, 8)
      }).record(demanding: .unlimited),
    ]
    for (index, recorder) in recorders.enumerated() {
      source.send(1, to: index)
      source.send(completion: .failure(.oops), to: index)
      #expect(recorder.events == [.subscription, .value(1), .value(7), .value(8), .finished])
    }
    #expect(failures == [.oops, .oops])
  }

  // MARK: Threads

  @Test("a value from another thread hops to the main actor, and is not overtaken there")
  func hops() async {
    relay.asDriver().drive(onNext: { seen.value.append($0) }).store(in: bag)
    onAnotherThread { relay.accept(1) }
    #expect(seen.value == [0])
    relay.accept(2)
    #expect(seen.value == [0])
    await settle()
    #expect(seen.value == [0, 1, 2])
    relay.accept(3)
    #expect(seen.value == [0, 1, 2, 3])
  }

  @Test("pending values of one driver don't delay another")
  func independent() async {
    relay.asDriver().drive(onNext: { seen.value.append($0) }).store(in: bag)
    let other = CurrentValueRelay(10)
    other.asDriver().drive(onNext: { seen.value.append($0) }).store(in: bag)
    onAnotherThread { relay.accept(1) }
    other.accept(11)
    #expect(seen.value == [0, 10, 11])
    await settle()
    #expect(seen.value == [0, 10, 11, 1])
  }

  @Test("a failure from another thread follows the pending values")
  func failsElsewhere() async {
    let recorder = source.asDriver(onErrorJustReturn: -1).record(demanding: .unlimited)
    onAnotherThread {
      source.send(1)
      source.send(completion: .failure(.oops))
    }
    #expect(recorder.events == [.subscription])
    await settle()
    #expect(recorder.events == [.subscription, .value(1), .value(-1), .finished])
  }

  @Test("any thread may drive: the subscription hops to the main actor, where all events arrive")
  func drivenElsewhere() async {
    let places = Box<[Bool]>([])
    onAnotherThread {
      relay.asDriver().map { (value: Int) -> Int in
        if places.value.count < 2 { places.value.append(isOnMainActor()) }
        return value
      }.drive(onNext: { value in
        if places.value.count < 2 { places.value.append(isOnMainActor()) }
        seen.value.append(value)
      }).store(in: bag)
    }
    #expect(places.value == [])
    await settle()
    #expect(places.value == [true, true])
    relay.accept(1)
    #expect(seen.value == [0, 1])
  }

  @Test("a request from another thread is answered on the main actor")
  func askedElsewhere() async {
    let places = Box<[Bool]>([])
    let recorder = relay.asDriver().record()
    recorder.onValue = { _ in
      places.value.append(isOnMainActor())
      return .none
    }
    onAnotherThread { recorder.request(.unlimited) }
    #expect(recorder.events == [.subscription])
    await settle()
    #expect(recorder.events == [.subscription, .value(0)])
    #expect(places.value == [true])
  }

  @Test("a cancellation from another thread takes effect immediately, and reaches the source on the main actor")
  func cancelledElsewhere() async {
    let driver = source.asDriver(onErrorJustReturn: -1)
    let cancellable = driver.drive(onNext: { seen.value.append($0) })
    onAnotherThread { cancellable.cancel() }
    source.send(1)
    #expect(seen.value == [])
    await settle()
    #expect(source.isCancelledOnce)
  }

  @Test("time passes on the main actor")
  func time() async {
    let places = Box<[Bool]>([])
    let driver = relay.asDriver()
    let values = Driver.zip([
      driver.delay(.milliseconds(1)), driver.debounce(.milliseconds(1)), driver.throttle(.milliseconds(1)),
    ]).map { (values: [Int]) -> [Int] in
      places.value.append(isOnMainActor())
      return values
    }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      values.drive(onNext: {
        #expect($0 == [0, 0, 0])
        continuation.resume()
      }).store(in: bag)
    }
    #expect(places.value == [true])
  }

  @Test("a substitute scheduler off the main actor stops a program that drives, with a message")
  func message() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await Task.detached {
        let driver = SharingScheduler.mock(scheduler: ImmediateScheduler.shared) { Driver.just(1) }
        driver.drive(onNext: { _ in }).cancel()
      }.value
    }
    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(message.contains("A closure of drive, emit or do is isolated to the main actor, but would have run off it"))
    #expect(message.contains("marked @MainActor"))
  }

  @Test("values of several threads arrive on the main actor, in order for each thread")
  func threads() async {
    let events = PublishRelay<(thread: Int, number: Int)>()
    let arrived = Box<[[Int]]>([[], []])
    events.asSignal().emit(onNext: { arrived.value[$0.thread].append($0.number) }).store(in: bag)
    race(
      { for number in 0..<200 { events.accept((0, number)) } },
      { for number in 0..<200 { events.accept((1, number)) } })
    await settle()
    #expect(arrived.value == [Array(0..<200), Array(0..<200)])
  }

  @Test("concurrent subscriptions and cancellations leave no subscription")
  func comingAndGoing() async {
    let driver = relay.asDriver().map { (value: Int) in value + 1 }
    race(
      { for _ in 0..<100 { driver.drive().cancel() } },
      { for _ in 0..<100 { driver.drive(onNext: { _ in }).cancel() } },
      { for number in 1...100 { relay.accept(number) } })
    await settle()
    await settle()
    #expect(driver.record(demanding: .unlimited).values == [101])
  }

  // MARK: Reentrancy

  @Test("a re-entrant value follows the present one, for all subscribers")
  func reentrant() {
    let driver = relay.asDriver()
    var depth = 0
    driver.drive(onNext: { value in
      depth += 1
      seen.value.append(value)
      if value < 3 { relay.accept(value + 1) }
      #expect(depth == 1)
      depth -= 1
    }).store(in: bag)
    let second = driver.record(demanding: .unlimited)
    #expect(seen.value == [0, 1, 2, 3])
    #expect(second.values == [3])
    relay.accept(1)
    #expect(seen.value == [0, 1, 2, 3, 1, 2, 3])
    #expect(second.values == [3, 1, 2, 3])
  }

  @Test("a subscriber that attaches during a delivery receives its value")
  func subscribesInside() {
    let driver = relay.asDriver()
    let late = Recorder<Int, Never>(demanding: .unlimited)
    driver.drive(onNext: { value in
      if value == 1 { driver.subscribe(late) }
    }).store(in: bag)
    relay.accept(1)
    #expect(late.values == [1])
    relay.accept(2)
    #expect(late.values == [1, 2])
  }

  // MARK: Driving

  @Test("delivers the completion on the main actor")
  func completes() {
    var ends = 0
    let cancellables = [
      Driver.of(1, 2).drive(onNext: { seen.value.append($0) }, onCompleted: { ends += 1 }),
      Signal.of(3).emit(onNext: { seen.value.append($0) }, onCompleted: { ends += 1 }),
    ]
    #expect(seen.value == [1, 2, 3])
    #expect(ends == 2)
    withExtendedLifetime(cancellables) {}
  }

  final class Label {
    var texts: [Int] = []
    var ends = 0
  }

  @Test("drives with an object, which it holds weakly")
  func drivesWith() {
    var label: Label? = Label()
    weak let remains = label
    let events = PublishRelay<Int>()
    if let label {
      relay.asDriver().drive(with: label, onNext: { $0.texts.append($1) }).store(in: bag)
      events.asSignal().emit(with: label, onNext: { $0.texts.append($1) }).store(in: bag)
      Driver<Int>.empty().drive(with: label, onCompleted: { $0.ends += 1 }).store(in: bag)
    }
    events.accept(1)
    #expect(label?.texts == [0, 1])
    #expect(label?.ends == 1)
    label = nil
    #expect(remains == nil)
    relay.accept(2)
    events.accept(3)
  }

  @Test("drives relays, subjects and subscribers, also of optionals, and several of them")
  func drivesObservers() {
    let (one, other, optional) = (CurrentValueRelay(-1), CurrentValueRelay(-1), CurrentValueRelay<Int?>(nil))
    let subject = CurrentValueSubject<Int, Never>(-1)
    let recorder = Recorder<Int, Never>(demanding: .unlimited)
    let ofOptionals = Recorder<Int?, Never>(demanding: .unlimited)
    let driver = relay.asDriver()
    driver.drive(one, other).store(in: bag)
    driver.drive(optional).store(in: bag)
    driver.drive(subject).store(in: bag)
    let attached = driver.drive(recorder)
    driver.drive(ofOptionals).store(in: bag)
    relay.accept(1)
    #expect((one.value, other.value, optional.value, subject.value) == (1, 1, 1, 1))
    #expect(recorder.events == [.subscription, .value(0), .value(1)])
    #expect(ofOptionals.values == [0, 1])
    attached.cancel()
    relay.accept(2)
    #expect(recorder.values == [0, 1])
    #expect(ofOptionals.values == [0, 1, 2])
    #expect(driver.drive { (driver: Driver<Int>) in "transformed" } == "transformed")
  }

  @Test("emits to relays, subjects and subscribers")
  func emitsTo() {
    let events = PublishRelay<Int>()
    let (target, optional) = (CurrentValueRelay(-1), CurrentValueRelay<Int?>(nil))
    let subject = CurrentValueSubject<Int, Never>(-1)
    let recorder = Recorder<Int, Never>(demanding: .unlimited)
    let signal = events.asSignal()
    signal.emit(to: target).store(in: bag)
    signal.emit(to: optional).store(in: bag)
    signal.emit(to: subject).store(in: bag)
    signal.emit(to: recorder).store(in: bag)
    events.accept(1)
    #expect((target.value, optional.value, subject.value) == (1, 1, 1))
    #expect(recorder.events == [.subscription, .value(1)])
    #expect(signal.emit { (signal: Signal<Int>) in "transformed" } == "transformed")
  }
}
