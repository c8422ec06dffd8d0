import Testing
import Weir

@testable import TestSupport

@Suite("retry")
struct RetryTests {
  @Test("conforms to the operator contract")
  func commonRules() {
    checkCommonRules(named: "Retry", guarding: .ends, failingWith: nil) { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.retry(2)
    }
    checkCommonRules(named: "Retry", guarding: .ends) { source, token in
      source.map { (value: Int) -> Int in withExtendedLifetime(token) { value } }.retry(0)
    }
  }

  @Test("subscribes again after a failure with the remaining demand, and passes one subscription")
  func subscribesAgain() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.retry(1).record(demanding: .max(3), returning: .max(1))
    #expect(source.send(1) == .none)
    source.send(completion: .failure(.oops))
    #expect(source.subscriptions.map(\.events) == [[.requested(.max(3)), .requested(.max(1))], [.requested(.max(3))]])
    #expect(source.send(2, to: 1) == .none)
    recorder.request(.max(5))
    source.send(completion: .finished, to: 1)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .finished])
    #expect(
      source.subscriptions.map(\.events) == [
        [.requested(.max(3)), .requested(.max(1))],
        [.requested(.max(3)), .requested(.max(1)), .requested(.max(5))],
      ])
  }

  @Test("requests no values in the next attempt without remaining demand")
  func noDemand() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.retry(1).record(demanding: .max(1))
    source.send(1)
    source.send(completion: .failure(.oops))
    #expect(source.subscriptions.map(\.events) == [[.requested(.max(1))], []])
    recorder.request(.unlimited)
    #expect(source.subscriptions.map(\.events) == [[.requested(.max(1))], [.requested(.unlimited)]])
  }

  @Test("fails with the failure of the last attempt")
  func givesUp() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = source.retry(2).record()
    source.send(completion: .failure(.oops), to: 0)
    source.send(completion: .failure(.oops), to: 1)
    #expect(recorder.events == [.subscription])
    source.send(completion: .failure(.other), to: 2)
    #expect(source.subscribers.count == 3)
    #expect(recorder.events == [.subscription, .failed(.other)])
  }

  @Test("counts the attempts of each subscriber separately")
  func countsBySubscriber() {
    var attempts = 0
    let publisher = Deferred { () -> Fail<Int, TestError> in
      attempts += 1
      return Fail(error: .oops)
    }.retry(2)
    #expect(publisher.record().events == [.subscription, .failed(.oops)])
    #expect(attempts == 3)
    #expect(publisher.record().events == [.subscription, .failed(.oops)])
    #expect(attempts == 6)
  }

  @Test("cancels the attempt in flight, also before its subscription")
  func cancels() {
    let source = ManualPublisher<Int, TestError>(subscribing: false)
    let recorder = source.retry(3).record(demanding: .max(1))
    source.sendSubscription(to: 0)
    source.send(completion: .failure(.oops), to: 0)
    recorder.request(.max(1))
    recorder.cancel()
    #expect(source.sendSubscription(to: 1).events == [.cancelled])
    source.send(completion: .failure(.oops), to: 1)
    #expect(source.subscribers.count == 2)
    #expect(recorder.events == [.subscription])
  }

  @Test("ignores an attempt's events after its failure, also a subscription")
  func misbehaving() {
    let source = ManualPublisher<Int, TestError>(subscribing: false)
    let recorder = source.retry(5).record(demanding: .max(1), returning: .max(1))
    source.sendSubscription(to: 0)
    source.send(completion: .failure(.oops), to: 0)
    #expect(source.sendSubscription(to: 0).events == [.cancelled])
    #expect(source.send(1, to: 0) == .none)
    source.send(completion: .failure(.oops), to: 0)
    source.send(completion: .finished, to: 0)
    #expect(source.subscribers.count == 2)
    #expect(source.sendSubscription(to: 1).events == [.requested(.max(1))])
    source.send(2, to: 1)
    #expect(recorder.events == [.subscription, .value(2)])
  }

  @Test("doesn't subscribe again after a cancellation during an attempt that fails immediately")
  func cancelledWhileSubscribing() {
    var attempts = 0
    let recorder = Recorder<Int, TestError>()
    recorder.onSubscription = { subscription in
      subscription.request(.unlimited)
      subscription.cancel()
    }
    Deferred { () -> Publishers.Concatenate<Publishers.Sequence<[Int], TestError>, Fail<Int, TestError>> in
      attempts += 1
      return Publishers.Sequence<[Int], TestError>(sequence: [1]).append(Fail<Int, TestError>(error: .oops))
    }.retry(9).subscribe(recorder)
    #expect(recorder.events == [.subscription, .value(1)])
    #expect(attempts == 1)
  }

  @Test("without a limit, continues until an attempt finishes")
  func unlimited() {
    var attempts = 0
    let source = Deferred { () -> Result<Int, TestError>.Publisher in
      attempts += 1
      return attempts < 100 ? .init(.oops) : .init(attempts)
    }
    let recorder = Publishers.Retry(upstream: source, retries: nil).record(demanding: .unlimited)
    #expect(recorder.events == [.subscription, .value(100), .finished])
  }

  @Test("a million attempts that fail immediately don't grow the stack")
  func manyAttempts() {
    var attempts = 0
    let events = onSmallStack { () -> [Event<Int>] in
      Deferred { () -> Fail<Int, TestError> in
        attempts += 1
        return Fail(error: .oops)
      }.retry(1_000_000).record(demanding: .unlimited).events
    }
    #expect(events == [.subscription, .failed(.oops)])
    #expect(attempts == 1_000_001)
  }

  @Test("a hundred thousand attempts that fail at a request don't grow the stack")
  func manyAttemptsOnDemand() {
    var attempts = 0
    let events = onSmallStack { () -> [Event<Int>] in
      Deferred { () -> Publishers.TryMap<Just<Int>, Int> in
        attempts += 1
        return Just(1).tryMap { (_: Int) throws -> Int in throw TestError.oops }
      }.retry(100_000).record(demanding: .max(1)).events
    }
    #expect(events == [.subscription, .failed(.oops)])
    #expect(attempts == 100_001)
  }

  @Test("a negative number of retries sets no limit, as in Combine", arguments: [-1, -2, .min])
  func negative(_ retries: Int) {
    var attempts = 0
    let source = Deferred { () -> Result<Int, TestError>.Publisher in
      attempts += 1
      return attempts < 100 ? .init(.oops) : .init(attempts)
    }
    let recorder = source.retry(retries).record(demanding: .unlimited)
    #expect(recorder.events == [.subscription, .value(100), .finished])
  }

  @Test("equals another with the same limit on an equal upstream")
  func equality() {
    #expect(NumberPublisher(1).retry(2) == NumberPublisher(1).retry(2))
    #expect(NumberPublisher(1).retry(2) != NumberPublisher(1).retry(3))
  }
}
