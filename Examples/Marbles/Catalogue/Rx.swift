import Weir
import WeirRx
import WeirTesting

extension Catalogue {
  static let rxFiltering = Family("Filtering, Rx") {
    Diagram("distinct", ".distinct()", in: "func distinct()") { try $0.numbers("-1-2-1-3-2-|").distinct() }
    Diagram("sample", ".sample(trigger)") {
      let trigger = try $0.letters("---a-b--c-|", as: "trigger")
      return try $0.numbers("-1-2----3-|").sample(trigger)
    }
    Diagram("take(until:behavior:)", ".take(until: { $0 == 2 }, behavior: .inclusive)", in: "func take(") {
      try $0.numbers("-1-2-3-|").take(until: { $0 == 2 }, behavior: .inclusive)
    }
    Diagram("take(until:)", ".take(until: other)", in: "func take<P: Publisher>(until") {
      let other = try $0.letters("----a-|", as: "other")
      return try $0.numbers("-1-2-3-|").take(until: other)
    }
  }

  static let rxMapping = Family("Mapping, Rx") {
    Diagram("enumerated", ".enumerated()") { try $0.letters("-a-b-|").enumerated() }
    Diagram("pairwise", ".pairwise()") { try $0.letters("-a-b-c-|").pairwise() }
    Diagram("nwise", ".nwise(3)") { try $0.letters("-a-b-c-d-|").nwise(3) }
    Diagram("toggle", ".toggle()") {
      try $0.upstream("-t-f-|", as: "source", values: flags, error: Never?.none).toggle()
    }
    Diagram("materialize", ".materialize()") { try $0.failing("-1-2-#").materialize() }
    Diagram("dematerialize", ".dematerialize()") {
      let source = try $0.upstream("-1-2-x-|", as: "source", values: told, error: Never?.none)
      return source.dematerialize()
    }
    Diagram("partition", "source.partition { $0 % 2 == 0 }") { stage in
      let source = try stage.numbers("-1-2-3-4-|").share()
      let parts = source.partition { $0 % 2 == 0 }
      try stage.subscribe(to: parts.matches, as: "source.partition { $0 % 2 == 0 }")
      try stage.subscribe(to: parts.nonMatches, as: "nonMatches")
    }
  }

  static let rxFlattening = Family("Publishers of publishers, Rx") {
    Diagram("concatMap", ".concatMap { $0 == 1 ? a : b }", asking: true, in: "func concatMap<P: Publisher>(_") {
      let a = try $0.letters("-x-x--x|", as: "a"), b = try $0.letters("-y-y|", as: "b")
      return try $0.numbers("-1--2-|").concatMap { $0 == 1 ? a : b }
    }
    Diagram("flatMapLatest", ".flatMapLatest { $0 == 1 ? a : b }") {
      let a = try $0.letters("-x-x--x|", as: "a"), b = try $0.letters("-y-y|", as: "b")
      return try $0.numbers("-1--2-|").flatMapLatest { $0 == 1 ? a : b }
    }
    Diagram("flatMapFirst", ".flatMapFirst { $0 == 1 ? a : b }", in: "func flatMapFirst<P: Publisher>(_") {
      let a = try $0.letters("-x-x--x|", as: "a"), b = try $0.letters("-y-y|", as: "b")
      return try $0.numbers("-1--2-----2-|").flatMapFirst { $0 == 1 ? a : b }
    }
    Diagram("groupBy", ".groupBy { $0 % 2 == 0 ? even : odd }") { stage in
      let (even, odd) = ("e", "o")
      let groups = try stage.numbers("-1-2-3-4-|").groupBy { $0 % 2 == 0 ? even : odd }
      try stage.subscribe(to: groups, as: ".groupBy { $0 % 2 == 0 ? even : odd }") { group, _ in group.key }
    }
    Diagram("window(count:)", ".window(count: 2)", in: "func window(count") { stage in
      let windows = try stage.numbers("-1-2-3-4-5-|").window(count: 2)
      try stage.subscribe(to: windows, as: ".window(count: 2)") { _, index in "vwxyz".letter(index) }
    }
    Diagram("window(time:)", ".window(time: 4, scheduler: clock)", in: "func window<S: Scheduler>(") { stage in
      let clock = stage.clock
      let windows = try stage.numbers("-1-2-3-4-5-|").window(time: 4, scheduler: clock)
      try stage.subscribe(to: windows, as: ".window(time: 4, scheduler: clock)") { _, index in
        "vwxyz".letter(index)
      }
    }
  }

  static let rxCombining = Family("Combining, Rx") {
    Diagram("amb(with:)", ".amb(with: other)", in: "func amb<P: Publisher>") {
      let other = try $0.letters("-a--b-c-|", as: "other")
      return try $0.letters("--1-2-3-|").amb(with: other)
    }
    Diagram("amb", "[a, b, c].amb()", in: "func amb()") {
      let a = try $0.letters("--1-2-|", as: "a"), b = try $0.letters("-3-4-|", as: "b")
      let c = try $0.letters("---5-6-|", as: "c")
      return [a, b, c].amb()
    }
    Diagram("merge()", "[a, b, c].merge()", in: "func merge()") {
      let a = try $0.letters("-1---2-|", as: "a"), b = try $0.letters("--3--4-|", as: "b")
      let c = try $0.letters("---5-6-|", as: "c")
      return [a, b, c].merge()
    }
    Diagram("zip()", "[a, b, c].zip()", in: "func zip()") {
      let a = try $0.letters("-1---2-|", as: "a"), b = try $0.letters("--3--4-|", as: "b")
      let c = try $0.letters("---5---6-|", as: "c")
      return [a, b, c].zip()
    }
    Diagram("combineLatest()", "[a, b, c].combineLatest()", in: "func combineLatest()") {
      let a = try $0.letters("-1-----2-|", as: "a"), b = try $0.letters("--3------|", as: "b")
      let c = try $0.letters("---5-6---|", as: "c")
      return [a, b, c].combineLatest()
    }
    Diagram("withLatestFrom", ".withLatestFrom(other)", in: "func withLatestFrom<P: Publisher>(") {
      let other = try $0.letters("--a---b--|", as: "other")
      return try $0.numbers("-1-2-3--4-|").withLatestFrom(other)
    }
    Diagram(
      "zip(prefetch:)", ".zip(other, prefetch: 2)", asking: true,
      in: Declaration("func zip<P: Publisher>", file: "ZipPrefetching")
    ) {
      let other = try $0.letters("-----a-b-|", as: "other")
      return try $0.numbers("-1-2-3-4-|").zip(other, prefetch: 2)
    }
  }

  static let rxErrors = Family("Errors and repetition, Rx") {
    Diagram("ignoreFailure", ".ignoreFailure()") { try $0.failing("-1-2-#").ignoreFailure() }
    Diagram("repeated", ".repeated(2)", demand: "3----∞", in: "func repeated(_") { try $0.numbers("-1-2|").repeated(2) }
    Diagram(
      "retry(backoff:)", ".retry(2, backoff: .linear(.seconds(2)), scheduler: clock)",
      in: Declaration("func retry<S: Scheduler", file: "RetryBackoff")
    ) { stage, clock in
      try stage.failing("-1#").retry(2, backoff: .linear(.seconds(2)), scheduler: clock)
    }
    Diagram(
      "retry(when:)", ".retry(when: { $0.delay(for: 2, scheduler: clock) })", cancel: 9,
      in: Declaration("func retry<Notifier: Publisher>", file: "RetryWhen")
    ) { stage, clock in
      try stage.failing("-1#").retry(when: { $0.delay(for: 2, scheduler: clock) })
    }
    Diagram("using", "AnyPublisher<Int, Never>.using(resource) { _ in source }") { stage in
      let source = try stage.numbers("-1-2-|")
      let resource = stage.resource()
      let using = AnyPublisher<Int, Never>.using(resource) { _ in source }
      try stage.subscribe(to: using, as: "AnyPublisher<Int, Never>.using(resource) { _ in source }", at: 1)
    }
  }

  static let backpressure = Family("Back-pressure, Rx") {
    Diagram("onBackpressureBuffer", ".onBackpressureBuffer()", demand: "1-----2-1", in: "func onBackpressureBuffer()") {
      try $0.numbers("-1-2-3-4-|").onBackpressureBuffer()
    }
    Diagram(
      "onBackpressureBuffer(_:overflow:)", ".onBackpressureBuffer(1, overflow: .dropOldest)", demand: "1-----2-1",
      in: "func onBackpressureBuffer(_ size"
    ) {
      try $0.numbers("-1-2-3-4-|").onBackpressureBuffer(1, overflow: .dropOldest)
    }
    Diagram("onBackpressureDrop", ".onBackpressureDrop()", demand: "1-----2-1") {
      try $0.numbers("-1-2-3-4-|").onBackpressureDrop()
    }
    Diagram("onBackpressureLatest", ".onBackpressureLatest()", demand: "1-----2-1") {
      try $0.numbers("-1-2-3-4-|").onBackpressureLatest()
    }
    Diagram("limitRate", ".limitRate(3, lowTide: 2)", asking: true) {
      try $0.numbers("-1-2-3-4-5-|").limitRate(3, lowTide: 2)
    }
    Diagram(
      "create", "AnyPublisher<Int, Never>.create { body($0) }", demand: "1-----2-1",
      in: Declaration("func create", file: "Create")
    ) {
      let body = try $0.body("-1-2-3-4-|")
      return AnyPublisher<Int, Never>.create { body($0) }
    }
    Diagram(
      "BackpressureStrategy.bufferAll", "AnyPublisher<Int, Never>.create(.bufferAll, body)", demand: "1-----2-1",
      in: Declaration("case bufferAll", file: "BackpressureStrategy")
    ) {
      let body = try $0.body("-1-2-3-4-|")
      return AnyPublisher<Int, Never>.create(.bufferAll, body)
    }
    Diagram(
      "BackpressureStrategy.buffer", "AnyPublisher<Int, Never>.create(.buffer(size: 1, whenFull: .dropNewest), body)",
      demand: "1-----2-1", in: Declaration("case buffer", file: "BackpressureStrategy")
    ) {
      let body = try $0.body("-1-2-3-4-|")
      return AnyPublisher<Int, Never>.create(.buffer(size: 1, whenFull: .dropNewest), body)
    }
    Diagram(
      "BackpressureStrategy.drop", "AnyPublisher<Int, Never>.create(.drop, body)", demand: "1-----2-1",
      in: Declaration("case drop", file: "BackpressureStrategy")
    ) {
      let body = try $0.body("-1-2-3-4-|")
      return AnyPublisher<Int, Never>.create(.drop, body)
    }
    Diagram(
      "BackpressureStrategy.latest", "AnyPublisher<Int, Never>.create(.latest, body)", demand: "1-----2-1",
      in: Declaration("case latest", file: "BackpressureStrategy")
    ) {
      let body = try $0.body("-1-2-3-4-|")
      return AnyPublisher<Int, Never>.create(.latest, body)
    }
  }
}
