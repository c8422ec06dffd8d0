import Weir
import WeirRx

@testable import TestSupport

/// An operator between two subjects and a witness.
final class Stage {
  typealias Values = AnyPublisher<Int, TestError>

  let a = PassthroughSubject<Int, TestError>()
  let b = PassthroughSubject<Int, TestError>()
  let watchA = Watch()
  let watchB = Watch()
  let scheduler = VirtualTimeScheduler()
  private var schedulerThread: Int?
  let publisher: Values

  init(_ make: (Values, Values, VirtualTimeScheduler) -> Values) {
    publisher = make(
      Watched(upstream: a, watch: watchA).eraseToAnyPublisher(),
      Watched(upstream: b, watch: watchB).eraseToAnyPublisher(), scheduler)
  }

  /// Runs scheduled work for a short time.
  func settle() {
    onScheduler { for _ in 0..<6 { scheduler.advance(by: 10) } }
  }

  /// The body of a thread of the scheduler.
  func runSome() {
    for _ in 0..<3 {
      onScheduler { scheduler.advance(by: 5) }
      Interleaver.step()
    }
  }

  private func onScheduler(_ body: () -> Void) {
    schedulerThread = Interleaver.currentNumber ?? -1
    body()
    schedulerThread = nil
  }

  /// Makes a witness check that all events are delivered on the scheduler.
  func watch(_ witness: Witness) {
    witness.isWhereItShouldBe = { [unowned self] in schedulerThread == Interleaver.currentNumber ?? -1 }
  }

  var faults: [String] { watchA.faults + watchB.faults }

  /// The faults if the downstream requests on one thread at a time.
  var overlaps: [String] { watchA.overlaps + watchB.overlaps }

  /// The faults after the subscription has been cancelled or has completed.
  var faultsAtEnd: [String] {
    var faults: [String] = []
    if watchA.live > 0 { faults.append("the first upstream is left behind") }
    if watchB.live > 0 { faults.append("the second upstream is left behind") }
    if scheduler.pendingCount > 0 { faults.append("a timer is left behind") }
    return faults
  }
}

/// An operator, and the values that it may drop.
struct OperatorCase: Sendable, CustomStringConvertible {
  enum Losses {
    /// It delivers all values, those of one thread in order.
    case none
    /// It delivers the last value.
    case exceptLast
    /// It may drop any value.
    case any
  }

  let description: String

  /// It subscribes to both subjects.
  let isDouble: Bool

  /// It has a scheduler.
  let isTimed: Bool

  let losses: Losses

  /// It buffers values without demand.
  let keeps: Bool

  /// The downstream receives the upstream's own subscription, and is responsible for its calls.
  let handsOn: Bool

  let make: @Sendable (Stage.Values, Stage.Values, VirtualTimeScheduler) -> Stage.Values

  init(
    _ description: String, isDouble: Bool = false, isTimed: Bool = false, losses: Losses = .none, keeps: Bool = false,
    handsOn: Bool = false,
    make: @escaping @Sendable (Stage.Values, Stage.Values, VirtualTimeScheduler) -> any Publisher<Int, TestError>
  ) {
    self.description = description
    self.isDouble = isDouble
    self.isTimed = isTimed
    self.losses = losses
    self.keeps = keeps
    self.handsOn = handsOn
    self.make = { a, b, scheduler in Self.erase(make(a, b, scheduler)) }
  }

  private static func erase(_ publisher: some Publisher<Int, TestError>) -> Stage.Values {
    publisher.eraseToAnyPublisher()
  }

  static let all = straight + combining + timed + shared + rx

  static let straight: [OperatorCase] = [
    OperatorCase("subject", handsOn: true) { a, _, _ in a },
    OperatorCase("map, filter", handsOn: true) { a, _, _ in
      a.map { (value: Int) -> Int in value }.filter { (_: Int) -> Bool in true }
    },
    OperatorCase("scan", handsOn: true) { a, _, _ in a.scan(0) { (_: Int, value: Int) -> Int in value } },
    OperatorCase("prefix", losses: .any) { a, _, _ in a.prefix(3) },
    OperatorCase("drop, removeDuplicates") { a, _, _ in a.prepend(0).dropFirst().removeDuplicates() },
    OperatorCase("tryMap") { a, _, _ in
      a.tryMap { (value: Int) throws -> Int in value }.mapError { (_: any Error) -> TestError in .oops }
    },
    OperatorCase("handleEvents") { a, _, _ in a.handleEvents(receiveOutput: { (_: Int) -> Void in }) },
    OperatorCase("append") { a, b, _ in a.append(b) },
    OperatorCase("prepend", losses: .any) { a, b, _ in a.prepend(b.prefix(1)) },
    OperatorCase("catch") { a, b, _ in a.catch { (_: TestError) -> Stage.Values in b } },
    OperatorCase("retry") { a, _, _ in a.retry(1) },
    OperatorCase("buffer, by request", keeps: true) { a, _, _ in
      a.buffer(size: 100, prefetch: .byRequest, whenFull: .dropNewest)
    },
    OperatorCase("buffer, kept full", losses: .none, keeps: true) { a, _, _ in
      a.buffer(size: 100, prefetch: .keepFull, whenFull: .dropNewest)
    },
  ]

  static let combining: [OperatorCase] = [
    OperatorCase("merge", isDouble: true) { a, b, _ in a.merge(with: b) },
    OperatorCase("flatMap", isDouble: true) { a, b, _ in
      [a, b].lazy.publisher.setFailureType(to: TestError.self).flatMap { (inner: Stage.Values) -> Stage.Values in inner
      }
    },
    OperatorCase("flatMap, one opens the other", isDouble: true, losses: .any) { a, b, _ in
      a.flatMap(maxPublishers: .max(1)) { (_: Int) -> Stage.Values in b }
    },
    OperatorCase("switchToLatest", isDouble: true, losses: .any) { a, b, _ in
      a.map { (_: Int) -> Stage.Values in b }.switchToLatest()
    },
    OperatorCase("zip", isDouble: true, losses: .any) { a, b, _ in a.zip(b) { (a: Int, b: Int) -> Int in a * 100 + b }
    },
    OperatorCase("combineLatest", isDouble: true, losses: .any) { a, b, _ in
      a.combineLatest(b) { (a: Int, b: Int) -> Int in a * 100 + b }
    },
    OperatorCase("prefix(untilOutputFrom:)", isDouble: true, losses: .any) { a, b, _ in a.prefix(untilOutputFrom: b) },
    OperatorCase("drop(untilOutputFrom:)", isDouble: true, losses: .any) { a, b, _ in a.drop(untilOutputFrom: b) },
  ]

  static let timed: [OperatorCase] = [
    OperatorCase("receive(on:)", isTimed: true) { a, _, scheduler in a.receive(on: scheduler) },
    OperatorCase("delay", isTimed: true) { a, _, scheduler in a.delay(for: 5, scheduler: scheduler) },
    OperatorCase("debounce", isTimed: true, losses: .exceptLast) { a, _, scheduler in
      a.debounce(for: 5, scheduler: scheduler)
    },
    OperatorCase("throttle, latest", isTimed: true, losses: .exceptLast) { a, _, scheduler in
      a.throttle(for: 5, scheduler: scheduler, latest: true)
    },
    OperatorCase("throttle, first", isTimed: true, losses: .any) { a, _, scheduler in
      a.throttle(for: 5, scheduler: scheduler, latest: false)
    },
    OperatorCase("timeout", isTimed: true) { a, _, scheduler in a.timeout(100_000, scheduler: scheduler) },
    OperatorCase("timeout, which ends it", isTimed: true, losses: .any) { a, _, scheduler in
      a.timeout(5, scheduler: scheduler)
    },
    // It asks for one value at a time, so the subject drops what a second thread sends.
    OperatorCase("collect, by time", isTimed: true, losses: .any) { a, _, scheduler in
      a.collect(.byTime(scheduler, 5)).flatMap { (values: [Int]) in
        values.lazy.publisher.setFailureType(to: TestError.self)
      }
    },
    OperatorCase("collect, by time or count", isTimed: true) { a, _, scheduler in
      a.collect(.byTimeOrCount(scheduler, 5, 2)).flatMap { (values: [Int]) in
        values.lazy.publisher.setFailureType(to: TestError.self)
      }
    },
  ]

  static let shared: [OperatorCase] = [
    OperatorCase("share") { a, _, _ in a.share() },
    OperatorCase("multicast, autoconnect") { a, _, _ in
      a.multicast { PassthroughSubject<Int, TestError>() }.autoconnect()
    },
    OperatorCase("share(replay:)", keeps: true) { a, _, _ in a.share(replay: 100) },
  ]

  static let rx: [OperatorCase] = [
    OperatorCase("sample", isDouble: true, losses: .any) { a, b, _ in a.sample(b) },
    OperatorCase("withLatestFrom", isDouble: true, losses: .any) { a, b, _ in
      a.withLatestFrom(b) { (a: Int, b: Int) -> Int in a * 100 + b }
    },
    OperatorCase("amb", isDouble: true, losses: .any) { a, b, _ in a.amb(with: b) },
    OperatorCase("zip(prefetch:)", isDouble: true, losses: .any) { a, b, _ in
      a.zip(b, prefetch: 2).map { (a: Int, b: Int) -> Int in a * 100 + b }
    },
    OperatorCase("flatMapFirst", isDouble: true, losses: .any) { a, b, _ in
      a.flatMapFirst { (_: Int) -> Stage.Values in b }
    },
    OperatorCase("retry(when:)", losses: .any) { a, b, _ in
      a.retry(when: { (_: AnyPublisher<TestError, Never>) -> Stage.Values in b })
    },
    OperatorCase("groupBy", losses: .any) { a, _, _ in
      a.groupBy { (value: Int) -> Bool in value < 10 }
        .flatMap { (group: GroupedPublisher<Bool, Int, TestError>) -> GroupedPublisher<Bool, Int, TestError> in group }
    },
    OperatorCase("window", losses: .any) { a, _, _ in
      a.window(count: 2).flatMap { (window: AnyPublisher<Int, TestError>) -> AnyPublisher<Int, TestError> in window }
    },
    OperatorCase("onBackpressureBuffer", keeps: true) { a, _, _ in a.onBackpressureBuffer() },
    OperatorCase("limitRate", losses: .any) { a, _, _ in a.limitRate(2) },
    OperatorCase("flatMapLatest", isDouble: true, losses: .any) { a, b, _ in
      a.flatMapLatest { (_: Int) -> Stage.Values in b }
    },
  ]
}
