import Weir
import WeirRx
import WeirTesting

extension Table {
  static let rx: [Row] = rxOperators + rxSources

  private static var none: Empty<Value, UpstreamFailure> { Empty() }
  private static var never: Empty<Value, UpstreamFailure> { Empty(completeImmediately: false) }
  private static var sevens: AnyPublisher<Value, UpstreamFailure> {
    repeatElement(Value(7), count: 1000).lazy.map { $0 }.publisher.setFailureType(to: UpstreamFailure.self)
      .eraseToAnyPublisher()
  }

  private static let releasesFirst = "the resource is released before the completion, which a cancel doesn't stop then"
  private static let rxOperators: [Row] = [
    .op("Amb") { $0.amb(with: never) },
    .op("Amb", "second") { never.amb(with: $0) },
    .op("AnyPublisher", "zip(_:prefetch:)", [.endsEarly, .holdsValues]) { $0.zip(sevens, prefetch: 2) },
    .op("AnyPublisher", "zip(_:prefetch:), second", [.endsEarly, .holdsValues]) { sevens.zip($0, prefetch: 2) },
    .op("FlatMap", "concatMap", .holdsValues) { $0.concatMap(user { [$0, $0 * 10].lazy.publisher }) },
    .op("FlatMapLatest", "", [.dropsValues, .holdsValues]) { $0.flatMapLatest(user { Just($0) }) },
    .op("FlatMap", "concatMap, on threads", .holdsValues) {
      $0.concatMap(user { SuccessorPublisher([$0]) })
    },
    .op("Catch", "ignoreFailure", .recovers) { $0.ignoreFailure() },
    .op("Map", "toggle", .passesSubscriptionOn) { $0.map { $0 > 1 }.toggle() }.nesting("C15", "C16"),
    .op("Filter", "partition, matches", .passesSubscriptionOn) { $0.partition(user { $0 > 1 }).matches }.nesting("C15"),
    .op("Filter", "partition, the others", .passesSubscriptionOn) { $0.partition(user { $0 > 1 }).nonMatches }
      .nesting("C15", "C16"),
    .op("AmbMany") { [$0].amb() },
    .op("ZipMany") { [$0].zip() },
    .op("CombineLatestMany") { [$0].combineLatest() },
    .op("WithLatestFrom", "", .dropsValues) { $0.withLatestFrom(sevens.prefix(1)) },
    .op("Sample", "upstream", [.dropsValues, .outlivesUpstream, .waits]) { $0.sample(never) },
    .op("Sample", "trigger", [.dropsValues, .waits]) {
      Just(7).setFailureType(to: UpstreamFailure.self).append(never).sample($0)
    },
    .op("TakeUntil", "", .endsEarly) { $0.take(until: user { $0 == 3 }) },
    .op("PrefixUntilOutput", "take(until:)") { $0.take(until: Empty<Value, Never>(completeImmediately: false)) },
    .op("Pairwise") { $0.pairwise() },
    .op("Nwise") { $0.nwise(3) },
    .op("Enumerated") { $0.enumerated() },
    .op("Distinct") { $0.distinct() },
    .op("Distinct", "distinct(by:)") { $0.distinct(by: user { $0 / 2 }) },
    .op("Repeated", "", [.outlivesUpstream]) { $0.repeated(2) },
    .op("RetryWhen", "retry(when:)", .recovers) { $0.retry(when: user { $0.prefix(1) }) },
    .timed("RetryWhen", "retry(_:backoff:scheduler:)", .recovers) {
      $0.retry(1, backoff: .constant(.seconds(1)), scheduler: $1)
    },
    .op("Materialize", "", [.recovers, .holdsValues]) { $0.materialize() },
    .op("Dematerialize", "", [.recovers, .holdsValues]) { $0.materialize().dematerialize() },
    .op("Using", "", .passesEarlyEvents) { upstream in
      Publishers.Using(user { AnyCancellable(user {}) }, user { _ in upstream })
    }
    .excusing("C15", because: releasesFirst).excusing("C16", because: releasesFirst),
    .op("GroupBy", "", [.holdsValues, .holdsFailure]) {
      // Retains the groups, because a released group would start again.
      $0.groupBy(user { $0 % 2 }).scan([GroupedPublisher<Value, Value, UpstreamFailure>]()) { $0 + [$1] }
        .map { $0.map(\.key) }
    },
    .op("GroupedPublisher", "", .holdsValues) { $0.groupBy(user { _ in 0 }).flatMap { $0 } },
    .op("WindowByCount") { $0.window(count: 2).map { _ in 1 } },
    .timed("WindowByTime", "", [.holdsValues, .holdsFailure, .dependsOnTiming]) {
      $0.window(time: 1, scheduler: $1).map { _ in 1 }
    },
    .op("FlatMapFirst", "", [.dropsValues, .holdsValues]) { $0.flatMapFirst(user { Just($0) }) }
      .excusing(
        "2.8", because: "the filter before it has no state, so it returns demand for a late value that it drops",
        inScriptsOf: 4
      )
      .excusing("C15", because: "it drops a value that is sent while a publisher is made or runs"),
    .op("LimitRate", "", [.holdsValues, .holdsFailure, .holdsAtMost(4)]) { $0.limitRate(4) },
    .op("OnBackpressure", "onBackpressureBuffer", [.holdsValues, .holdsFailure]) { $0.onBackpressureBuffer() },
    .op(
      "OnBackpressure", "onBackpressureBuffer(_:overflow:)",
      [.dropsValues, .holdsValues, .holdsFailure, .holdsAtMost(1)]
    ) {
      $0.onBackpressureBuffer(1, overflow: .dropOldest, onOverflow: user { _ in })
    },
    .op("OnBackpressure", "onBackpressureDrop", [.dropsValues, .holdsAtMost(0)]) {
      $0.onBackpressureDrop(user { _ in })
    },
    .op("OnBackpressure", "onBackpressureLatest", [.dropsValues, .holdsValues, .holdsFailure, .holdsAtMost(1)]) {
      $0.onBackpressureLatest()
    },
    .op("ShareReplay", "", [.isShared, .dropsValues, .holdsValues, .holdsFailure]) {
      $0.share(replay: 1)
    },
    .op("Single", "asSingle", [.endsEarly, .failsByItself, .holdsValues]) { $0.asSingle() },
    .op("Single", "asSingle(orFailWith:)", [.endsEarly, .failsByItself, .holdsValues]) {
      $0.asSingle(orFailWith: user { _ in UpstreamFailure() })
    },
    .op("Maybe", "asMaybe", [.endsEarly, .failsByItself, .holdsValues]) { $0.asMaybe() },
    .op("Maybe", "asMaybe(orFailWith:)", [.endsEarly, .failsByItself, .holdsValues]) {
      $0.asMaybe(orFailWith: user { _ in UpstreamFailure() })
    },
    .op("Completable", "", .passesSubscriptionOn) { $0.asCompletable() },
  ]

  private static func shared<Kind: SharingStrategy & SendableMetatype>(
    _ use: String, of make: @escaping @Sendable (ValueUpstream) -> SharedSequence<Kind, Value>
  ) -> Row {
    .timed("SharedSequence", use, [.recovers, .isShared, .dropsValues, .holdsValues]) { upstream, scheduler in
      SharingScheduler.mock(scheduler: scheduler) { make(upstream) }
    }
  }

  private static let rxSources: [Row] = [
    shared("asDriver") { upstream in upstream.replaceError(with: 0).asDriver() },
    shared("asDriver(onErrorJustReturn:)") { upstream in upstream.asDriver(onErrorJustReturn: 0) },
    shared("asDriver(onErrorDriveWith:)") { upstream in upstream.asDriver(onErrorDriveWith: .just(0)) },
    shared("asDriver(onErrorRecover:)") { upstream in upstream.asDriver(onErrorRecover: user { _ in .just(0) }) },
    shared("asSignal") { upstream in upstream.replaceError(with: 0).asSignal() },
    shared("asSignal(onErrorJustReturn:)") { upstream in upstream.asSignal(onErrorJustReturn: 0) },
    shared("asSignal(onErrorSignalWith:)") { upstream in upstream.asSignal(onErrorSignalWith: .just(0)) },
    shared("asSignal(onErrorRecover:)") { upstream in upstream.asSignal(onErrorRecover: user { _ in .just(0) }) },
    .source("Create", "", []) {
      AnyPublisher<Value, Never>.create { emitter in
        for value in 1...3 { emitter.send(Value(value)) }
        emitter.send(completion: .finished)
        return AnyCancellable(user {})
      }
    },
  ]
}
