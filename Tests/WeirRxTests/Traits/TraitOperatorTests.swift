import Testing
import Weir
import WeirRx

@testable import TestSupport

@Suite("Operators of Single, Maybe and Completable")
struct TraitOperatorTests {
  typealias One = Single<Int, TestError>
  typealias Perhaps = Maybe<Int, TestError>
  typealias End = Completable<TestError>

  let subject = PassthroughSubject<Int, TestError>()
  let clock = VirtualTimeScheduler()

  /// The events of a publisher with unlimited demand.
  func events<P: Publisher>(_ publisher: P) -> [Event<P.Output>] where P.Output: Equatable & Sendable {
    publisher.record(demanding: .unlimited).events
  }

  /// The events of a completable.
  func events(_ completable: End) -> [Event<Int>] {
    events(completable.asMaybe(of: Int.self))
  }

  func value<Value: Equatable & Sendable>(_ value: Value) -> [Event<Value>] {
    [.subscription, .value(value), .finished]
  }

  let none: [Event<Int>] = [.subscription, .finished]
  let failed: [Event<Int>] = [.subscription, .failed(.oops)]

  /// A completable that completes with the subject.
  var ending: End { subject.asCompletable() }

  // MARK: Closures

  @Test("a single calls its closure for the value or the failure, once")
  func subscribesToSingle() {
    var told: [String] = []
    let cancellables = [One.just(1), .failure(.oops)].map { (single: One) in
      single.subscribe(onSuccess: { told.append("\($0)") }, onFailure: { told.append("\($0)") })
    }
    #expect(told == ["1", "oops"])
    withExtendedLifetime(cancellables) {}
  }

  @Test("a maybe calls its closure for the value, its absence or the failure, once")
  func subscribesToMaybe() {
    var told: [String] = []
    let cancellables = [Perhaps.just(1), .empty(), .failure(.oops)].map { (maybe: Perhaps) in
      maybe.subscribe(
        onSuccess: { told.append("\($0)") }, onFailure: { told.append("\($0)") }, onCompleted: { told.append("none") })
    }
    #expect(told == ["1", "none", "oops"])
    withExtendedLifetime(cancellables) {}
  }

  @Test("a completable calls its closure for the finish or the failure, once")
  func subscribesToCompletable() {
    var told: [String] = []
    let cancellables = [End.empty(), .failure(.oops)].map { (completable: End) in
      completable.subscribe(onCompleted: { told.append("end") }, onFailure: { told.append("\($0)") })
    }
    #expect(told == ["end", "oops"])
    withExtendedLifetime(cancellables) {}
  }

  @Test("releasing or cancelling the result cancels")
  func cancels() {
    var told = 0
    var cancels = 0
    let source = subject.handleEvents(receiveCancel: { cancels += 1 })
    let first = source.first().asMaybe()
    first.subscribe(onSuccess: { _ in told += 1 }).cancel()
    _ = first.asSingle(orFailWith: { _ in .oops }).subscribe(onSuccess: { _ in told += 1 })
    _ = source.asCompletable().subscribe(onCompleted: { told += 1 })
    subject.send(1)
    subject.send(completion: .finished)
    #expect((told, cancels) == (0, 3))
  }

  final class Screen {
    var told: [String] = []
  }

  @Test("closures receive an object, which is held weakly, and don't run without it")
  func withObject() {
    var screen: Screen? = Screen()
    weak let remains = screen
    let bag = CancelBag()
    let late = subject.first().asMaybe()
    if let screen {
      One.just(1).subscribe(with: screen, onSuccess: { $0.told.append("\($1)") }).store(in: bag)
      One.failure(.oops).subscribe(with: screen, onFailure: { $0.told.append("\($1)") }).store(in: bag)
      Perhaps.just(2).subscribe(with: screen, onSuccess: { $0.told.append("\($1)") }).store(in: bag)
      Perhaps.empty().subscribe(with: screen, onCompleted: { $0.told.append("none") }).store(in: bag)
      Perhaps.failure(.other).subscribe(with: screen, onFailure: { $0.told.append("\($1)") }).store(in: bag)
      End.empty().subscribe(with: screen, onCompleted: { $0.told.append("end") }).store(in: bag)
      End.failure(.oops).subscribe(with: screen, onFailure: { $0.told.append("\($1)") }).store(in: bag)
      late.subscribe(with: screen, onSuccess: { $0.told.append("\($1)") }).store(in: bag)
    }
    #expect(screen?.told == ["1", "oops", "2", "none", "other", "end", "oops"])
    screen = nil
    #expect(remains == nil)
    subject.send(3)
  }

  // MARK: The value

  @Test("transform and filter the value")
  func transforms() {
    #expect(events(One.just(1).map { "\($0)" }) == value("1"))
    #expect(events(Perhaps.just(1).map { "\($0)" }) == value("1"))
    #expect(events(One.just(1).compactMap { (number: Int) -> Int? in number > 1 ? number : nil }) == none)
    #expect(events(Perhaps.just(2).compactMap { (number: Int) -> Int? in number > 1 ? number : nil }) == value(2))
    #expect(events(One.just(1).filter { $0 > 1 }) == none)
    #expect(events(Perhaps.just(2).filter { $0 > 1 }) == value(2))
  }

  @Test("continue with the trait that a closure returns for the value")
  func flatMaps() {
    #expect(events(One.just(1).flatMap { (number: Int) -> One in .just(number + 1) }) == value(2))
    #expect(events(One.just(1).flatMap { (_: Int) -> One in .failure(.oops) }) == failed)
    #expect(events(One.failure(.oops).flatMap { (number: Int) -> One in .just(number) }) == failed)
    #expect(events(Perhaps.just(1).flatMap { (number: Int) -> Perhaps in .just(number + 1) }) == value(2))
    #expect(events(Perhaps.empty().flatMap { (number: Int) -> Perhaps in .just(number + 1) }) == none)
    #expect(events(One.just(1).flatMapMaybe { (_: Int) -> Perhaps in .empty() }) == none)
    #expect(events(One.just(1).flatMapCompletable { (_: Int) -> End in .failure(.oops) }) == failed)
    #expect(events(Perhaps.just(1).flatMapCompletable { (_: Int) -> End in .empty() }) == none)
  }

  @Test("an operator buffers a value until there is demand")
  func demand() {
    for recorder in [
      One.just(1).map { $0 }.record(), One.just(1).flatMap { (number: Int) -> One in .just(number) }.record(),
      One.zip(One.just(1), One.just(2)) { $0 * $1 }.record(), End.empty().andThen(One.just(1)).record(),
    ] {
      #expect(recorder.events == [.subscription])
      recorder.request(.max(1))
      #expect(recorder.events.count == 3)
    }
    let maybe = Perhaps.empty().ifEmpty(default: 1).record()
    #expect(maybe.events == [.subscription])
    maybe.request(.max(1))
    #expect(maybe.events == value(1))
  }

  @Test("20,000 parts need no more stack than two")
  func manyParts() {
    let numbers = Array(0..<20_000)
    onAnotherThread {
      #expect(events(Single<[Int], TestError>.zip(numbers.map { (n: Int) -> One in .just(n) })) == value(numbers))
      #expect(events(Maybe<[Int], TestError>.zip(numbers.map { (n: Int) -> Perhaps in .just(n) })) == value(numbers))
      #expect(events(End.concat(numbers.map { (_: Int) -> End in .empty() })) == none)
      #expect(events(End.zip(numbers.map { (_: Int) -> End in .empty() })) == none)
    }
  }

  @Test("zip values, and fail or finish without a value if one does")
  func zips() {
    #expect(events(Single.zip(One.just(1), One.just(2)).map { [$0, $1] }) == value([1, 2]))
    #expect(events(One.just(1).zip(One.just(2)).map { [$0, $1] }) == value([1, 2]))
    #expect(events(Single.zip(One.just(1), One.just(2), One.just(3)).map { [$0, $1, $2] }) == value([1, 2, 3]))
    #expect(events(One.zip(One.just(1), One.just(2), One.just(3)) { $0 + $1 + $2 }) == value(6))
    #expect(events(Single<[Int], TestError>.zip([One.just(1), .just(2), .just(3)])) == value([1, 2, 3]))
    #expect(events(Single<[Int], TestError>.zip([One]())) == value([]))
    #expect(events(One.zip(One.never(), One.failure(.oops)) { $0 + $1 }) == failed)
    #expect(events(Maybe.zip(Perhaps.just(1), Perhaps.just(2)).map { [$0, $1] }) == value([1, 2]))
    #expect(events(Perhaps.just(1).zip(Perhaps.just(2)).map { [$0, $1] }) == value([1, 2]))
    #expect(
      events(Maybe.zip(Perhaps.just(1), Perhaps.just(2), Perhaps.just(3)).map { [$0, $1, $2] }) == value([1, 2, 3]))
    #expect(events(Perhaps.zip(Perhaps.just(1), Perhaps.empty(), Perhaps.just(3)) { $0 + $1 + $2 }) == none)
    #expect(events(Perhaps.zip(Perhaps.empty(), Perhaps.never()) { $0 + $1 }) == none)
    #expect(events(Maybe<[Int], TestError>.zip([Perhaps.just(1), .just(2)])) == value([1, 2]))
  }

  @Test("a maybe without a value sends a default, or continues with another")
  func ifEmpty() {
    #expect(events(Perhaps.empty().ifEmpty(default: 9)) == value(9))
    #expect(events(Perhaps.just(1).ifEmpty(default: 9)) == value(1))
    #expect(events(Perhaps.failure(.oops).ifEmpty(default: 9)) == failed)
    #expect(events(Perhaps.empty().ifEmpty(switchTo: One.just(9))) == value(9))
    #expect(events(Perhaps.just(1).ifEmpty(switchTo: One.failure(.oops))) == value(1))
    #expect(events(Perhaps.empty().ifEmpty(switchTo: Perhaps.empty())) == none)
    #expect(events(Perhaps.just(1).ifEmpty(switchTo: Perhaps.just(9))) == value(1))
  }

  @Test("the first or last value of a publisher is a maybe with the publisher's failure")
  func selected() {
    let numbers = [1, 2, 3].lazy.publisher.setFailureType(to: TestError.self)
    let maybes: [Perhaps] = [
      numbers.first().asMaybe(), numbers.first { $0 > 1 }.asMaybe(), numbers.last().asMaybe(),
      numbers.last { $0 < 3 }.asMaybe(), numbers.first { $0 > 3 }.asMaybe(),
    ]
    #expect(maybes.map(events) == [value(1), value(2), value(3), value(2), none])
  }

  // MARK: Failures

  @Test("transform, catch and replace a failure, or retry")
  func failures() {
    let other: [Event<Int>] = [.subscription, .failed(.other)]
    #expect(events(One.failure(.oops).mapError { (_: TestError) -> TestError in .other }) == other)
    #expect(events(Perhaps.failure(.oops).mapError { (_: TestError) -> TestError in .other }) == other)
    #expect(events(End.failure(.oops).mapError { (_: TestError) -> TestError in .other }) == other)
    #expect(events(One.failure(.oops).catch { (_: TestError) -> One in .just(1) }) == value(1))
    #expect(events(Perhaps.failure(.oops).catch { (_: TestError) -> Perhaps in .empty() }) == none)
    #expect(events(End.failure(.oops).catch { (_: TestError) -> End in .empty() }) == none)
    // The closure's type of failure is that of the trait, unless its result has another.
    #expect(events(One.failure(.oops).catch { _ in .just(1) }) == value(1))
    #expect(events(Perhaps.failure(.oops).catch { _ in .empty() }) == none)
    #expect(events(End.failure(.oops).catch { _ in .empty() }) == none)
    let never: Single<Int, Never> = One.failure(.oops).catch { (_: TestError) in .just(1) }
    #expect(never.record(demanding: .unlimited).events == [.subscription, .value(1), .finished])
    #expect(events(One.failure(.oops).catchAndReturn(1)) == value(1))
    #expect(events(Perhaps.failure(.oops).catchAndReturn(1)) == value(1))
    var attempts = 0
    let single = One.deferred {
      attempts += 1
      return attempts < 3 ? .error(.oops) : .just(attempts)
    }
    #expect(events(single.retry(2)) == value(3))
    let maybe = Perhaps.deferred {
      attempts += 1
      return attempts < 5 ? .error(.oops) : .empty()
    }
    #expect(events(maybe.retry(1)) == none)
    let completable = End.deferred {
      attempts += 1
      return attempts < 7 ? .error(.oops) : .empty()
    }
    #expect(events(completable.retry(1)) == none)
    #expect(events(Perhaps.never()) == [.subscription])
    #expect(events(End.never()) == [.subscription])
  }

  // MARK: Time

  @Test("deliver later, on a scheduler, or fail after a timeout")
  func time() {
    let delayed = [
      One.just(1).delay(for: 10, scheduler: clock).asMaybe().record(demanding: .unlimited),
      Perhaps.just(1).delay(for: 10, scheduler: clock).record(demanding: .unlimited),
      End.empty().delay(for: 10, scheduler: clock).asMaybe(of: Int.self).record(demanding: .unlimited),
    ]
    let timed = [
      One.never().timeout(10, scheduler: clock) { .oops }.asMaybe().record(demanding: .unlimited),
      Perhaps.never().timeout(10, scheduler: clock) { .oops }.record(demanding: .unlimited),
      End.never().timeout(10, scheduler: clock) { .oops }.asMaybe(of: Int.self).record(demanding: .unlimited),
      One.just(1).timeout(10, scheduler: clock) { .oops }.asMaybe().record(demanding: .unlimited),
    ]
    let hopped = [
      One.just(1).receive(on: clock).asMaybe().record(demanding: .unlimited),
      Perhaps.just(1).receive(on: clock).record(demanding: .unlimited),
      End.empty().receive(on: clock).asMaybe(of: Int.self).record(demanding: .unlimited),
    ]
    #expect(hopped.map(\.events) == [[.subscription], [.subscription], [.subscription]])
    clock.advance(by: 9)
    #expect(hopped.map(\.events) == [value(1), value(1), none])
    #expect(delayed.map(\.events) == [[.subscription], [.subscription], [.subscription]])
    clock.advance(by: 1)
    #expect(delayed.map(\.events) == [value(1), value(1), none])
    #expect(timed.map(\.events) == [failed, failed, failed, value(1)])
  }

  // MARK: Sequencing

  @Test("a completable continues with another publisher after its finish")
  func andThen() {
    var made: [String] = []
    func note<P>(_ name: String, _ publisher: P) -> P {
      made.append(name)
      return publisher
    }
    let recorders = [
      ending.andThen(One.deferred { note("single", .just(1)) }).asMaybe().record(demanding: .unlimited),
      ending.andThen(Perhaps.deferred { note("maybe", .just(1)) }).record(demanding: .unlimited),
      ending.andThen(End.deferred { note("completable", .empty()) }).asMaybe(of: Int.self)
        .record(demanding: .unlimited),
    ]
    let publisher = ending.andThen([1, 2].publisher.setFailureType(to: TestError.self)).record(demanding: .max(1))
    #expect(made == [])
    subject.send(completion: .finished)
    #expect(made == ["single", "maybe", "completable"])
    #expect(recorders.map(\.events) == [value(1), value(1), none])
    #expect(publisher.events == [.subscription, .value(1)])
    publisher.request(.max(1))
    #expect(publisher.events == [.subscription, .value(1), .value(2), .finished])
    #expect(events(End.failure(.oops).andThen(One.just(1))) == failed)
  }

  @Test("completables run concurrently, or one after the other")
  func several() {
    let (a, b) = (PassthroughSubject<Int, TestError>(), PassthroughSubject<Int, TestError>())
    var begun: [String] = []
    func part(_ name: String, _ subject: PassthroughSubject<Int, TestError>) -> End {
      .deferred {
        begun.append(name)
        return subject.asCompletable()
      }
    }
    let together = End.zip(part("a", a), part("b", b)).asMaybe(of: Int.self).record()
    #expect(begun == ["a", "b"])
    let inTurn = End.concat(part("a", a), part("b", b)).asMaybe(of: Int.self).record()
    #expect(begun == ["a", "b", "a"])
    a.send(completion: .finished)
    #expect(begun == ["a", "b", "a", "b"])
    #expect(together.events == [.subscription])
    b.send(completion: .finished)
    #expect(together.events == none)
    #expect(inTurn.events == none)
    #expect(events(End.zip(.never(), .failure(.oops))) == failed)
    #expect(events(End.concat(.failure(.oops), .never())) == failed)
    #expect(events(End.zip([])) == none)
    #expect(events(End.concat([])) == none)
  }
}
