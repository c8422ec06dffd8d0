import Weir
import WeirDispatch
import WeirRx
import WeirTesting

extension Catalogue {
  static let sharedSequences = Family("Driver and Signal") {
    Diagram("Driver", "source.asDriver()", in: "typealias Driver") {
      let source = try $0.letters("-a-b-c-d-|")
      let driver = source.asDriver()
      try $0.subscribe(to: driver, as: "source.asDriver()", demand: "1----1")
      try $0.subscribe(to: driver, as: "later", at: 4)
    }
    Diagram("Signal", "source.asSignal()", in: "typealias Signal") {
      let source = try $0.letters("-a-b-c-d-|")
      let signal = source.asSignal()
      try $0.subscribe(to: signal, as: "source.asSignal()", demand: "1----1")
      try $0.subscribe(to: signal, as: "later", at: 4)
    }
    Diagram("DriverSharing.share", "DriverSharing.share(source)") {
      let source = try $0.letters("-a-b-c-|")
      let shared = DriverSharing.share(source)
      try $0.subscribe(to: shared, as: "DriverSharing.share(source)")
      try $0.subscribe(to: shared, as: "later", at: 4)
    }
    Diagram("SignalSharing.share", "SignalSharing.share(source)") {
      let source = try $0.letters("-a-b-c-|")
      let shared = SignalSharing.share(source)
      try $0.subscribe(to: shared, as: "SignalSharing.share(source)")
      try $0.subscribe(to: shared, as: "later", at: 4)
    }
    Diagram("asDriver", ".asDriver(onErrorJustReturn: 0)", in: "func asDriver(onErrorJustReturn") {
      try $0.failing("-1-2-#").asDriver(onErrorJustReturn: 0)
    }
    Diagram("asSignal", ".asSignal(onErrorJustReturn: 0)", in: "func asSignal(onErrorJustReturn") {
      try $0.failing("-1-2-#").asSignal(onErrorJustReturn: 0)
    }
    Diagram("Signal.asDriver", ".asDriver()") {
      let driver = try $0.signal("-a-b-c-|", of: String.self).asDriver()
      try $0.subscribe(to: driver, as: ".asDriver()")
      try $0.subscribe(to: driver, as: "later", at: 4)
    }
    Diagram("Driver.asSignal", "driver.asSignal()") {
      let driver = try $0.driver("-a-b-c-d-|", of: String.self)
      let signal = driver.asSignal()
      try $0.subscribe(to: driver, as: "elsewhere")
      try $0.subscribe(to: signal, as: "driver.asSignal()", at: 2)
      try $0.subscribe(to: signal, as: "later", at: 4)
    }
    Diagram("Driver.just", "Driver.just(1)") { _ in Driver.just(1) }
    Diagram("Driver.empty", "Driver<Int>.empty()") { _ in Driver<Int>.empty() }
    Diagram("Driver.never", "Driver<Int>.never()", cancel: 4) { _ in Driver<Int>.never() }
    Diagram("Driver.of", "Driver.of(1, 2, 3)", demand: "1--∞") { _ in Driver.of(1, 2, 3) }
    Diagram("Signal.from", "Signal.from(1...3)") { _ in Signal.from(1...3) }
    Diagram("Driver.deferred", "Driver.deferred { driver }") {
      let driver = try $0.driver("-1-2-|")
      try $0.subscribe(to: Driver.deferred { driver }, as: "Driver.deferred { driver }", at: 2)
    }
    Diagram("Signal.interval", "Signal<Int>.interval(2)", frames: 7) { _ in Signal<Int>.interval(2) }
    Diagram("Signal.timer", "Signal<Int>.timer(1, period: 3)", frames: 8) { _ in Signal<Int>.timer(1, period: 3) }
    Diagram("Driver.map", ".map { $0 * 10 }") { try $0.driver("-1-2-3-|").map { $0 * 10 } }
    Diagram("Driver.compactMap", ".compactMap { Int($0) }") {
      try $0.driver("-1-a-3-|", of: String.self).compactMap { Int($0) }
    }
    Diagram("Driver.filter", ".filter { $0 % 2 == 0 }") { try $0.driver("-1-2-3-4-|").filter { $0 % 2 == 0 } }
    Diagram("Driver.scan", ".scan(0, +)") { try $0.driver("-1-2-3-|").scan(0, +) }
    Diagram("Driver.startWith", ".startWith(0)") { try $0.driver("-1-2-|").startWith(0) }
    Diagram("Driver.distinctUntilChanged", ".distinctUntilChanged()") {
      try $0.driver("-1-1-2-1-|").distinctUntilChanged()
    }
    Diagram("Driver.do", ".do(onNext: { log($0) })") {
      try $0.driver("-a-b-|", of: String.self).do(onNext: { log($0) })
    }
    Diagram("Driver.flatMap", ".flatMap { $0 == 1 ? a : b }") {
      let a = try $0.driver("-x-x--x|", as: "a", of: String.self), b = try $0.driver("-y-y|", as: "b", of: String.self)
      return try $0.driver("-1---2-|").flatMap { $0 == 1 ? a : b }
    }
    Diagram("Driver.flatMapLatest", ".flatMapLatest { $0 == 1 ? a : b }") {
      let a = try $0.driver("-x-x--x|", as: "a", of: String.self), b = try $0.driver("-y-y|", as: "b", of: String.self)
      return try $0.driver("-1---2-|").flatMapLatest { $0 == 1 ? a : b }
    }
    Diagram("Driver.flatMapFirst", ".flatMapFirst { $0 == 1 ? a : b }") {
      let a = try $0.driver("-x-x--x|", as: "a", of: String.self), b = try $0.driver("-y-y|", as: "b", of: String.self)
      return try $0.driver("-1--2-----2-|").flatMapFirst { $0 == 1 ? a : b }
    }
    Diagram("Driver.debounce", ".debounce(3)") { try $0.driver("-a-bc----d---e|", of: String.self).debounce(3) }
    Diagram("Driver.throttle", ".throttle(3)") { try $0.driver("-abc----d--|", of: String.self).throttle(3) }
    Diagram("Driver.delay", ".delay(3)") { try $0.driver("-a-b-|", of: String.self).delay(3) }
    Diagram("Driver.merge", "Driver.merge(a, b)") {
      let a = try $0.driver("-1-2-3-|", as: "a"), b = try $0.driver("--7---8-9|", as: "b")
      return Driver.merge(a, b)
    }
    Diagram("Driver.combineLatest", "Driver.combineLatest(a, b)") {
      let a = try $0.driver("-1-2---3-|", as: "a"), b = try $0.driver("--x---y-|", as: "b", of: String.self)
      return Driver.combineLatest(a, b)
    }
    Diagram("Driver.zip", "Driver.zip(a, b)") {
      let a = try $0.driver("-1-2---3-|", as: "a"), b = try $0.driver("--x---y-z-|", as: "b", of: String.self)
      return Driver.zip(a, b)
    }
    Diagram("Driver.withLatestFrom", ".withLatestFrom(other)") {
      let other = try $0.driver("--a---b--|", as: "other", of: String.self)
      return try $0.driver("-1-2-3--4-|").withLatestFrom(other)
    }
  }
}
