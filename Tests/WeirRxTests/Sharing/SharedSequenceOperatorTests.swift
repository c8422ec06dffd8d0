import Testing
import Weir
import WeirDispatch
import WeirRx

@testable import TestSupport

@Suite("Operators of Driver and Signal")
struct SharedSequenceOperatorTests {
  let clock = VirtualTimeScheduler()
  let relay = PublishRelay<Int>()
  let other = PublishRelay<Int>()

  /// A driver of the relay whose values arrive when the clock runs its due actions.
  var driver: Driver<Int> { onClock { relay.asDriver() } }
  var otherDriver: Driver<Int> { onClock { other.asDriver() } }

  /// Creates drivers for the clock rather than the main actor.
  func onClock<Result>(_ action: () -> Result) -> Result {
    SharingScheduler.mock(scheduler: clock, action: action)
  }

  func accept(_ values: Int...) {
    for value in values { relay.accept(value) }
    clock.runDue()
  }

  func acceptOther(_ values: Int...) {
    for value in values { other.accept(value) }
    clock.runDue()
  }

  // MARK: The scheduler

  @Test("a substitute scheduler delivers when its time advances")
  func standIn() {
    let recorder = driver.record(demanding: .unlimited)
    relay.accept(1)
    #expect(recorder.events == [.subscription])
    clock.runDue()
    #expect(recorder.events == [.subscription, .value(1)])
  }

  @Test("a substitute scheduler applies to sequences that are created meanwhile, in this task")
  func scope() async {
    let atOnce = SharingScheduler.mock(scheduler: ImmediateScheduler.shared) { relay.asDriver() }
    let (recorder, virtual) = (atOnce.record(demanding: .unlimited), driver.record(demanding: .unlimited))
    relay.accept(1)
    #expect(recorder.values == [1])
    #expect(virtual.values == [])
    #expect(clock.pendingCount == 1)
  }

  @Test("uses the substitute's time")
  func time() {
    let scheduler = onClock { SharingScheduler.current }
    let start = scheduler.now
    clock.advance(by: 1500)
    #expect(start.distance(to: scheduler.now) == .milliseconds(1500))
    #expect(scheduler.minimumTolerance == 0)
    var runs: [Int] = []
    scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(20))) { runs.append(clock.now.milliseconds) }
    let repeated = scheduler.schedule(after: scheduler.now.advanced(by: 1), interval: 2) {
      runs.append(clock.now.milliseconds)
    }
    clock.advance(by: 6000)
    repeated.cancel()
    #expect(runs == [1520, 2500, 4500, 6500])
  }

  // MARK: One sequence

  @Test("transforms, filters and accumulates")
  func transforms() {
    let driver = driver
    let (mapped, compacted) = (
      driver.map { "\($0)" }.record(demanding: .unlimited),
      driver.compactMap { (value: Int) -> Int? in value > 1 ? value : nil }.record(demanding: .unlimited)
    )
    let (filtered, scanned) = (
      driver.filter { $0 > 1 }.record(demanding: .unlimited),
      driver.scan(10) { $0 + $1 }.record(demanding: .unlimited)
    )
    let started = driver.startWith(0).record(demanding: .unlimited)
    accept(1, 2, 3)
    #expect(mapped.values == ["1", "2", "3"])
    #expect(compacted.values == [2, 3])
    #expect(filtered.values == [2, 3])
    #expect(scanned.values == [11, 13, 16])
    #expect(started.values == [0, 1, 2, 3])
  }

  @Test("operators return the same kind: a driver's result replays the latest value")
  func keepsTheKind() {
    let driver: Driver<Int> = driver.map { $0 + 1 }.filter { $0 > 0 }
    let signal: Signal<Int> = driver.asSignal().map { $0 + 1 }
    let (first, firstOfSignal) = (driver.record(demanding: .unlimited), signal.record(demanding: .unlimited))
    accept(1)
    #expect(first.values == [2])
    #expect(firstOfSignal.values == [3])
    #expect(driver.record(demanding: .unlimited).values == [2])
    #expect(signal.record(demanding: .unlimited).values == [])
    #expect(signal.asDriver().asDriver().asSignal().asPublisher().record(demanding: .unlimited).values == [])
  }

  @Test("filters out unchanged values: equal, by a key, or by a comparison")
  func distinct() {
    let driver = driver
    let equal = driver.distinctUntilChanged().record(demanding: .unlimited)
    let keyed = driver.distinctUntilChanged { (value: Int) in value / 10 }.record(demanding: .unlimited)
    let compared = driver.distinctUntilChanged { (a: Int, b: Int) in a > b }.record(demanding: .unlimited)
    accept(1, 1, 2, 11, 10, 1)
    #expect(equal.values == [1, 2, 11, 10, 1])
    #expect(keyed.values == [1, 11, 1])
    #expect(compared.values == [1, 1, 2, 11])
  }

  @Test("calls closures for each event, on the main actor")
  @MainActor
  func passing() {
    var seen: [String] = []
    let driver = driver.do(onNext: { seen.append("\($0)") }, onCompleted: { seen.append("end") })
    let (first, second) = (driver.record(demanding: .unlimited), driver.record(demanding: .unlimited))
    accept(1)
    #expect(seen == ["1"])
    #expect(first.values == second.values)
    let ended = onClock { Driver.just(2) }
    #expect(
      ended.do(onNext: { seen.append("\($0)") }, onCompleted: { seen.append("end") }).record(demanding: .unlimited)
        .events == [.subscription, .value(2), .finished])
    #expect(seen == ["1", "2", "end"])
  }

  @Test("calls closures at the beginning and the end of each connection, on the main actor")
  @MainActor
  func connections() {
    var seen: [String] = []
    let driver = driver.startWith(0).do(
      onNext: { seen.append("\($0)") }, onCompleted: { seen.append("end") }, onSubscribe: { seen.append("subscribe") },
      onSubscribed: { seen.append("subscribed") }, onDispose: { seen.append("dispose") })
    #expect(seen == [])
    let (first, second) = (driver.record(demanding: .unlimited), driver.record(demanding: .unlimited))
    #expect(seen == ["subscribe", "subscribed", "0"])
    first.cancel()
    #expect(seen.count == 3)
    second.cancel()
    #expect(seen == ["subscribe", "subscribed", "0", "dispose"])
    seen = []
    let ended = onClock { Driver.just(2) }
    let whole = ended.do(
      onCompleted: { seen.append("end") }, onSubscribe: { seen.append("subscribe") },
      onDispose: { seen.append("dispose") })
    #expect(whole.record(demanding: .unlimited).events == [.subscription, .value(2), .finished])
    #expect(seen == ["subscribe", "end", "dispose"])
  }

  // MARK: Sequences of sequences

  @Test("flatMap forwards all inner sequences, flatMapLatest the latest, flatMapFirst the first active one")
  func flatMaps() {
    let inner = [PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()]
    let drivers = SharingScheduler.mock(scheduler: ImmediateScheduler.shared) { inner.map { $0.asDriver() } }
    let driver = driver
    let all = driver.flatMap { drivers[$0] }.record(demanding: .unlimited)
    let latest = driver.flatMapLatest { drivers[$0] }.record(demanding: .unlimited)
    let first = driver.flatMapFirst { drivers[$0] }.record(demanding: .unlimited)
    accept(0)
    inner[0].send(1)
    accept(1)
    inner[0].send(2)
    inner[1].send(3)
    #expect(all.values == [1, 2, 3])
    #expect(latest.values == [1, 3])
    #expect(first.values == [1, 2])
    inner[0].send(completion: .finished)
    accept(1)
    inner[1].send(4)
    // A driver with subscribers sends its latest value to a new subscriber.
    #expect(all.values == [1, 2, 3, 3, 4, 4])
    #expect(latest.values == [1, 3, 3, 4])
    #expect(first.values == [1, 2, 3, 4])
  }

  @Test("the inner sequences decide whether the result is a driver or a signal")
  func kindOfFlatMap() {
    let signal = driver.asSignal()
    let results: [Driver<Int>] = [
      signal.flatMap { .just($0) }, signal.flatMapLatest { .just($0) }, signal.flatMapFirst { .just($0) },
    ]
    for result in results {
      let recorder = result.record(demanding: .unlimited)
      accept(1)
      #expect(result.record(demanding: .unlimited).values == [1])
      recorder.cancel()
    }
  }

  @Test("withLatestFrom and the flat maps preserve the guarantees, although publishers have the same operators")
  func overloads() {
    let (driver, signal) = (Driver.of(1, 2), Signal.of(3))
    let kept = (
      driver.withLatestFrom(driver), driver.withLatestFrom(signal) { $0 + $1 }, signal.withLatestFrom(driver),
      driver.flatMapFirst { (_: Int) in driver }, driver.flatMapLatest { (_: Int) in signal },
      driver.flatMap { (_: Int) in driver }
    )
    #expect(
      type(of: kept)
        == (Driver<Int>, Driver<Int>, Signal<Int>, Driver<Int>, Signal<Int>, Driver<Int>).self)
  }

  @Test("flatMapFirst continues after a synchronous finish, and keeps no state between connections")
  func flatMapFirstAnew() {
    let driver = driver.flatMapFirst { (value: Int) -> Driver<Int> in value == 0 ? .never() : .just(value) }
    let first = driver.record(demanding: .unlimited)
    accept(1, 2, 0, 3)
    #expect(first.values == [1, 2])
    first.cancel()
    let second = driver.record(demanding: .unlimited)
    accept(4)
    #expect(second.values == [4])
  }

  // MARK: Several sequences

  @Test("merges")
  func merges() {
    let recorders = [
      Driver.merge(driver, otherDriver).record(demanding: .unlimited),
      Driver.merge([driver, otherDriver]).record(demanding: .unlimited),
      driver.merge(with: otherDriver).record(demanding: .unlimited),
    ]
    accept(1)
    acceptOther(2)
    accept(3)
    for recorder in recorders { #expect(recorder.values == [1, 2, 3]) }
    #expect(onClock { Driver<Int>.merge([]).record() }.events == [.subscription, .finished])
  }

  @Test("combines the latest values")
  func combines() {
    let (a, b) = (driver, otherDriver)
    let pairs = Driver.combineLatest(a, b).map { [$0, $1] }.record(demanding: .unlimited)
    let sums = Driver.combineLatest(a, b) { $0 + $1 }.record(demanding: .unlimited)
    let triples = Driver.combineLatest(a, b, a).map { [$0, $1, $2] }.record(demanding: .unlimited)
    let sumsOfThree = Driver.combineLatest(a, b, .just(100)) { $0 + $1 + $2 }.record(demanding: .unlimited)
    let all = Driver.combineLatest([a, b, .just(9)]).record(demanding: .unlimited)
    accept(1)
    acceptOther(2)
    acceptOther(3)
    #expect(pairs.values == [[1, 2], [1, 3]])
    #expect(sums.values == [3, 4])
    #expect(triples.values == [[1, 2, 1], [1, 3, 1]])
    #expect(sumsOfThree.values == [103, 104])
    #expect(all.values == [[1, 2, 9], [1, 3, 9]])
    #expect(onClock { Driver<[Int]>.combineLatest([Driver<Int>]()).record() }.events == [.subscription, .finished])
  }

  @Test("zips")
  func zips() {
    let (a, b) = (driver, otherDriver)
    let pairs = Driver.zip(a, b).map { [$0, $1] }.record(demanding: .unlimited)
    let sums = Driver.zip(a, b) { $0 + $1 }.record(demanding: .unlimited)
    let triples = Driver.zip(a, b, a).map { [$0, $1, $2] }.record(demanding: .unlimited)
    let sumsOfThree = Driver.zip(a, b, .of(100)) { $0 + $1 + $2 }.record(demanding: .unlimited)
    let all = Driver.zip([a, b, .of(8, 9)]).record(demanding: .unlimited)
    accept(1, 2, 3)
    acceptOther(4, 5)
    #expect(pairs.values == [[1, 4], [2, 5]])
    #expect(sums.values == [5, 7])
    #expect(triples.values == [[1, 4, 1], [2, 5, 2]])
    #expect(sumsOfThree.events == [.subscription, .value(105), .finished])
    #expect(all.events == [.subscription, .value([1, 4, 8]), .value([2, 5, 9]), .finished])
    #expect(onClock { Driver<[Int]>.zip([Driver<Int>]()).record() }.events == [.subscription, .finished])
  }

  @Test("combines any number of sequences by a closure")
  func resultSelectors() {
    let sources = [driver, otherDriver]
    let latest: Driver<Int> = Driver.combineLatest(sources) { (values: [Int]) -> Int in values.reduce(0, +) }
    let together: Driver<Int> = Driver.zip(sources, resultSelector: { (values: [Int]) -> Int in values.reduce(1, *) })
    let (sums, products) = (latest.record(demanding: .unlimited), together.record(demanding: .unlimited))
    accept(1, 2)
    acceptOther(4, 5)
    #expect(sums.values == [6, 7])
    #expect(products.values == [4, 10])
  }

  @Test("combines 20,000 sequences without growing the stack")
  func combinesMany() {
    let numbers = Array(0..<20_000)
    let drivers = onClock { numbers.map { (n: Int) -> Driver<Int> in .just(n) } }
    let latest = Driver.combineLatest(drivers).record(demanding: .unlimited)
    let together = Driver.zip(drivers).record(demanding: .unlimited)
    clock.runDue()
    #expect(latest.values == [numbers])
    #expect(together.values == [numbers])
  }

  @Test("adds the latest value of another sequence, and finishes without one")
  func latestFrom() {
    let (a, b) = (driver, otherDriver)
    let latest = a.withLatestFrom(b.asSignal()).record(demanding: .unlimited)
    let pairs = a.withLatestFrom(b) { [$0, $1] }.record(demanding: .unlimited)
    accept(1)
    acceptOther(2, 3)
    accept(4, 5)
    acceptOther(6)
    accept(7)
    #expect(latest.values == [3, 3, 6])
    #expect(pairs.values == [[4, 3], [5, 3], [7, 6]])
    let ended = onClock { Driver.of(1, 2).withLatestFrom(Driver.just(9)) { $0 + $1 } }
    #expect(ended.record(demanding: .unlimited).events == [.subscription, .value(10), .value(11), .finished])
    let endless = onClock {
      Driver.of(1, 2).withLatestFrom(Driver.just(9).startWith(8).merge(with: .never()))
    }
    #expect(endless.record(demanding: .unlimited).events == [.subscription, .value(9), .value(9), .finished])
  }

  // MARK: Time

  @Test("debounces, throttles and delays in the scheduler's time")
  func timing() {
    let driver = driver
    let debounced = driver.debounce(.milliseconds(30)).record(demanding: .unlimited)
    let latest = driver.throttle(.milliseconds(30)).record(demanding: .unlimited)
    let first = driver.throttle(.milliseconds(30), latest: false).record(demanding: .unlimited)
    let delayed = driver.delay(.milliseconds(30)).record(demanding: .unlimited)
    accept(1)
    clock.advance(by: 10)
    accept(2)
    clock.advance(by: 10)
    #expect(debounced.values == [])
    #expect(latest.values == [1])
    #expect(first.values == [1])
    #expect(delayed.values == [])
    clock.advance(by: 10)
    #expect(delayed.values == [1])
    #expect(latest.values == [1, 2])
    #expect(first.values == [1])
    #expect(debounced.values == [])
    clock.advance(by: 10)
    #expect(delayed.values == [1, 2])
    #expect(debounced.values == [2])
    accept(3)
    #expect(first.values == [1, 3])
  }

  @Test("throttle without the latest value drops what follows within an interval, anew for each connection")
  func firsts() {
    let driver = driver.throttle(.milliseconds(10), latest: false)
    let recorder = driver.record(demanding: .unlimited)
    for value in 1...5 {
      accept(value)
      clock.advance(by: 5)
    }
    #expect(recorder.values == [1, 3, 5])
    recorder.cancel()
    let next = driver.record(demanding: .unlimited)
    accept(6)
    #expect(next.values == [6])
  }

  @Test("counts in the scheduler's time, from zero for each connection")
  func counting() {
    let (interval, timer, once) = onClock {
      (Driver<Int>.interval(2), Signal<UInt8>.timer(1, period: .milliseconds(500)), Driver<Int>.timer(3))
    }
    let counts = interval.record(demanding: .unlimited)
    let (fast, single) = (timer.record(demanding: .unlimited), once.record(demanding: .unlimited))
    clock.advance(by: 2500)
    #expect(counts.values == [0])
    #expect(fast.values == [0, 1, 2, 3])
    clock.advance(by: 1500)
    #expect(counts.values == [0, 1])
    #expect(single.events == [.subscription, .value(0), .finished])
    counts.cancel()
    fast.cancel()
    #expect(clock.pendingCount == 0)
    let again = interval.record(demanding: .unlimited)
    clock.advance(by: 2000)
    #expect(again.values == [0])
    again.cancel()
  }

  // MARK: Creating

  @Test("creates sequences of given values for each subscriber")
  func making() {
    let cases: [(Driver<Int>, [Event<Int>])] = [
      (.just(1), [.subscription, .value(1), .finished]),
      (.of(1, 2), [.subscription, .value(1), .value(2), .finished]),
      (.from([1, 2]), [.subscription, .value(1), .value(2), .finished]),
      (.from(optional: 1), [.subscription, .value(1), .finished]),
      (.from(optional: nil), [.subscription, .finished]),
      (.empty(), [.subscription, .finished]),
      (.never(), [.subscription]),
    ]
    onClock {
      for (driver, events) in cases {
        // These were created for the main actor.
        let driver = Driver.deferred { driver }
        #expect(driver.record(demanding: .unlimited).events == events)
        #expect(driver.record(demanding: .unlimited).events == events)
      }
    }
  }

  @Test("creates a sequence for each connection")
  func deferred() {
    onClock {
      var made = 0
      let driver = Driver<Int>.deferred {
        made += 1
        return .of(made)
      }
      #expect(made == 0)
      #expect(driver.record(demanding: .unlimited).values == [1])
      #expect(driver.record(demanding: .unlimited).values == [2])
    }
  }
}
