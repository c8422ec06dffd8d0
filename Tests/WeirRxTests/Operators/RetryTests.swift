import Testing
import Weir
import WeirRx

@testable import TestSupport

@Suite("retry(when:) and retry with a backoff")
struct RetryTests {
  typealias Source = ManualPublisher<Int, TestError>

  let source = Source()
  let notifier = Source()
  let scheduler = VirtualTimeScheduler()

  @Test("conform to the operator contract")
  func rules() {
    checkCommonRules(named: "RetryWhen") { source, token in
      source.retry { failures in
        failures.setFailureType(to: TestError.self).flatMap { (error: TestError) -> Fail<Int, TestError> in
          withExtendedLifetime(token) { Fail(error: error) }
        }
      }
    }
  }

  @Test("a value of the notifier after a failure subscribes again and requests the outstanding demand")
  func resubscribes() {
    let recorder = source.retry { (_: AnyPublisher<TestError, Never>) in notifier }.record(demanding: .max(3))
    #expect(notifier.events == [.requested(.unlimited)])
    source.send(1)
    notifier.send(0)
    #expect(source.subscriptions.count == 1)
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription, .value(1)])
    recorder.request(.max(1))
    notifier.send(0)
    notifier.send(0)
    #expect(source.subscriptions.map(\.events) == [[.requested(.max(3))], [.requested(.max(3))]])
    source.send(9)
    source.send(2, to: 1)
    source.send(completion: .finished, to: 1)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .finished])
    #expect(notifier.isCancelledOnce)
  }

  @Test("a publisher that sends no subscription doesn't retain the operator, with or without a cancellation")
  func silentUpstream() {
    func isSubscriberReleased(
      cancelling cancels: Bool, _ retry: (Source) -> some Publisher<Int, TestError>
    ) -> Bool {
      isReleased { token in
        let silent = Source(subscribing: false)
        let cancellable = retry(silent).handleEvents(receiveOutput: { (_: Int) in withExtendedLifetime(token) {} })
          .sink(receiveCompletion: { (_: Subscribers.Completion<TestError>) in }, receiveValue: { (_: Int) in })
        silent.releaseSubscribers()
        if cancels { cancellable.cancel() }
        withExtendedLifetime(cancellable) {}
      }
    }
    for cancels in [true, false] {
      #expect(
        isSubscriberReleased(cancelling: cancels) { source in
          source.retry { (_: AnyPublisher<TestError, Never>) in notifier }
        })
      #expect(
        isSubscriberReleased(cancelling: cancels) {
          $0.retry(1, backoff: .constant(.seconds(1)), scheduler: scheduler)
        })
    }
  }

  @Test("attaches the notifier when the first subscription has arrived, before the first request")
  func order() {
    var log: [String] = []
    let recorder = source.handleEvents(
      receiveSubscription: { (_: any Subscription) in log.append("subscription") },
      receiveRequest: { (_: Subscribers.Demand) in log.append("request") }
    ).retry { (failures: AnyPublisher<TestError, Never>) in
      failures.handleEvents(receiveSubscription: { (_: any Subscription) in log.append("notifier") })
    }.record(demanding: .unlimited)
    #expect(log == ["subscription", "notifier", "request"])
    source.send(completion: .failure(.oops))
    #expect(log == ["subscription", "notifier", "request", "subscription", "request"])
    recorder.cancel()
  }

  @Test("a notifier that completes immediately terminates the operator")
  func immediateEnd() {
    let recorder = source.retry { (_: AnyPublisher<TestError, Never>) in Empty<Int, TestError>() }
      .record(demanding: .unlimited)
    #expect(recorder.events == [.subscription, .finished])
    #expect(source.events.last == .cancelled)
  }

  @Test("a publisher and a notifier that can't fail need no type annotation")
  func neverFailing() {
    let notifier = Empty<Int, Never>(completeImmediately: false)
    let recorder = [1, 2].publisher.retry(when: { _ in notifier }).record(demanding: .unlimited)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .finished])
  }

  @Test("the notifier receives each failure, and its values answer it")
  func hears() {
    var heard: [TestError] = []
    let recorder = source.retry { (failures: AnyPublisher<TestError, Never>) in
      failures.handleEvents(receiveOutput: { heard.append($0) })
    }.record(demanding: .unlimited)
    source.send(completion: .failure(.oops))
    source.send(completion: .failure(.other), to: 1)
    source.send(1, to: 2)
    #expect(heard == [.oops, .other])
    #expect(recorder.events == [.subscription, .value(1)])
    recorder.cancel()
    #expect(source.subscriptions.map(\.isCancelled) == [false, false, true])
  }

  @Test("the notifier's completion terminates the operator at any time", arguments: [true, false], [true, false])
  func notifierEnds(_ afterFailure: Bool, _ fails: Bool) {
    let recorder = source.retry { (_: AnyPublisher<TestError, Never>) in notifier }.record(demanding: .unlimited)
    if afterFailure { source.send(completion: .failure(.oops)) }
    notifier.send(completion: fails ? .failure(.other) : .finished)
    #expect(recorder.events == [.subscription, fails ? .failed(.other) : .finished])
    #expect(source.isCancelledOnce == !afterFailure)
  }

  @Test("cancellation reaches the attempt and the notifier, and no attempt follows")
  func cancels() {
    let recorder = source.retry { (_: AnyPublisher<TestError, Never>) in notifier }.record(demanding: .unlimited)
    recorder.cancel()
    #expect(source.isCancelledOnce)
    #expect(notifier.isCancelledOnce)
    let again = Source()
    let waiting = again.retry { (_: AnyPublisher<TestError, Never>) in notifier }.record(demanding: .unlimited)
    again.send(completion: .failure(.oops))
    waiting.cancel()
    notifier.send(0, to: 1)
    #expect(again.subscriptions.count == 1)
    #expect(waiting.events == [.subscription])
  }

  @Test("100,000 attempts that fail immediately don't grow the stack")
  func stack() {
    var attempts = 0
    let failing = Deferred { () -> AnyPublisher<Int, TestError> in
      attempts += 1
      return attempts < 100_000
        ? Fail(error: .oops).eraseToAnyPublisher()
        : Just(attempts).setFailureType(to: TestError.self).eraseToAnyPublisher()
    }
    var events: [Event<Int>] = []
    onAnotherThread {
      events =
        failing.retry { (failures: AnyPublisher<TestError, Never>) in failures }
        .record(demanding: .unlimited).events
    }
    #expect(events == [.subscription, .value(100_000), .finished])
  }

  @Test("a notifier on another thread races with the failures of attempts")
  func races() {
    for _ in 0..<Effort.rounds(200) {
      let (subject, notify) = (PassthroughSubject<Int, TestError>(), PassthroughSubject<Int, TestError>())
      let recorder = subject.retry { (_: AnyPublisher<TestError, Never>) in notify }.record(demanding: .unlimited)
      race(
        {
          subject.send(1)
          subject.send(completion: .failure(.oops))
        }, { notify.send(0) }, { notify.send(completion: .finished) })
      #expect(recorder.events.count { $0 == .finished } == 1)
      #expect(recorder.isFinished)
    }
  }

  // MARK: Backoff

  /// The times of the attempts, in milliseconds, if all fail immediately.
  func attempts(
    _ retries: Int, _ backoff: Backoff, jitter: Double = 0, generator: some RandomNumberGenerator = Fixed(1 << 63)
  ) -> [Int] {
    var times: [Int] = []
    let failing = Deferred { () -> Fail<Int, TestError> in
      times.append(scheduler.now.milliseconds)
      return Fail(error: .oops)
    }
    let recorder = failing.retry(
      retries, backoff: backoff, jitter: jitter, scheduler: scheduler, generator: generator
    ).record(demanding: .unlimited)
    #expect(recorder.events == (retries == 0 ? [.subscription, .failed(.oops)] : [.subscription]))
    scheduler.advance(by: .seconds(100))
    #expect(recorder.events == [.subscription, .failed(.oops)])
    return zip([0] + times, times).map { $1 - $0 }
  }

  @Test("waits before each attempt, and forwards the last failure")
  func waits() {
    #expect(RetryTests().attempts(0, .constant(.seconds(1))) == [0])
    #expect(RetryTests().attempts(3, .constant(.seconds(1))) == [0, 1000, 1000, 1000])
    #expect(RetryTests().attempts(3, .linear(.seconds(1))) == [0, 1000, 2000, 3000])
    #expect(RetryTests().attempts(3, .linear(.seconds(1), maximum: .seconds(2))) == [0, 1000, 2000, 2000])
    #expect(RetryTests().attempts(4, .exponential(.milliseconds(100))) == [0, 100, 200, 400, 800])
    #expect(
      RetryTests().attempts(4, .exponential(.milliseconds(100), factor: 3, maximum: .milliseconds(500)))
        == [0, 100, 300, 500, 500])
    // The factor of the last attempts is infinite.
    #expect(RetryTests().attempts(1_030, .exponential(.zero)) == Array(repeating: 0, count: 1_031))
  }

  @Test("a delay varies by the jitter, as the generator determines, and respects the maximum")
  func jitters() {
    let lowest = RetryTests().attempts(2, .constant(.seconds(1)), jitter: 0.5, generator: Fixed(0))
    #expect(lowest == [0, 500, 500])
    let middle = RetryTests().attempts(2, .constant(.seconds(1)), jitter: 0.5, generator: Fixed(1 << 63))
    #expect(middle == [0, 1000, 1000])
    let different = RetryTests().attempts(3, .constant(.seconds(1)), jitter: 0.5, generator: Steps())
    #expect(different == [0, 500, 750, 1000])
    let limited = RetryTests().attempts(
      1, .linear(.seconds(2), maximum: .seconds(2)), jitter: 0.5, generator: Fixed(.max))
    #expect(limited == [0, 2000])
  }

  @Test("a delay that overflows stays finite")
  func huge() {
    var waits = 0
    let failing = Deferred { () -> Fail<Int, TestError> in
      waits += 1
      return Fail(error: .oops)
    }
    let recorder = failing.retry(2, backoff: .exponential(.seconds(1), factor: 1e300), scheduler: scheduler)
      .record(demanding: .unlimited)
    scheduler.advance(by: .seconds(1))
    #expect(waits == 2)
    recorder.cancel()
  }

  @Test("no attempt follows a cancellation")
  func backoffCancelled() {
    let recorder = source.retry(3, backoff: .constant(.seconds(1)), scheduler: scheduler).record(demanding: .unlimited)
    source.send(completion: .failure(.oops))
    recorder.cancel()
    scheduler.advance(by: .seconds(5))
    #expect(source.subscriptions.count == 1)
    #expect(recorder.events == [.subscription])
  }

  @Test("invalid parameters stop the program with a message")
  func badParameters() async {
    await #expect(processExitsWith: .failure) {
      _ = Just(1).retry(-1, backoff: .constant(.zero), scheduler: ImmediateScheduler.shared)
    }
    await #expect(processExitsWith: .failure) {
      _ = Just(1).retry(1, backoff: .constant(.zero), jitter: 2, scheduler: ImmediateScheduler.shared)
    }
    await #expect(processExitsWith: .failure) { _ = Backoff.constant(.seconds(-1)) }
    await #expect(processExitsWith: .failure) { _ = Backoff.exponential(.zero, factor: 0.5) }
  }
}

/// Always returns the same number: by default the middle of the range.
private struct Fixed: RandomNumberGenerator {
  let number: UInt64
  init(_ number: UInt64) { self.number = number }
  mutating func next() -> UInt64 { number }
}

/// Returns the smallest number, then a quarter of the range, and so on.
private struct Steps: RandomNumberGenerator {
  var state: UInt64 = 0
  mutating func next() -> UInt64 {
    defer { state &+= 1 << 62 }
    return state
  }
}
