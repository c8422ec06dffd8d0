import Testing
import Weir

@testable import TestSupport

@Suite("Future")
struct FutureTests {
  /// A future, and its promise.
  private func make() -> (Future<Int, TestError>, Future<Int, TestError>.Promise) {
    var kept: Future<Int, TestError>.Promise = { _ in }
    let future = Future<Int, TestError> { kept = $0 }
    return (future, kept)
  }

  @Test("starts its work once, at its creation, before any subscriber")
  func eager() {
    var runs = 0
    let future = Future<Int, TestError> { promise in
      runs += 1
      promise(.success(7))
    }
    #expect(runs == 1)
    _ = future.record(demanding: .max(1))
    _ = future.record(demanding: .max(1))
    #expect(runs == 1)
  }

  @Test("passes its promise to another thread, where only the first call counts")
  func promiseElsewhere() {
    let future = Future<Int, TestError> { promise in
      onAnotherThread {
        promise(.success(1))
        promise(.success(2))
      }
    }
    #expect(future.record(demanding: .unlimited).events == [.subscription, .value(1), .finished])
  }

  @Test("sends the value of a fulfilled promise like any publisher of one value")
  func lateSubscriber() {
    checkSendsSevenAndFinishes(named: "Future", Future<Int, TestError> { $0(.success(7)) })
  }

  @Test("sends the value to waiting subscribers with demand, in the order of their subscription")
  func earlySubscribers() {
    let (future, promise) = make()
    var order: [Int] = []
    for number in 1...20 {
      let recorder = Recorder<Int, TestError>(demanding: .max(1))
      recorder.onValue = { _ in
        order.append(number)
        return .max(1)
      }
      future.subscribe(recorder)
    }
    #expect(order == [])
    promise(.success(7))
    #expect(order == Array(1...20))
  }

  @Test("keeps the value for a subscriber without demand")
  func demandAfterTheResult() {
    let (future, promise) = make()
    let recorder = future.record()
    promise(.success(7))
    #expect(recorder.events == [.subscription])
    recorder.request(.max(1))
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(7), .finished])
  }

  @Test("sends the value once after several requests")
  func demandBeforeTheResult() {
    let (future, promise) = make()
    let recorder = future.record(demanding: .max(3), returning: .max(1))
    recorder.request(.unlimited)
    #expect(recorder.events == [.subscription])
    promise(.success(7))
    #expect(recorder.events == [.subscription, .value(7), .finished])
  }

  @Test("fails early and late subscribers without demand")
  func fails() {
    let (future, promise) = make()
    let early = future.record()
    promise(.failure(.oops))
    #expect(early.events == [.subscription, .failed(.oops)])
    early.cancel()
    #expect(future.record().events == [.subscription, .failed(.oops)])
  }

  @Test("only the first call of the promise counts")
  func firstPromise() {
    let (future, promise) = make()
    let recorder = future.record(demanding: .unlimited)
    promise(.success(1))
    promise(.success(2))
    promise(.failure(.oops))
    #expect(recorder.events == [.subscription, .value(1), .finished])
    #expect(future.record(demanding: .unlimited).events == [.subscription, .value(1), .finished])
  }

  @Test("sends no event after a cancellation, before or after the result")
  func cancels() {
    let (future, promise) = make()
    let early = future.record(demanding: .max(1))
    let waiting = future.record()
    early.cancel()
    early.cancel()
    promise(.success(7))
    waiting.cancel()
    waiting.request(.max(1))
    early.request(.max(1))
    #expect(early.events == [.subscription])
    #expect(waiting.events == [.subscription])
  }

  @Test("a cancellation in the delivery prevents the completion; one in the subscription prevents all events")
  func cancelsInside() {
    let (future, promise) = make()
    let delivering = Recorder<Int, TestError>(demanding: .max(1))
    delivering.onValue = { [unowned delivering] _ in
      delivering.cancel()
      return .none
    }
    future.subscribe(delivering)
    let subscribing = Recorder<Int, TestError>()
    subscribing.onSubscription = {
      $0.cancel()
      $0.request(.max(1))
    }
    future.subscribe(subscribing)
    promise(.success(7))
    #expect(delivering.events == [.subscription, .value(7)])
    #expect(subscribing.events == [.subscription])
  }

  @Test("one subscriber may cancel another in the delivery")
  func cancelsAnother() {
    let (future, promise) = make()
    let second = Recorder<Int, TestError>(demanding: .max(1))
    let first = Recorder<Int, TestError>(demanding: .max(1))
    first.onValue = { _ in
      second.cancel()
      return .none
    }
    future.subscribe(first)
    future.subscribe(second)
    promise(.success(7))
    #expect(first.events == [.subscription, .value(7), .finished])
    #expect(second.events == [.subscription])
  }

  @Test("sends a value that is promised during the subscription after it")
  func fulfilledInsideTheSubscription() {
    for result in [Result<Int, TestError>.success(7), .failure(.oops)] {
      let (future, promise) = make()
      let recorder = Recorder<Int, TestError>()
      var eventsInside: [Event<Int>] = []
      recorder.onSubscription = { [unowned recorder] subscription in
        subscription.request(.max(1))
        promise(result)
        eventsInside = recorder.events
      }
      future.subscribe(recorder)
      #expect(eventsInside == [.subscription])
      #expect(
        recorder.events == [.subscription] + (result == .success(7) ? [.value(7), .finished] : [.failed(.oops)]))
    }
  }

  @Test("serves a subscriber that attaches during the delivery immediately")
  func subscribesInside() {
    let (future, promise) = make()
    let late = Recorder<Int, TestError>(demanding: .max(1))
    let recorder = Recorder<Int, TestError>(demanding: .max(1))
    recorder.onValue = { _ in
      future.subscribe(late)
      return .none
    }
    future.subscribe(recorder)
    promise(.success(7))
    #expect(late.events == [.subscription, .value(7), .finished])
    #expect(recorder.events == [.subscription, .value(7), .finished])
  }

  @Test("releases a subscriber at the result and at a cancellation, while future and subscription live")
  func releases() {
    for step in 0..<4 {
      let (future, promise) = make()
      let kept = Box<(any Subscription)?>(nil)
      #expect(
        isReleased { token in
          let recorder = Recorder<Int, TestError>(demanding: step == 3 ? .none : .max(1))
          recorder.onCompletion = { withExtendedLifetime(token) {} }
          future.subscribe(recorder)
          kept.value = recorder.subscription
          switch step {
          case 0: promise(.success(7))
          case 1: promise(.failure(.oops))
          case 2: recorder.cancel()
          default:
            promise(.success(7))
            recorder.cancel()
          }
        }, "\(step)")
      withExtendedLifetime((future, kept)) {}
    }
  }

  @Test("delivers everything once when another thread calls the promise during the subscription")
  func races() {
    for round in 0..<2_000 {
      let (future, promise) = make()
      let recorder = Recorder<Int, TestError>(demanding: round.isMultiple(of: 2) ? .max(1) : .none)
      race(
        { promise(.success(7)) },
        {
          future.subscribe(recorder)
          if round % 2 == 1 { recorder.request(.max(1)) }
        })
      #expect(recorder.events == [.subscription, .value(7), .finished])
    }
  }

  @Test("a concurrent cancellation stops it early, but never delivers a completion alone")
  func cancelRaces() {
    let whole: [Event<Int>] = [.subscription, .value(7), .finished]
    for _ in 0..<Effort.rounds(2_000) {
      let (future, promise) = make()
      let recorder = future.record(demanding: .max(1))
      let subscription = recorder.subscription
      race({ promise(.success(7)) }, { subscription?.cancel() })
      #expect(whole.starts(with: recorder.events))
    }
  }

  @Test("a result during a subscriber's subscription is pending until that has returned")
  func resultInsideSubscription() {
    let (future, promise) = make()
    let recorder = Recorder<Int, TestError>()
    recorder.onSubscription = { [recorder] subscription in
      onAnotherThread {
        subscription.request(.max(1))
        promise(.success(7))
      }
      #expect(recorder.events == [.subscription])
    }
    future.subscribe(recorder)
    #expect(recorder.events == [.subscription, .value(7), .finished])
  }
}
