import Testing
import Weir

@testable import TestSupport

@Suite("buffer")
struct BufferTests {
  typealias Source = ManualPublisher<Int, TestError>

  let source = Source()

  func buffer(
    _ size: Int, _ prefetch: Publishers.PrefetchStrategy = .byRequest,
    _ whenFull: Publishers.BufferingStrategy<TestError> = .dropNewest
  ) -> Publishers.Buffer<Source> {
    source.buffer(size: size, prefetch: prefetch, whenFull: whenFull)
  }

  static let both: [Publishers.PrefetchStrategy] = [.keepFull, .byRequest]

  @Test("buffers values until there is demand", arguments: both)
  func keeps(_ prefetch: Publishers.PrefetchStrategy) {
    let recorder = buffer(3, prefetch).record()
    for value in 1...3 { source.send(value) }
    #expect(recorder.events == [.subscription])
    recorder.request(.max(2))
    #expect(recorder.values == [1, 2])
    recorder.request(.unlimited)
    source.send(4)
    #expect(recorder.values == [1, 2, 3, 4])
  }

  @Test("ignores values behind the completion, also inside a request", arguments: both)
  func late(_ prefetch: Publishers.PrefetchStrategy) {
    source.onSubscribing = { [source] subscription, _ in
      subscription.onRequest = { _ in
        source.send(1)
        source.send(completion: .finished)
        source.send(2)
        source.send(completion: .failure(.oops))
      }
    }
    #expect(buffer(3, prefetch).record(demanding: .unlimited).events == [.subscription, .value(1), .finished])
  }

  @Test("kept full, requests as many values as fit, and one more for each delivery")
  func keepFull() {
    let recorder = buffer(2, .keepFull).record()
    #expect(source.events == [.requested(.max(2))])
    #expect(source.send(1) == .none)
    #expect(source.send(2) == .none)
    recorder.request(.max(1))
    #expect(source.events == [.requested(.max(2)), .requested(.max(1))])
    recorder.request(.max(2))
    #expect(source.send(3) == .max(1))
    #expect(recorder.values == [1, 2, 3])
  }

  /// What the subscriber does inside the delivery of a value, and what the upstream receives for it.
  @Test(
    "kept full, returns demand for a value when another event is nested in its delivery",
    arguments: [
      ("nothing", .max(1), []), ("request", .max(1), []), ("send", .max(2), []), ("complete", .none, []),
      ("cancel", .none, [.cancelled]),
    ] as [(String, Subscribers.Demand, [SubscriptionEvent])])
  func keepFullInside(_ action: String, _ returned: Subscribers.Demand, _ events: [SubscriptionEvent]) {
    let recorder = buffer(2, .keepFull).record(demanding: .max(3))
    recorder.onValue = { [source] (value: Int) in
      guard value == 1 else { return .none }
      switch action {
      case "request": recorder.request(.max(1))
      case "send": #expect(source.send(2) == .none)
      case "complete": source.send(completion: .finished)
      case "cancel": recorder.cancel()
      default: break
      }
      return .none
    }
    #expect(source.send(1) == returned)
    #expect(source.events == [.requested(.max(2))] + events)
    #expect(recorder.values == (action == "send" ? [1, 2] : [1]))
    #expect(recorder.isFinished == (action == "complete"))
  }

  @Test("by request, requests unlimited demand once, and drops the newest value when full", arguments: both)
  func dropNewest(_ prefetch: Publishers.PrefetchStrategy) {
    let recorder = buffer(2, prefetch, .dropNewest).record()
    for value in 1...4 { source.send(value) }
    recorder.request(.unlimited)
    #expect(recorder.values == [1, 2])
    if prefetch == .byRequest { #expect(source.events == [.requested(.unlimited)]) }
  }

  @Test("drops the oldest value when full", arguments: both)
  func dropOldest(_ prefetch: Publishers.PrefetchStrategy) {
    let recorder = buffer(2, prefetch, .dropOldest).record()
    for value in 1...4 { source.send(value) }
    recorder.request(.unlimited)
    #expect(recorder.values == [3, 4])
  }

  @Test("fails when full, cancels the upstream, and calls the error closure once", arguments: both)
  func customError(_ prefetch: Publishers.PrefetchStrategy) {
    var errors = 0
    let recorder = buffer(
      2, prefetch,
      .customError {
        errors += 1
        return .other
      }
    ).record()
    for value in 1...4 { source.send(value) }
    source.send(completion: .finished)
    #expect(source.isCancelledOnce)
    #expect(errors == 1)
    #expect(recorder.events == [.subscription])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(1), .failed(.other)])
  }

  @Test("a failure because the buffer is full follows the requested buffered values")
  func customErrorWithDemand() {
    let recorder = buffer(2, .byRequest, .customError { .other }).record()
    for value in 1...3 { source.send(value) }
    recorder.request(.max(3))
    #expect(recorder.events == [.subscription, .value(1), .value(2), .failed(.other)])
    #expect(source.isCancelledOnce)
  }

  @Test("ignores values that the error closure sends, but respects its cancellation")
  func customErrorComesBack() {
    let kept = Box<Recorder<Int, TestError>?>(nil)
    let recorder = buffer(
      1, .byRequest,
      .customError {
        source.send(3)
        kept.value?.cancel()
        return .other
      }
    ).record()
    kept.value = recorder
    source.send(1)
    source.send(2)
    recorder.request(.unlimited)
    #expect(recorder.events == [.subscription])
    #expect(source.isCancelledOnce)
    kept.value = nil
  }

  @Test("cancels a publisher that sends without end as soon as the buffer is full")
  func endlessUpstream() {
    var sent = 0
    let recorder = (1...1000).publisher.setFailureType(to: TestError.self)
      .handleEvents(receiveOutput: { _ in sent += 1 })
      .buffer(size: 2, prefetch: .byRequest, whenFull: .customError { .other })
      .record()
    #expect(sent == 3)
    #expect(recorder.events == [.subscription])
    recorder.request(.unlimited)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .failed(.other)])
  }

  @Test("cancels the upstream inside the delivery in which the buffer becomes full", arguments: both)
  func fullInsideDelivery(_ prefetch: Publishers.PrefetchStrategy) {
    let recorder = buffer(2, prefetch, .customError { .other }).record(demanding: .max(1))
    recorder.onValue = { value in
      if value == 1 {
        for next in 2...4 { source.send(next) }
        #expect(source.isCancelledOnce)
        #expect(recorder.values == [1])
      }
      return .max(1)
    }
    source.send(1)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .value(3), .failed(.other)])
    #expect(source.isCancelledOnce)
  }

  @Test("refuses a second subscription after it was full", arguments: both)
  func subscribesAfterFailure(_ prefetch: Publishers.PrefetchStrategy) {
    let silent = Source(subscribing: false)
    let recorder = silent.buffer(size: 1, prefetch: prefetch, whenFull: .customError { .other }).record()
    let (first, second) = (ManualSubscription(), ManualSubscription())
    silent.subscribers[0].receive(subscription: first)
    for value in 1...2 { silent.send(value) }
    #expect(first.events.last == .cancelled)
    silent.subscribers[0].receive(subscription: second)
    #expect(second.events == [.cancelled])
    recorder.cancel()
    #expect(first.events.filter { $0 == .cancelled }.count == 1)
  }

  @Test("with size zero, forwards requested values and treats the rest as when full")
  func empty() {
    let newest = buffer(0).record(demanding: .max(1))
    source.send(1)
    source.send(2)
    newest.request(.max(1))
    source.send(3)
    #expect(newest.values == [1, 3])
    let other = Source()
    let oldest = other.buffer(size: 0, prefetch: .keepFull, whenFull: .dropOldest).record(demanding: .unlimited)
    #expect(other.events == [])
    other.send(1)
    #expect(oldest.values == [1])
    let failing = Source()
    let failed = failing.buffer(size: 0, prefetch: .byRequest, whenFull: .customError { .oops }).record()
    failing.send(1)
    failed.request(.max(1))
    #expect(failed.events == [.subscription, .failed(.oops)])
  }

  @Test("delivers buffered values before a finish; a failure overtakes them", arguments: both)
  func ends(_ prefetch: Publishers.PrefetchStrategy) {
    let recorder = buffer(3, prefetch).record(demanding: .max(1))
    for value in 1...3 { source.send(value) }
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription, .value(1)])
    recorder.request(.max(1))
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(1), .value(2), .value(3), .finished])
    let other = Source()
    let failing = other.buffer(size: 3, prefetch: prefetch, whenFull: .dropNewest).record()
    other.send(1)
    other.send(completion: .failure(.oops))
    #expect(failing.events == [.subscription, .failed(.oops)])
  }

  @Test("delivers a re-entrant value afterwards, in order")
  func nested() {
    let recorder = buffer(5).record(demanding: .max(1))
    recorder.onValue = { value in
      if value == 1 {
        source.send(3)
        recorder.request(.max(1))
        source.send(4)
        #expect(recorder.values == [1])
      }
      return .max(1)
    }
    source.send(1)
    #expect(recorder.values == [1, 3, 4])
  }

  @Test("forwards all values of a synchronous publisher to a slow downstream")
  func synchronous() {
    let recorder = (1...10).publisher.buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest)
      .record(demanding: .max(1))
    for _ in 0..<9 { recorder.request(.max(1)) }
    #expect(recorder.values == Array(1...10))
    #expect(recorder.isFinished)
  }

  @Test("100,000 re-entrant requests don't grow the stack")
  func stack() {
    onAnotherThread {
      let recorder = (1...100_000).publisher.buffer(size: 1, prefetch: .keepFull, whenFull: .dropNewest).record()
      recorder.onValue = { _ in
        recorder.request(.max(1))
        return .none
      }
      recorder.request(.max(1))
      #expect(recorder.values.count == 100_000)
      #expect(recorder.isFinished)
    }
  }

  @Test("releases dropped values, and buffered values at a cancellation")
  func releases() {
    let subject = PassthroughSubject<Token, Never>()
    let subscriber = AnySubscriber<Token, Never>()
    let box = Box<(any Subscription)?>(nil)
    let keeping = AnySubscriber<Token, Never>(receiveSubscription: { box.value = $0 })
    subject.buffer(size: 0, prefetch: .byRequest, whenFull: .dropNewest).subscribe(subscriber)
    #expect(isReleased { token in subject.send(token) })
    subject.buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest).subscribe(keeping)
    #expect(
      isReleased { token in
        subject.send(token)
        subject.send(Token())
      })
    #expect(
      isReleased { token in
        subject.send(token)
        box.value?.cancel()
      })
  }

  @Test("describes itself by its own name")
  func name() {
    #expect(buffer(1).record().subscription.map { String(describing: $0) } == "Buffer")
  }

  @Test("keeps a sequence's values that fit: requests from the upstream before the subscriber can")
  func sequence() {
    func values(_ whenFull: Publishers.BufferingStrategy<TestError>) -> [Event<Int>] {
      let numbers = (1...5).publisher.setFailureType(to: TestError.self)
      return numbers.buffer(size: 2, prefetch: .byRequest, whenFull: whenFull).record(demanding: .unlimited).events
    }
    #expect(values(.dropOldest) == [.subscription, .value(4), .value(5), .finished])
    #expect(values(.dropNewest) == [.subscription, .value(1), .value(2), .finished])
    #expect(values(.customError { .oops }) == [.subscription, .value(1), .value(2), .failed(.oops)])
    let kept = (1...5).publisher.buffer(size: 2, prefetch: .keepFull, whenFull: .dropOldest)
    #expect(kept.record(demanding: .unlimited).values == [1, 2, 3, 4, 5])
  }

  @Test("requests from its upstream before it passes its subscription")
  func asksFirst() {
    let silent = Source(subscribing: false)
    let recorder = silent.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest).record()
    var seenAtRequest: [Event<Int>]?
    let subscription = ManualSubscription()
    subscription.onRequest = { _ in seenAtRequest = seenAtRequest ?? recorder.events }
    silent.subscribers[0].receive(subscription: subscription)
    #expect(seenAtRequest == [])
    #expect(recorder.events == [.subscription])
    #expect(subscription.events == [.requested(.max(2))])
  }
}
