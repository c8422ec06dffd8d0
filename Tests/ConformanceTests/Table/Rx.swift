import Weir
import WeirRx
import WeirTesting

extension Table {
  static let rx: [Row] = rxOperators + rxSources

  private static var none: Empty<Int, UpstreamFailure> { Empty() }
  private static var never: Empty<Int, UpstreamFailure> { Empty(completeImmediately: false) }
  private static var sevens: AnyPublisher<Int, UpstreamFailure> {
    repeatElement(7, count: 1000).lazy.map { $0 }.publisher.setFailureType(to: UpstreamFailure.self)
      .eraseToAnyPublisher()
  }

  private static let rxOperators: [Row] = [
    .op("Amb") { $0.amb(with: never) },
    .op("Amb", "second") { never.amb(with: $0) },
    .op("AmbMany") { [$0].amb() },
    .op("ZipMany") { [$0].zip() },
    .op("CombineLatestMany") { [$0].combineLatest() },
    .op("WithLatestFrom", "", .dropsValues) { $0.withLatestFrom(sevens.prefix(1)) },
    .op("Sample", "upstream", [.dropsValues, .outlivesUpstream, .waits]) { $0.sample(never) },
    .op("Sample", "trigger", [.dropsValues, .waits]) {
      Just(7).setFailureType(to: UpstreamFailure.self).append(never).sample($0)
    },
    .op("TakeUntil", "", .endsEarly) { $0.take(until: { $0 == 3 }) },
    .op("Pairwise") { $0.pairwise() },
    .op("Nwise") { $0.nwise(3) },
    .op("Enumerated") { $0.enumerated() },
    .op("Distinct") { $0.distinct { $0 / 2 } },
    .op("Repeated", "", [.outlivesUpstream]) { $0.repeated(2) },
    .op("RetryWhen", "", .recovers) { $0.retry { $0.prefix(1) } },
    .op("Materialize", "", [.recovers, .holdsValues]) { $0.materialize() },
    .op("Dematerialize", "", [.recovers, .holdsValues]) { $0.materialize().dematerialize() },
    .op("Using", "", .passesEarlyEvents) { upstream in
      Publishers.Using({ AnyCancellable {} }, { _ in upstream })
    },
    .op("GroupBy", "", [.holdsValues, .holdsFailure]) {
      // The groups are kept: one that is dropped would begin anew.
      $0.groupBy { $0 % 2 }.scan([GroupedPublisher<Int, Int, UpstreamFailure>]()) { $0 + [$1] }
        .map { $0.map(\.key) }
    },
    .op("GroupedPublisher", "", .holdsValues) { $0.groupBy { _ in 0 }.flatMap { $0 } },
    .op("WindowByCount") { $0.window(count: 2).map { _ in 1 } },
    .timed("WindowByTime", "", [.holdsValues, .holdsFailure, .dependsOnTiming]) {
      $0.window(time: 1, scheduler: $1).map { _ in 1 }
    },
    .op("FlatMapFirst", "", [.dropsValues, .holdsValues]) { $0.flatMapFirst { Just($0) } }
      .excusing(
        "2.8", because: "the filter before it has no state, so it returns demand for a late value that it drops"),
    .op("LimitRate", "", [.holdsValues, .holdsFailure]) { $0.limitRate(4) },
    .op("OnBackpressure", "buffer", [.holdsValues, .holdsFailure]) { $0.onBackpressureBuffer() },
    .op("OnBackpressure", "drop", .dropsValues) { $0.onBackpressureDrop() },
    .op("OnBackpressure", "latest", [.dropsValues, .holdsValues, .holdsFailure]) { $0.onBackpressureLatest() },
    .op("ShareReplay", "", [.isShared, .dropsValues, .holdsValues, .holdsFailure]) { $0.share(replay: 1) },
    .op("Single", "", [.endsEarly, .failsByItself, .holdsValues]) { $0.asSingle() },
    .op("Maybe", "", [.endsEarly, .failsByItself, .holdsValues]) { $0.asMaybe() },
    .op("Completable", "", .passesSubscriptionOn) { $0.asCompletable() },
  ]

  private static let rxSources: [Row] = [
    .timed("SharedSequence", "driver", [.recovers, .isShared, .dropsValues, .holdsValues]) { upstream, scheduler in
      SharingScheduler.mock(scheduler: scheduler) { upstream.asDriver(onErrorJustReturn: 0) }
    },
    .timed("SharedSequence", "signal", [.recovers, .isShared, .dropsValues, .holdsValues]) { upstream, scheduler in
      SharingScheduler.mock(scheduler: scheduler) { upstream.asSignal(onErrorJustReturn: 0) }
    },
    .source("Create", "", []) {
      AnyPublisher<Int, Never>.create { emitter in
        for value in 1...3 { emitter.send(value) }
        emitter.send(completion: .finished)
        return AnyCancellable {}
      }
    },
  ]
}
