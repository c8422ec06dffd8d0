import Foundation
import Testing
import Weir
import WeirRx

/// Code as in programs for RxSwift.
class RxCode {
  required init() {}

  func publishSubject() -> [String] { [] }
  func behaviorSubject() -> [String] { [] }
  func replaySubject() -> [Int] { [] }
  func relays() -> [Int] { [] }
  func disposables() -> [String] { [] }
  func combining() -> [String] { [] }
  func transforming() -> [Int] { [] }
  func filtering() -> [Int] { [] }
  func creating() -> [String] { [] }
  func traits() -> [String] { [] }
  @MainActor func subscribesOnMainActor(to publisher: AnyPublisher<Int, Never>) -> AnyCancellable? { nil }
}

/// The same code, ported by renaming only.
///
/// Its deprecated names are RxSwift's. Tests find the class by its name, so that the compiler issues no warning.
@available(*, deprecated, message: "It uses deprecated names on purpose.")
final class PortedRxCode: RxCode {
  struct Failed: Error {}

  override func publishSubject() -> [String] {
    var log: [String] = []
    let disposeBag = DisposeBag()
    let subject = PublishSubject<String>()
    subject.subscribe(onNext: { log.append("1 \($0)") }).disposed(by: disposeBag)
    subject.onNext("a")
    subject.asObservable().subscribe(
      onNext: { log.append("2 \($0)") }, onCompleted: { log.append("completed") },
      onDisposed: { log.append("disposed") }
    ).disposed(by: disposeBag)
    subject.onNext("b")
    subject.onCompleted()
    return log
  }

  override func behaviorSubject() -> [String] {
    var log: [String] = []
    let disposeBag = DisposeBag()
    let subject = BehaviorSubject(value: "z")
    subject.onNext("a")
    subject.subscribe(onNext: { log.append($0) }, onError: { log.append("\($0)") }).disposed(by: disposeBag)
    subject.onError(Failed())
    return log
  }

  override func replaySubject() -> [Int] {
    var log: [Int] = []
    let disposeBag = DisposeBag()
    let subject = ReplaySubject<Int, Never>.create(bufferSize: 1)
    subject.onNext(1)
    subject.onNext(2)
    subject.subscribe(onNext: { log.append($0) }).disposed(by: disposeBag)
    let unbounded = ReplaySubject<Int, Never>.createUnbounded()
    unbounded.onNext(3)
    unbounded.onNext(4)
    unbounded.subscribe(onNext: { log.append($0) }).disposed(by: disposeBag)
    return log
  }

  override func relays() -> [Int] {
    var log: [Int] = []
    let disposeBag = DisposeBag()
    let relay = BehaviorRelay(value: 1)
    relay.asObservable().map { $0 * 10 }.filter { $0 > 10 }.subscribe(onNext: { log.append($0) })
      .disposed(by: disposeBag)
    relay.accept(2)
    let published = PublishRelay<Int>()
    published.subscribe(onNext: { log.append($0) }).disposed(by: disposeBag)
    published.accept(3)
    let replayed = ReplayRelay<Int>.create(bufferSize: 1)
    replayed.accept(4)
    replayed.accept(5)
    replayed.subscribe(onNext: { log.append($0) }).disposed(by: disposeBag)
    return log + [relay.value]
  }

  @MainActor
  override func subscribesOnMainActor(to publisher: AnyPublisher<Int, Never>) -> AnyCancellable? {
    var values: [Int] = []
    return publisher.subscribe(onNext: { values.append($0) })
  }

  override func disposables() -> [String] {
    var log: [String] = []
    let disposable: Disposable = Disposables.create { log.append("disposed") }
    disposable.dispose()
    disposable.dispose()
    Disposables.create().dispose()
    let subject = PublishSubject<Int>()
    let subscription = subject.subscribe(onNext: { log.append("\($0)") }, onDisposed: { log.append("gone") })
    subject.onNext(1)
    subscription.dispose()
    subject.onNext(2)
    return log
  }

  override func combining() -> [String] {
    var log: [String] = []
    let disposeBag = DisposeBag()
    let subject1 = PublishSubject<String>()
    let subject2 = PublishSubject<String>()
    // `startWith` is `prepend`, and the functions of `Observable` are methods.
    subject1.prepend("1").subscribe(onNext: { log.append($0) }).disposed(by: disposeBag)
    subject1.zip(subject2) { "\($0)\($1)" }.subscribe(onNext: { log.append($0) }).disposed(by: disposeBag)
    subject1.combineLatest(subject2) { "\($0) \($1)" }.subscribe(onNext: { log.append($0) }).disposed(by: disposeBag)
    // `switchLatest` is `switchToLatest`.
    let subjects = BehaviorSubject(value: subject1)
    subjects.asObservable().switchToLatest().subscribe(onNext: { log.append($0) }).disposed(by: disposeBag)
    subject1.onNext("a")
    subjects.onNext(subject2)
    subject2.onNext("b")
    return log
  }

  override func transforming() -> [Int] {
    struct Player {
      let score: BehaviorSubject<Int>
    }
    var log: [Int] = []
    let disposeBag = DisposeBag()
    let one = Player(score: BehaviorSubject(value: 80))
    let two = Player(score: BehaviorSubject(value: 90))
    let player = BehaviorSubject(value: one)
    player.asObservable().flatMap { $0.score.asObservable() }.subscribe(onNext: { log.append($0) })
      .disposed(by: disposeBag)
    player.asObservable().flatMapLatest { $0.score.asObservable() }.scan(0) { $0 + $1 }
      .subscribe(onNext: { log.append(-$0) }).disposed(by: disposeBag)
    one.score.onNext(85)
    player.onNext(two)
    one.score.onNext(95)
    return log
  }

  override func filtering() -> [Int] {
    var log: [Int] = []
    let disposeBag = DisposeBag()
    let source = PublishSubject<Int>()
    let reference = PublishSubject<Int>()
    // In this order: `distinctUntilChanged`, `element(at:)`, `take`, `take(while:)`, `skip`, `skip(until:)`.
    source.removeDuplicates().subscribe(onNext: { log.append($0) }).disposed(by: disposeBag)
    source.output(at: 3).subscribe(onNext: { log.append(10 + $0) }).disposed(by: disposeBag)
    source.prefix(1).subscribe(onNext: { log.append(20 + $0) }).disposed(by: disposeBag)
    source.prefix { $0 < 2 }.subscribe(onNext: { log.append(30 + $0) }).disposed(by: disposeBag)
    source.dropFirst(3).subscribe(onNext: { log.append(40 + $0) }).disposed(by: disposeBag)
    source.drop(untilOutputFrom: reference).subscribe(onNext: { log.append(50 + $0) }).disposed(by: disposeBag)
    source.take(until: reference).subscribe(onNext: { log.append(60 + $0) }, onCompleted: { log.append(0) })
      .disposed(by: disposeBag)
    source.onNext(1)
    source.onNext(1)
    reference.onNext(0)
    source.onNext(2)
    source.onNext(3)
    return log
  }

  override func creating() -> [String] {
    var log: [String] = []
    let disposeBag = DisposeBag()
    // `Observable.create` is `AnyPublisher.create`.
    let numbers = AnyPublisher<Int, any Error>.create { observer in
      observer.onNext(1)
      observer.onCompleted()
      return Disposables.create()
    }
    let failing = AnyPublisher<Int, any Error>.create { observer in
      observer.onError(Failed())
      return Disposables.create()
    }
    numbers.handleEvents(receiveOutput: { log.append("\($0)") }).subscribe().disposed(by: disposeBag)
    numbers.subscribe(onCompleted: { log.append("completed") }).disposed(by: disposeBag)
    failing.subscribe(onError: { log.append("\($0)") }).disposed(by: disposeBag)
    return log
  }

  override func traits() -> [String] {
    var log: [String] = []
    let disposeBag = DisposeBag()
    let maybe = Maybe<Int, any Error>.create { maybe in
      maybe(.error(Failed()))
      return Disposables.create()
    }
    let completable = Completable<any Error>.create { completable in
      completable(.error(Failed()))
      return Disposables.create()
    }
    maybe.subscribe(onSuccess: { log.append("\($0)") }, onError: { log.append("1 \($0)") }).disposed(by: disposeBag)
    maybe.subscribe(onError: { log.append("2 \($0)") }, onCompleted: { log.append("end") }).disposed(by: disposeBag)
    maybe.subscribe(with: disposeBag, onError: { _, error in log.append("3 \(error)") }).disposed(by: disposeBag)
    completable.subscribe(onCompleted: { log.append("end") }, onError: { log.append("4 \($0)") })
      .disposed(by: disposeBag)
    completable.subscribe(with: disposeBag, onError: { _, error in log.append("5 \(error)") })
      .disposed(by: disposeBag)
    return log
  }
}

@Suite("code for RxSwift, ported by renaming only")
struct RxPortTests {
  let code: RxCode

  init() throws {
    let type = try #require(NSClassFromString("WeirRxTests.PortedRxCode") as? RxCode.Type)
    code = type.init()
  }

  @Test("sends through a PublishSubject")
  func publishSubject() {
    #expect(code.publishSubject() == ["1 a", "1 b", "2 b", "completed", "disposed"])
  }

  @Test("replays the latest value of a BehaviorSubject, and fails")
  func behaviorSubject() {
    #expect(code.behaviorSubject() == ["a", "Failed()"])
  }

  @Test("replays the values of a ReplaySubject")
  func replaySubject() {
    #expect(code.replaySubject() == [2, 3, 4])
  }

  @Test("accepts values in relays")
  func relays() {
    #expect(code.relays() == [20, 3, 5, 2])
  }

  @Test("keeps closures of the main actor on it")
  func mainActor() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let subject = PassthroughSubject<Int, Never>()
      // One thread after the other uses it.
      nonisolated(unsafe) let publisher = subject.eraseToAnyPublisher()
      let subscription = await MainActor.run {
        let type = NSClassFromString("WeirRxTests.PortedRxCode") as? RxCode.Type
        return type?.init().subscribesOnMainActor(to: publisher)
      }
      let thread = Thread { subject.send(1) }
      thread.start()
      while !thread.isFinished { await Task.yield() }
      withExtendedLifetime(subscription) {}
    }
    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(message.contains("passed to subscribe at WeirRxTests/RxPortTests.swift:"))
  }

  @Test("disposes once")
  func disposables() {
    #expect(code.disposables() == ["disposed", "1", "gone"])
  }

  @Test("combines subjects")
  func combining() {
    #expect(code.combining() == ["1", "a", "a", "ab", "a b", "b"])
  }

  @Test("transforms values")
  func transforming() {
    #expect(code.transforming() == [80, -80, 85, -165, 90, -255, 95])
  }

  @Test("creates publishers from an observer, and attaches some closures or none")
  func creating() {
    #expect(code.creating() == ["1", "completed", "Failed()"])
  }

  @Test("reports and handles errors of a Maybe and a Completable")
  func traits() {
    #expect(code.traits() == ["1 Failed()", "2 Failed()", "3 Failed()", "4 Failed()", "5 Failed()"])
  }

  @Test("filters values")
  func filtering() {
    #expect(code.filtering() == [1, 21, 31, 61, 31, 61, 0, 2, 52, 3, 13, 43, 53])
  }
}
