import Weir
import WeirRx
import WeirTesting

extension Catalogue {
  static let completables = Family("Completable") {
    Diagram("Completable", "source.asCompletable()", in: "struct Completable") {
      let source = try $0.failing("-1-2-#")
      return source.asCompletable()
    }
    Diagram("asCompletable", ".asCompletable()", asking: true, in: "func asCompletable() -> Completable<Failure>") {
      try $0.numbers("-1-2-|").asCompletable()
    }
    Diagram("Completable.asMaybe", ".asMaybe(of: Int.self)") { try $0.completable("---|").asMaybe(of: Int.self) }
    Diagram("Completable.create", "Completable<Never>.create(listen)") {
      let listen = try $0.listener("---|", end: CompletableEvent<Never>.completed)
      return Completable<Never>.create(listen)
    }
    Diagram("Completable.empty", "Completable<Never>.empty()") { _ in Completable<Never>.empty() }
    Diagram("Completable.failure", "Completable<Oops>.failure(Oops())") { _ in Completable<Oops>.failure(Oops()) }
    Diagram("Completable.error", "Completable<Oops>.error(Oops())") { _ in Completable<Oops>.error(Oops()) }
    Diagram("Completable.never", "Completable<Never>.never()", cancel: 4) { _ in Completable<Never>.never() }
    Diagram("Completable.deferred", "Completable<Oops>.deferred { saved }") {
      let saved = try $0.completable("--|", as: "saved")
      try $0.subscribe(
        to: Completable<Oops>.deferred { saved }, as: "Completable<Oops>.deferred { saved }", at: 2)
    }
    Diagram("Completable.andThen", "saved.andThen(loaded)") {
      let saved = try $0.completable("---|", as: "saved"), loaded = try $0.completable("--|", as: "loaded")
      return saved.andThen(loaded)
    }
    Diagram("Completable.concat", "Completable.concat(a, b)") {
      let a = try $0.completable("---|", as: "a"), b = try $0.completable("--|", as: "b")
      return Completable.concat(a, b)
    }
    Diagram("Completable.zip", "Completable.zip(a, b)") {
      let a = try $0.completable("---|", as: "a"), b = try $0.completable("--|", as: "b")
      return Completable.zip(a, b)
    }
    Diagram("Completable.mapError", ".mapError { _ in URLMissing() }") {
      try $0.completable("---#").mapError { _ in URLMissing() }
    }
    Diagram("Completable.catch", ".catch { _ in other }") {
      let other = try $0.completable("--|", as: "other")
      return try $0.completable("---#").catch { _ in other }
    }
    Diagram("Completable.retry", ".retry(1)") { try $0.completable("--#", "---|").retry(1) }
    Diagram("Completable.delay", ".delay(for: 3, scheduler: clock)") { stage, clock in
      try stage.completable("--|").delay(for: 3, scheduler: clock)
    }
    Diagram("Completable.timeout", ".timeout(3, scheduler: clock, orFailWith: { Oops() })") { stage, clock in
      try stage.completable("-----|").timeout(3, scheduler: clock, orFailWith: { Oops() })
    }
    Diagram("Completable.receive", ".receive(on: clock)", in: "func receive<S: Scheduler>(") { stage, clock in
      try stage.completable("--|").receive(on: clock)
    }
  }
}
