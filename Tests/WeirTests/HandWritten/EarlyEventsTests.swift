import Testing
import Weir

@testable import TestSupport

@Suite("a publisher that sends before its subscription")
struct EarlyEventsTests {
  /// An operator, and what comes of 1, 2, 3 and the end without a subscription, and of the subscription after that.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let expected: [Event<Int>]
    let late: [Event<Int>]
    let make: @Sendable (AnyPublisher<Int, TestError>) -> AnyPublisher<Int, TestError>

    init(
      _ name: String, _ expected: [Event<Int>], late: [Event<Int>] = [.subscription],
      _ make: @escaping @Sendable (AnyPublisher<Int, TestError>) -> any Publisher<Int, TestError>
    ) {
      testDescription = name
      self.expected = expected
      self.late = late
      self.make = { erased(make($0)) }
    }
  }

  static let values: [Event<Int>] = [.value(1), .value(2), .value(3)]

  static let cases = [
    Case("tryMap", values) { $0.tryMap { $0 }.mapError { _ in .oops } },
    Case("tryMap that throws", [.value(1), .failed(.oops)], late: []) {
      $0.tryMap { if $0 == 2 { throw TestError.oops } else { $0 } }.mapError { _ in .oops }
    },
    Case("tryScan that throws", [.value(0), .failed(.oops)], late: []) {
      $0.tryScan(0) { if $1 == 2 { throw TestError.oops } else { $0 } }.mapError { _ in .oops }
    },
    Case("tryScan", [.value(1), .value(3), .value(6)]) { $0.tryScan(0, +).mapError { _ in .oops } },
    Case("encode", values + [.finished], late: []) { $0.encode(encoder: Unchanged()).mapError { _ in .oops } },
    Case("decode", values + [.finished], late: []) {
      $0.decode(type: Int.self, decoder: Unchanged()).mapError { _ in .oops }
    },
    Case("dropFirst", [.subscription, .value(2), .value(3), .finished], late: []) { $0.dropFirst() },
    Case("prefix", [.value(1), .value(2)]) { $0.prefix(2) },
    Case("prefix(0)", [], late: [.subscription, .finished]) { $0.prefix(0) },
    Case("output(in:)", [.value(2)]) { $0.output(in: 1...1) },
    Case("collect(2)", [.finished], late: []) { $0.collect(2).map(\.count) },
    Case("retry", [.finished], late: []) { $0.retry(1) },
    Case("drop(untilOutputFrom:)", [.subscription] + values + [.finished], late: []) {
      $0.drop(untilOutputFrom: Just(0).setFailureType(to: TestError.self))
    },
    Case("merge", [.subscription] + values + [.finished], late: []) { $0.merge(with: Empty()) },
    Case("flatMap", [.subscription] + values + [.finished], late: []) { upstream in
      Just(0).setFailureType(to: TestError.self).flatMap { _ in upstream }
    },
    Case("switchToLatest", [.subscription] + values + [.finished], late: []) { upstream in
      Just(upstream).setFailureType(to: TestError.self).switchToLatest()
    },
    Case("scan", values + [.finished]) { $0.scan(0) { $1 } },
    // Combine stops the program for these.
    Case("removeDuplicates", []) { $0.removeDuplicates() },
    Case("catch", []) { $0.catch { _ in Empty() } },
    Case("count", []) { $0.count() },
  ]

  @Test("is passed on as far as Combine does", arguments: cases)
  func early(_ testCase: Case) {
    let manual = ManualPublisher<Int, TestError>(subscribing: false)
    let recorder = testCase.make(manual.eraseToAnyPublisher()).record(demanding: .unlimited)
    for value in 1...3 { manual.send(value) }
    manual.send(completion: .finished)
    #expect(recorder.events == testCase.expected)
    manual.sendSubscription()
    #expect(recorder.events == testCase.expected + testCase.late)
  }

  @Test(
    "serializes the changes of an operator's state when its subscription arrives while a closure runs",
    arguments: [false, true])
  func subscriptionDuringAClosure(_ isOnAnotherThread: Bool) {
    let manual = ManualPublisher<Int, Never>(subscribing: false)
    func send() {
      manual.sendSubscription()
      for value in 11...13 { manual.send(value) }
    }
    // An array, so that two concurrent changes would show in memory, too.
    let sums = manual.tryScan([Int]()) { (sum: [Int], value: Int) throws -> [Int] in
      if value == 1 { if isOnAnotherThread { onAnotherThread { send() } } else { send() } }
      return sum + [value]
    }
    let recorder = sums.mapError { _ in TestError.oops }.record(demanding: .unlimited)
    manual.send(1)
    manual.send(2)
    manual.send(completion: .finished)
    #expect(
      recorder.events == [
        .value([1]), .subscription, .value([1, 11]), .value([1, 11, 12]), .value([1, 11, 12, 13]),
        .value([1, 11, 12, 13, 2]), .finished,
      ])
  }

  @Test("changes an operator's state once at a time when its closure sends more")
  func valuesDuringAClosure() {
    let manual = ManualPublisher<Int, Never>(subscribing: false)
    let sums = manual.tryScan([Int]()) { (sum: [Int], value: Int) throws -> [Int] in
      if value == 1 { for more in 11...12 { manual.send(more) } }
      return sum + [value]
    }
    let recorder = sums.mapError { _ in TestError.oops }.record(demanding: .unlimited)
    manual.send(1)
    #expect(recorder.events == [.value([1]), .value([1, 11]), .value([1, 11, 12])])
    manual.sendSubscription()
    manual.send(2)
    #expect(recorder.values.last == [1, 11, 12, 2])
  }

  @Test("is subscribed to again by retry when it fails, as after its subscription")
  func retries() {
    let manual = ManualPublisher<Int, TestError>(subscribing: false)
    let recorder = manual.retry(1).record(demanding: .unlimited)
    manual.send(completion: .failure(.oops))
    #expect(recorder.events == [])
    #expect(manual.send(6, to: 1) == .none)
    manual.sendSubscription(to: 1)
    manual.send(7, to: 1)
    manual.send(completion: .failure(.other), to: 1)
    #expect(manual.sendSubscription(to: 0).events == [.cancelled])
    #expect(recorder.events == [.subscription, .value(7), .failed(.other)])
    let early = ManualPublisher<Int, TestError>(subscribing: false)
    let failed = early.retry(1).record(demanding: .unlimited)
    for attempt in 0...1 { early.send(completion: .failure(.oops), to: attempt) }
    #expect(failed.events == [.failed(.oops)])
  }

  @Test("is heard by retry after another, and asked for what is outstanding then")
  func secondAttempt() {
    let manual = ManualPublisher<Int, TestError>(subscribing: false)
    let recorder = manual.retry(2).record(demanding: .max(3))
    recorder.onValue = { $0 == 1 ? .max(2) : .none }
    #expect(manual.sendSubscription().events == [.requested(.max(3))])
    manual.send(completion: .failure(.oops))
    #expect(manual.send(1, to: 1) == .none)
    recorder.request(.max(1))
    #expect(manual.send(0) == .none)
    manual.send(completion: .failure(.oops), to: 1)
    #expect(manual.sendSubscription(to: 2).events == [.requested(.max(5))])
    manual.send(2, to: 2)
    manual.send(completion: .finished, to: 2)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .finished])
  }

  @Test("may finish retry after another has failed")
  func finishesSecondAttempt() {
    let manual = ManualPublisher<Int, TestError>(subscribing: false)
    let recorder = manual.retry(1).record(demanding: .unlimited)
    manual.sendSubscription()
    manual.send(completion: .failure(.oops))
    manual.send(completion: .finished, to: 1)
    #expect(recorder.events == [.subscription, .finished])
    #expect(manual.sendSubscription(to: 1).events == [.cancelled])
  }

  @Test("is not heard by retry after a cancel")
  func cancelledRetry() {
    let manual = ManualPublisher<Int, TestError>(subscribing: false)
    let recorder = manual.retry(3).record(demanding: .unlimited)
    manual.sendSubscription()
    manual.send(completion: .failure(.oops))
    recorder.cancel()
    manual.send(1, to: 1)
    manual.send(completion: .failure(.oops), to: 1)
    #expect(recorder.events == [.subscription])
    #expect(manual.subscribers.count == 2)
  }

  @Test("that has sent all values of a prefix is asked for what the subscriber requests, and may still complete")
  func usedUpPrefix() {
    let manual = ManualPublisher<Int, TestError>(subscribing: false)
    let recorder = manual.output(in: 1..<3).record(demanding: .max(1))
    recorder.onValue = { _ in .max(4) }
    #expect((0..<5).map { manual.send($0) } == [.max(1), .max(4), .max(4), .none, .none])
    #expect(manual.sendSubscription().events == [.requested(.max(1))])
    #expect(manual.send(6) == .none)
    #expect(recorder.events == [.value(1), .value(2), .subscription])
    manual.send(completion: .failure(.oops))
    #expect(recorder.events == [.value(1), .value(2), .subscription, .failed(.oops)])
  }

  @Test("sends early values beyond the demand: what is requested later is for later values")
  func demandOfPrefix() {
    let manual = ManualPublisher<Int, TestError>(subscribing: false)
    let recorder = manual.prefix(2).record(demanding: .max(1))
    manual.send(1)
    #expect(manual.sendSubscription().events == [.requested(.max(1))])
    manual.send(2)
    #expect(recorder.events == [.value(1), .subscription, .value(2), .finished])
  }

  @Test("is asked by dropFirst for what is left to drop, and what was requested before its subscription")
  func demandOfDrop() {
    let manual = ManualPublisher<Int, TestError>(subscribing: false)
    let recorder = manual.dropFirst(3).record(demanding: .max(10))
    #expect(recorder.events == [.subscription])
    recorder.request(.max(1))
    #expect(manual.send(1) == .none)
    #expect(manual.sendSubscription().events == [.requested(.max(13))])
    recorder.request(.max(2))
    #expect(manual.events == [.requested(.max(13)), .requested(.max(2))])
    for value in 2...4 { manual.send(value) }
    #expect(recorder.events == [.subscription, .value(4)])
  }

  @Test("is not heard by dropFirst after a cancel, and its subscription is cancelled")
  func cancelledDrop() {
    let manual = ManualPublisher<Int, TestError>(subscribing: false)
    let recorder = manual.dropFirst(1).record(demanding: .unlimited)
    for value in 1...2 { manual.send(value) }
    recorder.cancel()
    manual.send(3)
    manual.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(2)])
    #expect(manual.sendSubscription().events == [.cancelled])
  }

  @Test("gets demand from switchToLatest in answer to its values")
  func answerOfSwitchToLatest() {
    let outer = ManualPublisher<ManualPublisher<Int, TestError>, TestError>()
    let recorder = outer.switchToLatest().record(demanding: .unlimited)
    recorder.onValue = { $0 == 1 ? .max(42) : .none }
    let inner = ManualPublisher<Int, TestError>(subscribing: false)
    outer.send(inner)
    #expect((1...2).map { inner.send($0) } == [.max(42), .none])
    #expect(inner.sendSubscription().events == [.requested(.unlimited)])
    #expect(inner.send(1) == .none)
    #expect(recorder.values == [1, 2, 1])
  }

  @Test("that completes early has its subscription cancelled")
  func lateSubscription() {
    let manual = ManualPublisher<Int, TestError>(subscribing: false)
    let recorder = manual.collect(2).record(demanding: .unlimited)
    manual.send(completion: .failure(.oops))
    manual.send(completion: .finished)
    #expect(recorder.events == [.failed(.oops)])
    #expect(manual.sendSubscription().events == [.cancelled])
  }

  @Test("sets a published property by assign(to:)")
  func published() {
    final class Model {
      @Published var value = 0
    }
    let model = Model()
    let manual = ManualPublisher<Int, Never>(subscribing: false)
    manual.assign(to: &model.$value)
    manual.send(1)
    #expect(model.value == 1)
    #expect(manual.sendSubscription().events == [.requested(.unlimited)])
    manual.send(2)
    manual.send(completion: .finished)
    manual.send(3)
    #expect(model.value == 2)
  }
}

private func erased(_ publisher: some Publisher<Int, TestError>) -> AnyPublisher<Int, TestError> {
  publisher.eraseToAnyPublisher()
}
