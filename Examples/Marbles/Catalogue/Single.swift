import Weir
import WeirRx
import WeirTesting

extension Catalogue {
  static let singles = Family("Single") {
    Diagram("Single", ".asSingle()", in: "struct Single") { try $0.failing("---1-|").asSingle() }
    Diagram("asSingle", ".prefix(2).asSingle()", in: "func asSingle() -> Single<Output, any Error>") {
      try $0.failing("-1-2-|").prefix(2).asSingle()
    }
    Diagram("Future.asSingle", "future.asSingle()") {
      var promise: Future<Int, Never>.Promise?
      let future: Future<Int, Never> = Future { promise = $0 }
      try $0.send("---7", as: "promise") { promise?(.success(Int($0) ?? 0)) }
      return future.asSingle()
    }
    Diagram("Single.asMaybe", ".asMaybe()") { try $0.single("--(1|)").asMaybe() }
    Diagram("Single.asPublisher", ".asPublisher()") { try $0.single("--(1|)").asPublisher() }
    Diagram("Single.create", "Single<Int, Never>.create(listen)") {
      let listen = try $0.listener("---7", value: SingleEvent<Int, Never>.success(7))
      return Single<Int, Never>.create(listen)
    }
    Diagram("Single.just", "Single<Int, Never>.just(1)") { _ in Single<Int, Never>.just(1) }
    Diagram("Single.failure", "Single<Int, Oops>.failure(Oops())") { _ in Single<Int, Oops>.failure(Oops()) }
    Diagram("Single.error", "Single<Int, Oops>.error(Oops())") { _ in Single<Int, Oops>.error(Oops()) }
    Diagram("Single.never", "Single<Int, Never>.never()", cancel: 4) { _ in Single<Int, Never>.never() }
    Diagram("Single.deferred", "Single<Int, Oops>.deferred { single }") {
      let single = try $0.single("--(1|)")
      try $0.subscribe(
        to: Single<Int, Oops>.deferred { single }, as: "Single<Int, Oops>.deferred { single }", at: 2)
    }
    Diagram("Single.map", ".map { $0 * 10 }") { try $0.single("--(1|)").map { $0 * 10 } }
    Diagram("Single.compactMap", ".compactMap { Int($0) }") {
      try $0.single("--(a|)", of: String.self).compactMap { Int($0) }
    }
    Diagram("Single.filter", ".filter { $0 % 2 == 0 }") { try $0.single("--(1|)").filter { $0 % 2 == 0 } }
    Diagram("Single.flatMap", ".flatMap { _ in other }") {
      let other = try $0.single("---(a|)", as: "other", of: String.self)
      return try $0.single("--(1|)").flatMap { _ in other }
    }
    Diagram("Single.flatMapMaybe", ".flatMapMaybe { _ in other }") {
      let other = try $0.maybe("---|", as: "other")
      return try $0.single("--(1|)").flatMapMaybe { _ in other }
    }
    Diagram("Single.flatMapCompletable", ".flatMapCompletable { _ in saved }") {
      let saved = try $0.completable("---|", as: "saved")
      return try $0.single("--(1|)").flatMapCompletable { _ in saved }
    }
    Diagram("Single.catchAndReturn", ".catchAndReturn(0)") { try $0.single("---#").catchAndReturn(0) }
    Diagram("Single.mapError", ".mapError { _ in URLMissing() }") {
      try $0.single("---#").mapError { _ in URLMissing() }
    }
    Diagram("Single.catch", ".catch { _ in other }") {
      let other = try $0.single("--(8|)", as: "other")
      return try $0.single("---#").catch { _ in other }
    }
    Diagram("Single.retry", ".retry(1)") { try $0.single("--#", "---(1|)").retry(1) }
    Diagram("Single.delay", ".delay(for: 3, scheduler: clock)") { stage, clock in
      try stage.single("--(1|)").delay(for: 3, scheduler: clock)
    }
    Diagram("Single.timeout", ".timeout(3, scheduler: clock, orFailWith: { Oops() })") { stage, clock in
      try stage.single("-----(1|)").timeout(3, scheduler: clock, orFailWith: { Oops() })
    }
    Diagram("Single.receive", ".receive(on: clock)", in: "func receive<S: Scheduler>(") { stage, clock in
      try stage.single("--(1|)").receive(on: clock)
    }
    Diagram("Single.zip", "Single.zip(a, b)") {
      let a = try $0.single("----(1|)", as: "a"), b = try $0.single("--(x|)", as: "b", of: String.self)
      return Single.zip(a, b)
    }
  }
}
