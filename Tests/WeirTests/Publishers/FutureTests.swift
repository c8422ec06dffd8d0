import Testing
import Weir

@testable import TestSupport

@Suite("Future")
struct FutureTests {
  /// A future, and what fulfils it.
  private func make() -> (Future<Int, TestError>, Future<Int, TestError>.Promise) {
    var kept: Future<Int, TestError>.Promise = { _ in }
    let future = Future<Int, TestError> { kept = $0 }
    return (future, kept)
  }

  @Test("begins its work when it is made, once, before any subscriber")
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

  @Test("takes its promise to another thread, where the first call counts")
  func promiseElsewhere() {
    let future = Future<Int, TestError> { promise in
      onAnotherThread {
        promise(.success(1))
        promise(.success(2))
      }
    }
    #expect(future.record(demanding: .unlimited).events == [.subscription, .value(1), .finished])
  }

  @Test("fulfilled already, it sends its value like any publisher of one value")
  func lateSubscriber() {
    checkSendsSevenAndFinishes(named: "Future", Future<Int, TestError> { $0(.success(7)) })
  }

  @Test("sends the value to subscribers that wait with demand, in the order of their arrival")
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

  @Test("keeps the value for a subscriber that has not asked yet")
  func demandAfterTheResult() {
    let (future, promise) = make()
    let recorder = future.record()
    promise(.success(7))
    #expect(recorder.events == [.subscription])
    recorder.request(.max(1))
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(7), .finished])
  }

  @Test("sends the value once when it was asked for several times before")
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

  @Test("the first promise counts")
  func firstPromise() {
    let (future, promise) = make()
    let recorder = future.record(demanding: .unlimited)
    promise(.success(1))
    promise(.success(2))
    promise(.failure(.oops))
    #expect(recorder.events == [.subscription, .value(1), .finished])
    #expect(future.record(demanding: .unlimited).events == [.subscription, .value(1), .finished])
  }

  @Test("sends nothing after a cancel, before or after the result")
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

  @Test("a cancel inside the delivery keeps the end back; one inside the subscription everything")
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

  @Test("one subscriber may cancel another inside the delivery")
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

  @Test("fulfilled inside the subscription, it sends the value after it")
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

  @Test("subscribed to inside the delivery, it serves the new subscriber at once")
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

  @Test("lets a subscriber go at the result and on a cancel, whoever keeps future and subscription")
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

  @Test("gives a subscriber everything once when the promise comes from another thread meanwhile")
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

  @Test("cancelled from another thread while it is fulfilled, it sends all, or stops early, but never an end alone")
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

  @Test("a result that comes while a subscriber receives its subscription waits until that has returned")
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
