import Testing
import Weir
import WeirRx

@testable import TestSupport

@Suite("Single, Maybe and Completable")
struct TraitTests {
  let source = ManualPublisher<Int, TestError>()

  let broken: (TraitError) -> TestError = { $0 == .noElements ? .other : .oops }

  // MARK: Promises

  @Test("a single sends the value when its publisher has finished and there is demand")
  func single() {
    let recorder = source.asSingle(orFailWith: broken).record()
    #expect(source.events == [.requested(.unlimited)])
    source.send(1)
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(1), .finished])
  }

  @Test("a single of a publisher without values fails, without demand")
  func noElements() {
    let recorder = source.asSingle(orFailWith: broken).record()
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .failed(.other)])
  }

  @Test("a second value fails and cancels, in a single and in a maybe")
  func moreThanOne() {
    let single = source.asSingle(orFailWith: broken).record()
    let maybe = source.asMaybe(orFailWith: broken).record()
    for index in 0..<2 {
      source.send(1, to: index)
      source.send(2, to: index)
      source.send(completion: .finished, to: index)
      #expect(source.subscriptions[index].events == [.requested(.unlimited), .cancelled])
    }
    #expect(single.events == [.subscription, .failed(.oops)])
    #expect(maybe.events == [.subscription, .failed(.oops)])
  }

  @Test("a maybe sends its value, or finishes without one and without demand")
  func maybe() {
    let one = source.asMaybe(orFailWith: broken).record(demanding: .max(1))
    let none = source.asMaybe(orFailWith: broken).record()
    source.send(1)
    #expect(one.events == [.subscription])
    for index in 0..<2 { source.send(completion: .finished, to: index) }
    #expect(one.events == [.subscription, .value(1), .finished])
    #expect(none.events == [.subscription, .finished])
  }

  @Test("a completable drops the values and forwards the completion")
  func completable() {
    let finished = source.asCompletable().record()
    let failed = source.asCompletable().record()
    for index in 0..<2 { source.send(1, to: index) }
    source.send(completion: .finished)
    source.send(completion: .failure(.oops), to: 1)
    #expect(finished.events == [.subscription, .finished])
    #expect(failed.events == [.subscription, .failed(.oops)])
  }

  @Test("a failure is forwarded without the value")
  func failure() {
    let single = source.asSingle(orFailWith: broken).record(demanding: .unlimited)
    let maybe = source.asMaybe(orFailWith: broken).record(demanding: .unlimited)
    for index in 0..<2 {
      source.send(1, to: index)
      source.send(completion: .failure(.oops), to: index)
    }
    #expect(single.events == [.subscription, .failed(.oops)])
    #expect(maybe.events == [.subscription, .failed(.oops)])
  }

  @Test("an untyped failure names the violated guarantee")
  func traitError() {
    #expect(failure(of: Empty<Int, Never>().asSingle()) as? TraitError == .noElements)
    #expect(failure(of: [1, 2].publisher.asSingle()) as? TraitError == .moreThanOneElement)
    #expect(failure(of: [1, 2].publisher.asMaybe()) as? TraitError == .moreThanOneElement)
    #expect(failure(of: Fail<Int, TestError>(error: .oops).asSingle()) as? TestError == .oops)
    #expect("\(TraitError.noElements)" == "The publisher finished without a value, but a single requires one.")
    #expect(
      "\(TraitError.moreThanOneElement)" == "The publisher sent a second value, but a trait allows at most one.")
  }

  func failure<Output>(of publisher: some Publisher<Output, any Error>) -> (any Error)? {
    var failure: (any Error)?
    let cancellable = publisher.sink(
      receiveCompletion: { if case .failure(let error) = $0 { failure = error } }, receiveValue: { _ in })
    withExtendedLifetime(cancellable) {}
    return failure
  }

  @Test("describe themselves by their own names")
  func names() {
    #expect(source.asSingle().record().subscription.map { String(describing: $0) } == "AsSingle")
    #expect(source.asMaybe().record().subscription.map { String(describing: $0) } == "AsMaybe")
  }

  // MARK: Conversions

  @Test("convert into one another and back")
  func conversions() {
    let single = Single<Int, TestError>.just(1)
    let value: [Event<Int>] = [.subscription, .value(1), .finished]
    #expect(single.record(demanding: .unlimited).events == value)
    #expect(single.asSingle().asMaybe().record(demanding: .unlimited).events == value)
    #expect(single.asMaybe().asMaybe().asPublisher().record(demanding: .unlimited).events == value)
    #expect(single.asPublisher().asSingle(orFailWith: broken).record(demanding: .unlimited).events == value)
    #expect(single.asCompletable().asCompletable().asPublisher().map { (_: Never) -> Int in }.record().isFinished)
    #expect(
      Maybe<Int, TestError>.empty().asSingle(orFailWith: broken).record().events == [.subscription, .failed(.other)])
    #expect(Maybe<Int, TestError>.just(1).record(demanding: .unlimited).events == value)
    #expect(
      Completable<TestError>.failure(.oops).asMaybe(of: Int.self).record().events == [.subscription, .failed(.oops)])
    #expect(Completable<TestError>.empty().asMaybe(of: Int.self).record().events == [.subscription, .finished])
    #expect(Single<Int, TestError>.failure(.oops).record().events == [.subscription, .failed(.oops)])
    #expect(Maybe<Int, TestError>.failure(.oops).record().events == [.subscription, .failed(.oops)])
    let future = Future<Int, TestError> { $0(.success(1)) }.asSingle()
    #expect(future.record(demanding: .unlimited).events == value)
  }

  // MARK: Creating

  @Test("a single's closure runs at the first request, and only its first event counts")
  func createSingle() {
    var runs = 0
    var cancels = 0
    let single = Single<Int, TestError>.create { tell in
      runs += 1
      tell(.success(1))
      tell(.success(2))
      tell(.failure(.oops))
      return AnyCancellable { cancels += 1 }
    }
    let recorder = single.record()
    #expect(runs == 0)
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(1), .finished])
    #expect((runs, cancels) == (1, 1))
  }

  @Test("a single fails, later and once")
  func createFailing() {
    let tell = Box<(SingleEvent<Int, TestError>) -> Void>({ _ in })
    let recorder = Single<Int, TestError>.create {
      tell.value = $0
      return AnyCancellable {}
    }.record(demanding: .unlimited)
    tell.value(.failure(.oops))
    tell.value(.success(1))
    #expect(recorder.events == [.subscription, .failed(.oops)])
  }

  @Test(
    "a maybe's closure reports a value, nothing or a failure, once",
    arguments: [MaybeEvent<Int, TestError>.success(1), .completed, .failure(.oops)])
  func createMaybe(_ event: MaybeEvent<Int, TestError>) {
    var cancels = 0
    let recorder = Maybe<Int, TestError>.create { tell in
      tell(event)
      tell(.success(2))
      tell(.completed)
      return AnyCancellable { cancels += 1 }
    }.record(demanding: .unlimited)
    let expected: [Event<Int>] =
      switch event {
      case .success(let value): [.value(value), .finished]
      case .completed: [.finished]
      case .failure(let error): [.failed(error)]
      }
    #expect(recorder.events == [.subscription] + expected)
    #expect(cancels == 1)
  }

  @Test(
    "a completable's closure runs at the subscription and reports its completion, once",
    arguments: [CompletableEvent<TestError>.completed, .failure(.oops)])
  func createCompletable(_ event: CompletableEvent<TestError>) {
    var cancels = 0
    let recorder = Completable<TestError>.create { tell in
      tell(event)
      tell(.failure(.other))
      return AnyCancellable { cancels += 1 }
    }.record()
    #expect(recorder.events == [.subscription, event == .completed ? .finished : .failed(.oops)])
    #expect(cancels == 1)
  }

  @Test("closures report events on other threads", .timeLimit(.minutes(10)))
  func elsewhere() async throws {
    let single = Single<Int, TestError>.create { (tell: @escaping @Sendable (SingleEvent<Int, TestError>) -> Void) in
      let task = Task.detached { tell(.success(1)) }
      return AnyCancellable { task.cancel() }
    }
    #expect(try await single.first == 1)
    let maybe = Maybe<Int, TestError>.create { tell in
      Task.detached { tell(.completed) }
      return AnyCancellable {}
    }
    #expect(try await maybe.first == nil)
    let completable = Completable<TestError>.create { tell in
      Task.detached { tell(.failure(.oops)) }
      return AnyCancellable {}
    }
    await #expect(throws: TestError.oops) { try await completable.first }
  }

  @Test("cancellation cancels the closure's result, and no event follows")
  func cancels() {
    var cancels = 0
    let tell = Box<(SingleEvent<Int, TestError>) -> Void>({ _ in })
    let recorder = Single<Int, TestError>.create {
      tell.value = $0
      return AnyCancellable { cancels += 1 }
    }.record(demanding: .unlimited)
    recorder.cancel()
    tell.value(.success(1))
    #expect(recorder.events == [.subscription])
    #expect(cancels == 1)
  }

  @Test("a value that is reported during the delivery of the first is ignored")
  func tellsInside() {
    let tell = Box<(SingleEvent<Int, TestError>) -> Void>({ _ in })
    let recorder = Recorder<Int, TestError>(demanding: .unlimited)
    recorder.onValue = { value in
      if value == 1 { tell.value(.success(2)) }
      return .none
    }
    Single<Int, TestError>.create {
      tell.value = $0
      return AnyCancellable {}
    }.subscribe(recorder)
    tell.value(.success(1))
    #expect(recorder.events == [.subscription, .value(1), .finished])
  }

  @Test("only one of several concurrently reported values counts")
  func races() {
    for _ in 0..<Effort.rounds(300) {
      let tell = Box<(SingleEvent<Int, TestError>) -> Void>({ _ in })
      let recorder = Single<Int, TestError>.create {
        tell.value = $0
        return AnyCancellable {}
      }.record(demanding: .unlimited)
      let event = tell.value
      race({ event(.success(1)) }, { event(.success(2)) }, { event(.failure(.oops)) })
      let isOne = recorder.values.count == 1 && recorder.isFinished && recorder.events.count == 3
      #expect(isOne || recorder.events == [.subscription, .failed(.oops)])
    }
  }
}
