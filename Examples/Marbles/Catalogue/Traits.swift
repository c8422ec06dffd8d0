import Weir
import WeirDispatch
import WeirRx
import WeirTesting

extension Catalogue {
  static let traits = Family("Single, Maybe, Completable") {
    Diagram("Single", ".asSingle()", in: "struct Single") { try $0.failing("---1-|").asSingle() }
    Diagram("asSingle", ".prefix(2).asSingle()", in: "func asSingle() -> Single<Output, any Error>") {
      try $0.failing("-1-2-|").prefix(2).asSingle()
    }
    Diagram("Maybe", "source.asMaybe()", in: "struct Maybe") {
      let source = try $0.numbers("----|")
      return source.asMaybe()
    }
    Diagram("asMaybe", ".asMaybe()", in: "func asMaybe() -> Maybe<Output, any Error>") {
      try $0.failing("-1---|").asMaybe()
    }
    Diagram("Completable", "source.asCompletable()", in: "struct Completable") {
      let source = try $0.failing("-1-2-#")
      return source.asCompletable()
    }
    Diagram("asCompletable", ".asCompletable()", asking: true, in: "func asCompletable() -> Completable<Failure>") {
      try $0.numbers("-1-2-|").asCompletable()
    }
    Diagram("asPublisher", "single.asPublisher()", in: Declaration("func asPublisher()", file: "Single")) {
      let single = try $0.numbers("-1-|", as: "single").asSingle()
      return single.asPublisher()
    }
    Diagram("Single.create", "Single<Int, Never>.create(listen)", in: Declaration("func create", file: "Single")) {
      stage in
      let answer = Answer()
      func listen(_ tell: @escaping (SingleEvent<Int, Never>) -> Void) -> any Cancellable {
        answer.tell = { tell(.success($0)) }
        return AnyCancellable {}
      }
      try stage.send("---7", as: "tell") { answer.tell(Int($0) ?? 0) }
      try stage.subscribe(to: Single<Int, Never>.create(listen), as: "Single<Int, Never>.create(listen)")
    }
    Diagram("Single.just", "Single<Int, Never>.just(1)", in: Declaration("func just", file: "Single")) { _ in
      Single<Int, Never>.just(1)
    }
    Diagram("Maybe.empty", "Maybe<Int, Never>.empty()", in: Declaration("func empty", file: "Maybe")) { _ in
      Maybe<Int, Never>.empty()
    }
    Diagram("Single.failure", "Single<Int, Oops>.failure(Oops())", in: Declaration("func failure", file: "Single")) {
      _ in
      Single<Int, Oops>.failure(Oops())
    }
    Diagram("Completable.error", "Completable<Oops>.error(Oops())", in: Declaration("func error", file: "Completable"))
    { _ in
      Completable<Oops>.error(Oops())
    }
    Diagram("Maybe.never", "Maybe<Int, Never>.never()", cancel: 4, in: Declaration("func never", file: "Maybe")) { _ in
      Maybe<Int, Never>.never()
    }
    Diagram(
      "Single.deferred", "Single<Int, Never>.deferred { single }", in: Declaration("func deferred", file: "Single")
    ) {
      stage in
      let single = try stage.numbers("-1-|", as: "single").asSingle(orFailWith: { fatalError("\($0)") })
      let deferred = Single<Int, Never>.deferred { single }
      try stage.subscribe(to: deferred, as: "Single<Int, Never>.deferred { single }", at: 2)
    }
    Diagram("andThen", "saved.andThen(loaded)", in: "func andThen(_ next: Completable)") {
      let saved = try $0.failing("---|", as: "saved").asCompletable()
      let loaded = try $0.failing("--|", as: "loaded").asCompletable()
      return saved.andThen(loaded)
    }
    Diagram("concat", "Completable.concat(a, b)", in: "func concat(_ parts: Completable...)") {
      let a = try $0.failing("---|", as: "a").asCompletable(), b = try $0.failing("--|", as: "b").asCompletable()
      return Completable.concat(a, b)
    }
    Diagram("zip(completables)", "Completable.zip(a, b)", in: "func zip(_ parts: Completable...)") {
      let a = try $0.failing("---|", as: "a").asCompletable(), b = try $0.failing("--|", as: "b").asCompletable()
      return Completable.zip(a, b)
    }
    Diagram("flatMapMaybe", "single.flatMapMaybe { _ in maybe }") {
      let single = try $0.failing("-1|", as: "single").asSingle(orFailWith: { _ in Oops() })
      let maybe = try $0.failing("---|", as: "maybe").asMaybe(orFailWith: { _ in Oops() })
      return single.flatMapMaybe { _ in maybe }
    }
    Diagram(
      "flatMapCompletable", "single.flatMapCompletable { _ in saved }",
      in: Declaration("func flatMapCompletable", file: "Single")
    ) {
      let single = try $0.failing("-1|", as: "single").asSingle(orFailWith: { _ in Oops() })
      let saved = try $0.failing("---|", as: "saved").asCompletable()
      return single.flatMapCompletable { _ in saved }
    }
    Diagram("catchAndReturn", "single.catchAndReturn(0)", in: Declaration("func catchAndReturn", file: "Single")) {
      let single = try $0.failing("---#", as: "single").asSingle(orFailWith: { _ in Oops() })
      return single.catchAndReturn(0)
    }
    Diagram("ifEmpty", "maybe.ifEmpty(default: 0)", in: "func ifEmpty(default") {
      let maybe = try $0.failing("---|", as: "maybe").asMaybe(orFailWith: { _ in Oops() })
      return maybe.ifEmpty(default: 0)
    }
  }

  static let drivers = Family("Driver and Signal") {
    Diagram("Driver", "source.asDriver()", in: "typealias Driver") { stage in
      let source = try stage.letters("-a-b-c-d-|")
      let driver = SharingScheduler.mock(scheduler: stage.clock) { source.asDriver() }
      try stage.subscribe(to: driver, as: "source.asDriver()", demand: "1----1")
      try stage.subscribe(to: driver, as: "later", at: 4)
    }
    Diagram("Signal", "source.asSignal()", in: "typealias Signal") { stage in
      let source = try stage.letters("-a-b-c-d-|")
      let signal = SharingScheduler.mock(scheduler: stage.clock) { source.asSignal() }
      try stage.subscribe(to: signal, as: "source.asSignal()", demand: "1----1")
      try stage.subscribe(to: signal, as: "later", at: 4)
    }
    Diagram("asDriver", ".asDriver(onErrorJustReturn: 0)", in: "func asDriver(onErrorJustReturn") { stage, clock in
      let source = try stage.failing("-1-2-#")
      return SharingScheduler.mock(scheduler: clock) { source.asDriver(onErrorJustReturn: 0) }
    }
    Diagram("asSignal", ".asSignal(onErrorJustReturn: 0)", in: "func asSignal(onErrorJustReturn") { stage, clock in
      let source = try stage.failing("-1-2-#")
      return SharingScheduler.mock(scheduler: clock) { source.asSignal(onErrorJustReturn: 0) }
    }
    Diagram("Driver.of", "Driver.of(1, 2, 3)", demand: "1--∞", in: "func of(") { _, clock in
      SharingScheduler.mock(scheduler: clock) { Driver.of(1, 2, 3) }
    }
    Diagram("Signal.from", "Signal.from(1...3)", in: "func from(_ elements") { _, clock in
      SharingScheduler.mock(scheduler: clock) { Signal.from(1...3) }
    }
    Diagram("Signal.interval", "Signal<Int>.interval(2)", frames: 7, in: "func interval(") { _, clock in
      SharingScheduler.mock(scheduler: clock) { Signal<Int>.interval(2) }
    }
    Diagram("Signal.timer", "Signal<Int>.timer(1, period: 3)", frames: 8, in: "func timer(") { _, clock in
      SharingScheduler.mock(scheduler: clock) { Signal<Int>.timer(1, period: 3) }
    }
    Diagram("startWith", "driver.startWith(0)") { stage, clock in
      let source = try stage.numbers("-1-2-|", as: "driver")
      let driver = SharingScheduler.mock(scheduler: clock) { source.asDriver() }
      return driver.startWith(0)
    }
    Diagram("distinctUntilChanged", "driver.distinctUntilChanged()", in: "func distinctUntilChanged()") {
      stage, clock in
      let source = try stage.numbers("-1-1-2-1-|", as: "driver")
      let driver = SharingScheduler.mock(scheduler: clock) { source.asDriver() }
      return driver.distinctUntilChanged()
    }
    Diagram("do", "driver.do(onNext: { log($0) })", in: "func `do`(") { stage, clock in
      let source = try stage.letters("-a-b-|", as: "driver")
      let driver = SharingScheduler.mock(scheduler: clock) { source.asDriver() }
      return driver.do(onNext: { log($0) })
    }
  }
}

/// Where a closure leaves what it tells.
final class Answer {
  var tell: (Int) -> Void = { _ in }
}
