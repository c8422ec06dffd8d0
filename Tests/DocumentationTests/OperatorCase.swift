import Foundation
import Weir
import WeirFoundation
import WeirRx
import WeirTesting

/// An operator that is asked for values, as the page on back-pressure names it.
@MainActor
struct OperatorCase {
  /// What the operator has asked its upstream for, in all.
  struct Asked: Equatable {
    let atOnce: Subscribers.Demand
    let forTwo: Subscribers.Demand
  }

  struct Oops: Error, Equatable {}

  typealias Upstream = AnyPublisher<Int, Oops>

  let name: String

  private let trial: @MainActor (_ step: @MainActor (Trial) -> Void) -> Void

  /// The operator between a publisher and a subscriber.
  struct Trial {
    let source: TestPublisher<Int, Oops>
    let request: (Subscribers.Demand) -> Void
    let received: () -> [String]
    let clock: VirtualTimeScheduler

    var demand: Subscribers.Demand {
      clock.advance()
      return source.subscriptions.first?.demand ?? .none
    }
  }

  init<P: Publisher>(_ name: String, _ make: @escaping @MainActor (Upstream, VirtualTimeScheduler) -> P) {
    self.name = name
    trial = { step in
      let clock = VirtualTimeScheduler()
      let source = TestPublisher<Int, Oops>()
      let subscriber = TestSubscriber<P.Output, P.Failure>()
      make(source.eraseToAnyPublisher(), clock).subscribe(subscriber)
      step(
        Trial(
          source: source, request: { subscriber.request($0) },
          received: { subscriber.values.map { String(describing: $0) } }, clock: clock))
      subscriber.cancel()
    }
  }

  func asked() -> Asked {
    var asked = Asked(atOnce: .none, forTwo: .none)
    trial { trial in
      let atOnce = trial.demand
      trial.request(.max(2))
      asked = Asked(atOnce: atOnce, forTwo: trial.demand)
    }
    return asked
  }

  /// Whether it asks for another value in the place of each that it leaves out: of two zeros it leaves out one at
  /// least.
  func asksAgain() -> Bool {
    var isRight = false
    trial { trial in
      trial.request(.max(2))
      trial.source.send(0)
      trial.source.send(0)
      isRight = trial.demand == .max(4 - trial.received().count) && trial.received().count < 2
    }
    return isRight
  }

  /// What becomes of three values that come before anything has been asked for; of pairs the first part counts.
  func fate() -> Fate? {
    var fate: Fate?
    trial { trial in
      for number in 1...3 { trial.source.send(number) }
      trial.request(.unlimited)
      trial.clock.advance()
      fate = Fate(trial.received().map { String($0.drop { $0 == "(" }.prefix { $0.isNumber }) }, of: ["1", "2", "3"])
    }
    return fate
  }

  private static let never = Empty<Int, Oops>(completeImmediately: false)

  static let all: [OperatorCase] =
    mapping + filtering + reducing + combining + failing + timing + sharing + shaping

  private static let mapping: [OperatorCase] = [
    OperatorCase("map") { upstream, _ in upstream.map { $0 } },
    OperatorCase("tryMap") { upstream, _ in upstream.tryMap { $0 } },
    OperatorCase("replaceNil") { upstream, _ in upstream.map { Optional($0) }.replaceNil(with: 0) },
    OperatorCase("scan") { upstream, _ in upstream.scan(0) { $0 + $1 } },
    OperatorCase("tryScan") { upstream, _ in upstream.tryScan(0) { $0 + $1 } },
    OperatorCase("setFailureType") { upstream, _ in upstream.replaceError(with: 0).setFailureType(to: Oops.self) },
    OperatorCase("encode") { upstream, _ in upstream.encode(encoder: JSONEncoder()) },
    OperatorCase("decode") { upstream, _ in upstream.map { _ in Data() }.decode(type: Int.self, decoder: JSONDecoder())
    },
    OperatorCase("enumerated") { upstream, _ in upstream.enumerated() },
    OperatorCase("materialize") { upstream, _ in upstream.materialize() },
    OperatorCase("dematerialize") { upstream, _ in upstream.materialize().dematerialize() },
    OperatorCase("toggle") { upstream, _ in upstream.map { $0 > 0 }.toggle() },
    OperatorCase("handleEvents") { upstream, _ in upstream.handleEvents() },
    OperatorCase("print") { upstream, _ in upstream.print("", to: Quiet()) },
    OperatorCase("breakpoint") { upstream, _ in upstream.breakpoint() },
    OperatorCase("breakpointOnError") { upstream, _ in upstream.breakpointOnError() },
    OperatorCase("checkpoint") { upstream, _ in upstream.checkpoint("here") },
  ]

  private static let filtering: [OperatorCase] = [
    OperatorCase("prefix") { upstream, _ in upstream.prefix(3) },
    OperatorCase("prefix(while:)") { upstream, _ in upstream.prefix { $0 > 0 } },
    OperatorCase("tryPrefix(while:)") { upstream, _ in upstream.tryPrefix { $0 > 0 } },
    OperatorCase("prefix(untilOutputFrom:)") { upstream, _ in upstream.prefix(untilOutputFrom: never) },
    OperatorCase("take(until:)") { upstream, _ in upstream.take(until: never) },
    OperatorCase("take(until:)") { upstream, _ in upstream.take(until: { $0 > 9 }) },
    OperatorCase("replaceEmpty") { upstream, _ in upstream.replaceEmpty(with: 0) },
    OperatorCase("filter") { upstream, _ in upstream.filter { $0 > 0 } },
    OperatorCase("tryFilter") { upstream, _ in upstream.tryFilter { $0 > 0 } },
    OperatorCase("compactMap") { upstream, _ in upstream.compactMap { $0 > 0 ? $0 : nil } },
    OperatorCase("tryCompactMap") { upstream, _ in upstream.tryCompactMap { $0 > 0 ? $0 : nil } },
    OperatorCase("removeDuplicates") { upstream, _ in upstream.removeDuplicates() },
    OperatorCase("tryRemoveDuplicates") { upstream, _ in upstream.tryRemoveDuplicates { $0 == $1 } },
    OperatorCase("distinct") { upstream, _ in upstream.distinct() },
    OperatorCase("partition") { upstream, _ in upstream.partition { $0 > 0 }.0 },
    OperatorCase("drop(while:)") { upstream, _ in upstream.drop { $0 < 1 } },
    OperatorCase("tryDrop(while:)") { upstream, _ in upstream.tryDrop { $0 < 1 } },
    OperatorCase("drop(untilOutputFrom:)") { upstream, _ in upstream.drop(untilOutputFrom: never) },
    OperatorCase("output(at:)") { upstream, _ in upstream.output(at: 2) },
    OperatorCase("output(in:)") { upstream, _ in upstream.output(in: 1...2) },
    OperatorCase("pairwise") { upstream, _ in upstream.pairwise() },
    OperatorCase("nwise") { upstream, _ in upstream.nwise(3) },
    OperatorCase("dropFirst") { upstream, _ in upstream.dropFirst(3) },
    OperatorCase("ignoreOutput") { upstream, _ in upstream.ignoreOutput() },
    OperatorCase("asCompletable") { upstream, _ in upstream.asCompletable() },
  ]

  private static let reducing: [OperatorCase] = [
    OperatorCase("collect(_:)") { upstream, _ in upstream.collect(3) },
    OperatorCase("window(count:)") { upstream, _ in upstream.window(count: 3) },
    OperatorCase("collect") { upstream, _ in upstream.collect() },
    OperatorCase("reduce") { upstream, _ in upstream.reduce(0) { $0 + $1 } },
    OperatorCase("tryReduce") { upstream, _ in upstream.tryReduce(0) { $0 + $1 } },
    OperatorCase("count") { upstream, _ in upstream.count() },
    OperatorCase("min") { upstream, _ in upstream.min() },
    OperatorCase("max") { upstream, _ in upstream.max() },
    OperatorCase("tryMin") { upstream, _ in upstream.tryMin { $0 < $1 } },
    OperatorCase("tryMax") { upstream, _ in upstream.tryMax { $0 < $1 } },
    OperatorCase("contains") { upstream, _ in upstream.contains(1) },
    OperatorCase("contains") { upstream, _ in upstream.contains { $0 > 0 } },
    OperatorCase("tryContains") { upstream, _ in upstream.tryContains { $0 > 0 } },
    OperatorCase("allSatisfy") { upstream, _ in upstream.allSatisfy { $0 > 0 } },
    OperatorCase("tryAllSatisfy") { upstream, _ in upstream.tryAllSatisfy { $0 > 0 } },
    OperatorCase("first") { upstream, _ in upstream.first() },
    OperatorCase("first") { upstream, _ in upstream.first { $0 > 0 } },
    OperatorCase("tryFirst") { upstream, _ in upstream.tryFirst { $0 > 0 } },
    OperatorCase("last") { upstream, _ in upstream.last() },
    OperatorCase("last") { upstream, _ in upstream.last { $0 > 0 } },
    OperatorCase("tryLast") { upstream, _ in upstream.tryLast { $0 > 0 } },
    OperatorCase("asSingle") { upstream, _ in upstream.mapError { $0 as any Error }.asSingle() },
    OperatorCase("asMaybe") { upstream, _ in upstream.mapError { $0 as any Error }.asMaybe() },
  ]

  private static let combining: [OperatorCase] = [
    OperatorCase("amb") { upstream, _ in upstream.amb(with: never) },
    OperatorCase("append") { upstream, _ in upstream.append(never) },
    OperatorCase("prepend") { upstream, _ in never.prepend(upstream) },
    OperatorCase("repeated") { upstream, _ in upstream.repeated(2) },
    OperatorCase("merge") { upstream, _ in upstream.merge(with: never) },
    OperatorCase("merge") { upstream, _ in [upstream, never.eraseToAnyPublisher()].merge() },
    OperatorCase("flatMap") { upstream, _ in upstream.flatMap { _ in never } },
    OperatorCase("flatMap(maxPublishers:)") { upstream, _ in upstream.flatMap(maxPublishers: .max(1)) { _ in never } },
    OperatorCase("concatMap") { upstream, _ in upstream.concatMap { _ in never } },
    OperatorCase("asyncFlatMap") { upstream, _ in
      upstream.asyncFlatMap { _ async throws(Oops) in Empty<Int, Oops>(completeImmediately: false) }
    },
    OperatorCase("asyncMap") { upstream, _ in
      upstream.asyncMap(maxPublishers: .max(3)) { number async throws(Oops) in number }
    },
    OperatorCase("tryAsyncMap") { upstream, _ in upstream.tryAsyncMap(maxPublishers: .max(3)) { $0 } },
    OperatorCase("zip") { upstream, _ in upstream.zip(never) },
    OperatorCase("zip") { upstream, _ in [upstream, never.eraseToAnyPublisher()].zip() },
    OperatorCase("combineLatest") { upstream, _ in upstream.combineLatest(never) },
    OperatorCase("combineLatest") { upstream, _ in [upstream, never.eraseToAnyPublisher()].combineLatest() },
    OperatorCase("switchToLatest") { upstream, _ in upstream.map { _ in never }.switchToLatest() },
    OperatorCase("flatMapLatest") { upstream, _ in upstream.flatMapLatest { _ in never } },
    OperatorCase("flatMapFirst") { upstream, _ in upstream.flatMapFirst { _ in never } },
    OperatorCase("withLatestFrom") { upstream, _ in upstream.withLatestFrom(never) },
    OperatorCase("sample") { upstream, _ in upstream.sample(never) },
  ]

  private static let failing: [OperatorCase] = [
    OperatorCase("mapError") { upstream, _ in upstream.mapError { $0 } },
    OperatorCase("assertNoFailure") { upstream, _ in upstream.assertNoFailure() },
    OperatorCase("ignoreFailure") { upstream, _ in upstream.ignoreFailure() },
    OperatorCase("catch") { upstream, _ in upstream.catch { _ in Just(1) } },
    OperatorCase("tryCatch") { upstream, _ in upstream.tryCatch { _ in Just(1).setFailureType(to: Oops.self) } },
    OperatorCase("replaceError") { upstream, _ in upstream.replaceError(with: 1) },
    OperatorCase("retry") { upstream, _ in upstream.retry(1) },
    OperatorCase("retry(when:)") { upstream, _ in upstream.retry(when: { $0.setFailureType(to: Oops.self) }) },
    OperatorCase("retry(_:backoff:)") { upstream, _ in
      upstream.retry(1, backoff: .constant(.zero), scheduler: ImmediateScheduler.shared)
    },
  ]

  private static let timing: [OperatorCase] = [
    OperatorCase("measureInterval") { upstream, clock in upstream.measureInterval(using: clock) },
    OperatorCase("receive(on:)") { upstream, clock in upstream.receive(on: clock) },
    OperatorCase("receive(on:)") { upstream, clock in upstream.receive(on: clock, hops: .oneForAll) },
    OperatorCase("subscribe(on:)") { upstream, clock in upstream.subscribe(on: clock) },
    OperatorCase("delay") { upstream, clock in upstream.delay(for: 1, scheduler: clock) },
    OperatorCase("timeout") { upstream, clock in upstream.timeout(9, scheduler: clock) },
    OperatorCase("debounce") { upstream, clock in upstream.debounce(for: 1, scheduler: clock) },
    OperatorCase("throttle") { upstream, clock in upstream.throttle(for: 1, scheduler: clock, latest: true) },
    OperatorCase("collect(.byTime)") { upstream, clock in upstream.collect(.byTime(clock, 1)) },
    OperatorCase("collect(.byTimeOrCount)") { upstream, clock in upstream.collect(.byTimeOrCount(clock, 1, 3)) },
    OperatorCase("window(time:)") { upstream, clock in upstream.window(time: 1, scheduler: clock) },
    OperatorCase("groupBy") { upstream, _ in upstream.groupBy { $0 } },
  ]

  private static let sharing: [OperatorCase] = [
    OperatorCase("multicast") { upstream, _ in upstream.multicast { PassthroughSubject<Int, Oops>() }.autoconnect() },
    OperatorCase("makeConnectable") { upstream, _ in
      upstream.replaceError(with: 0).makeConnectable().autoconnect()
    },
    OperatorCase("share") { upstream, _ in upstream.share() },
    OperatorCase("share(replay:)") { upstream, _ in upstream.share(replay: 1) },
    OperatorCase("asDriver") { upstream, _ in upstream.asDriver(onErrorJustReturn: 0) },
    OperatorCase("asSignal") { upstream, _ in upstream.asSignal(onErrorJustReturn: 0) },
  ]

  private static let shaping: [OperatorCase] = [
    OperatorCase("buffer with .keepFull") { upstream, _ in
      upstream.buffer(size: 4, prefetch: .keepFull, whenFull: .dropOldest)
    },
    OperatorCase("buffer with .byRequest") { upstream, _ in
      upstream.buffer(size: 4, prefetch: .byRequest, whenFull: .dropOldest)
    },
    OperatorCase("onBackpressureBuffer") { upstream, _ in upstream.onBackpressureBuffer() },
    OperatorCase("onBackpressureDrop") { upstream, _ in upstream.onBackpressureDrop() },
    OperatorCase("onBackpressureLatest") { upstream, _ in upstream.onBackpressureLatest() },
    OperatorCase("limitRate") { upstream, _ in upstream.limitRate(4) },
    OperatorCase("zip(_:prefetch:)") { upstream, _ in
      upstream.zip((1...3).publisher.setFailureType(to: Oops.self), prefetch: 4)
    },
  ]
}

private final class Quiet: TextOutputStream {
  func write(_ string: String) {}
}
