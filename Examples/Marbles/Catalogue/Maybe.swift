import Weir
import WeirRx
import WeirTesting

extension Catalogue {
  static let maybes = Family("Maybe") {
    Diagram("Maybe", "source.asMaybe()", in: "struct Maybe") {
      let source = try $0.numbers("----|")
      return source.asMaybe()
    }
    Diagram("asMaybe", ".asMaybe()", in: "func asMaybe() -> Maybe<Output, any Error>") {
      try $0.failing("-1---|").asMaybe()
    }
    Diagram("Maybe.create", "Maybe<Int, Never>.create(listen)") {
      let listen = try $0.listener("---|", end: MaybeEvent<Int, Never>.completed)
      return Maybe<Int, Never>.create(listen)
    }
    Diagram("Maybe.just", "Maybe<Int, Never>.just(1)") { _ in Maybe<Int, Never>.just(1) }
    Diagram("Maybe.empty", "Maybe<Int, Never>.empty()") { _ in Maybe<Int, Never>.empty() }
    Diagram("Maybe.failure", "Maybe<Int, Oops>.failure(Oops())") { _ in Maybe<Int, Oops>.failure(Oops()) }
    Diagram("Maybe.error", "Maybe<Int, Oops>.error(Oops())") { _ in Maybe<Int, Oops>.error(Oops()) }
    Diagram("Maybe.never", "Maybe<Int, Never>.never()", cancel: 4) { _ in Maybe<Int, Never>.never() }
    Diagram("Maybe.deferred", "Maybe<Int, Oops>.deferred { maybe }") {
      let maybe = try $0.maybe("--|")
      try $0.subscribe(to: Maybe<Int, Oops>.deferred { maybe }, as: "Maybe<Int, Oops>.deferred { maybe }", at: 2)
    }
    Diagram("Maybe.map", ".map { $0 * 10 }") { try $0.maybe("--(1|)").map { $0 * 10 } }
    Diagram("Maybe.compactMap", ".compactMap { Int($0) }") {
      try $0.maybe("--(a|)", of: String.self).compactMap { Int($0) }
    }
    Diagram("Maybe.filter", ".filter { $0 % 2 == 0 }") { try $0.maybe("--(1|)").filter { $0 % 2 == 0 } }
    Diagram("Maybe.flatMap", ".flatMap { _ in other }") {
      let other = try $0.maybe("---(a|)", as: "other", of: String.self)
      return try $0.maybe("--(1|)").flatMap { _ in other }
    }
    Diagram("Maybe.flatMapCompletable", ".flatMapCompletable { _ in saved }") {
      let saved = try $0.completable("---|", as: "saved")
      return try $0.maybe("--(1|)").flatMapCompletable { _ in saved }
    }
    Diagram("Maybe.catchAndReturn", ".catchAndReturn(0)") { try $0.maybe("---#").catchAndReturn(0) }
    Diagram("Maybe.ifEmpty", ".ifEmpty(default: 0)") { try $0.maybe("---|").ifEmpty(default: 0) }
    Diagram("Maybe.mapError", ".mapError { _ in URLMissing() }") {
      try $0.maybe("---#").mapError { _ in URLMissing() }
    }
    Diagram("Maybe.catch", ".catch { _ in other }") {
      let other = try $0.maybe("--|", as: "other")
      return try $0.maybe("---#").catch { _ in other }
    }
    Diagram("Maybe.retry", ".retry(1)") { try $0.maybe("--#", "---|").retry(1) }
    Diagram("Maybe.delay", ".delay(for: 3, scheduler: clock)") { stage, clock in
      try stage.maybe("--|").delay(for: 3, scheduler: clock)
    }
    Diagram("Maybe.timeout", ".timeout(3, scheduler: clock, orFailWith: { Oops() })") { stage, clock in
      try stage.maybe("-----|").timeout(3, scheduler: clock, orFailWith: { Oops() })
    }
    Diagram("Maybe.receive", ".receive(on: clock)", in: "func receive<S: Scheduler>(") { stage, clock in
      try stage.maybe("--(1|)").receive(on: clock)
    }
    Diagram("Maybe.zip", "Maybe.zip(a, b)") {
      let a = try $0.maybe("----(1|)", as: "a"), b = try $0.maybe("--|", as: "b", of: String.self)
      return Maybe.zip(a, b)
    }
  }
}
