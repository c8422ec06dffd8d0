import Testing

@testable import TestSupport
@testable import Weir

@Suite("subscribe(on:)")
struct SubscribeOnTests {
  let source = ManualPublisher<Int, TestError>()
  let scheduler = VirtualTimeScheduler()

  @Test("subscribes, requests and cancels on the scheduler, and forwards values directly")
  func schedules() {
    let recorder = source.subscribe(on: scheduler).record()
    #expect(source.subscribers.isEmpty)
    scheduler.runDue()
    #expect(recorder.events == [.subscription])
    recorder.request(.max(2))
    recorder.request(.max(1))
    #expect(source.events == [])
    scheduler.runDue()
    #expect(source.events == [.requested(.max(2)), .requested(.max(1))])
    recorder.onValue = { _ in .max(4) }
    #expect(source.send(1) == .max(4))
    #expect(recorder.values == [1])
    recorder.cancel()
    #expect(!source.isCancelledOnce)
    #expect(source.send(2) == .none)
    scheduler.runDue()
    #expect(source.isCancelledOnce)
    #expect(recorder.events == [.subscription, .value(1)])
  }

  @Test("forwards the completion immediately, and ignores later events")
  func ends() {
    let recorder = source.subscribe(on: scheduler).record()
    scheduler.runDue()
    source.send(completion: .failure(.oops))
    source.send(1)
    source.send(completion: .finished)
    recorder.request(.unlimited)
    recorder.cancel()
    scheduler.runDue()
    #expect(recorder.events == [.subscription, .failed(.oops)])
    #expect(source.events == [])
  }

  @Test("a concurrent scheduler's actions request on one thread at a time, in order", arguments: [2, 500])
  func requestsOnOneThread(_ count: Int) {
    let (actions, recorder) = (BatchScheduler(), Recorder<Int, TestError>())
    source.onSubscribing = { (subscription: ManualSubscription, _: Int) in
      var isRequesting = false
      subscription.onRequest = { (demand: Subscribers.Demand) in
        #expect(!isRequesting)
        isRequesting = true
        if demand == .max(1) {
          for demand in 2...count { recorder.request(.max(demand)) }
          onAnotherThread { actions.runBatch() }
        }
        isRequesting = false
      }
    }
    source.subscribe(on: actions).subscribe(recorder)
    actions.runBatch()
    recorder.request(.max(1))
    actions.runBatch()
    // The requests beyond the limit follow in another action.
    #expect(source.events.count == min(count, HandOver.limit))
    while actions.runBatch() {}
    #expect(source.events == (1...count).map { .requested(.max($0)) })
  }

  @Test("a request inside a request is made there")
  func nestedRequests() {
    let recorder = Recorder<Int, TestError>(demanding: .max(1))
    recorder.onValue = { [unowned recorder] (value: Int) -> Subscribers.Demand in
      if value < 3 { recorder.request(.max(1)) }
      return .none
    }
    (1...5).publisher.setFailureType(to: TestError.self).subscribe(on: ImmediateScheduler.shared).subscribe(recorder)
    #expect(recorder.values == [1, 2, 3])
  }

  @Test("a scheduler that runs an action twice doesn't change the demand")
  func runsTwice() {
    let actions = BatchScheduler()
    let recorder = source.subscribe(on: actions).record()
    actions.runBatch(times: 2)
    recorder.request(.max(1))
    recorder.request(.max(5))
    actions.runBatch(times: 2)
    #expect(source.events == [.requested(.max(1)), .requested(.max(5))])
  }

  @Test("a request that runs after a cancellation or completion is discarded")
  func cancelsRequest() {
    let recorder = source.subscribe(on: scheduler).record(demanding: .max(1))
    scheduler.advance(by: 0)
    #expect(source.events == [.requested(.max(1))])
    recorder.request(.max(5))
    recorder.cancel()
    recorder.request(.max(7))
    #expect(source.events == [.requested(.max(1))])
    scheduler.runDue()
    #expect(source.events == [.requested(.max(1)), .cancelled])

    let other = ManualPublisher<Int, TestError>()
    let ended = other.subscribe(on: scheduler).record()
    scheduler.runDue()
    ended.request(.max(1))
    other.send(completion: .finished)
    scheduler.runDue()
    #expect(other.events == [])
  }

  @Test("passes the options to the scheduler each time")
  func options() {
    let batch = BatchScheduler()
    let recorder = source.subscribe(on: batch, options: "slow").record(demanding: .max(1))
    batch.runInReverse()
    recorder.cancel()
    batch.runInReverse()
    #expect(batch.options == ["slow", "slow", "slow"])
    #expect(source.events == [.requested(.max(1)), .cancelled])
  }

  @Test("describes itself by its own name")
  func name() {
    let recorder = source.subscribe(on: scheduler).record()
    scheduler.runDue()
    #expect(recorder.subscription.map { String(describing: $0) } == "SubscribeOn")
  }
}
