import Testing

@testable import TestSupport
@testable import Weir

@Suite("PullSource")
struct PullSourceTests {
  let recorder = Recorder<Int, Never>()

  /// Counts up, and counts the elements that were taken.
  final class Counter: Sequence, IteratorProtocol {
    private(set) var taken = 0

    func next() -> Int? {
      taken += 1
      return taken
    }
  }

  @Test("takes at most one element ahead of the demand")
  func oneAhead() {
    let counter = Counter()
    Downstream.pull("Counter", from: counter, to: Downstream(recorder)) { PullShown(children: []) }
    #expect(counter.taken == 1)
    recorder.request(.max(3))
    #expect(recorder.values == [1, 2, 3])
    #expect(counter.taken == 4)
    recorder.cancel()
    recorder.request(.max(1))
    #expect(counter.taken == 4)
  }

  @Test("accumulates demand: requested before, during a delivery, and returned")
  func addsUp() {
    recorder.onValue = { [recorder] value in
      if value == 1 { recorder.request(.max(1)) }
      return value == 2 ? .max(1) : .none
    }
    Downstream.pull("Counter", from: Counter(), to: Downstream(recorder)) { PullShown(children: []) }
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2, 3])
  }

  /// A value whose release requests the next one.
  final class Asking {
    private let ask: () -> Void

    init(_ ask: @escaping () -> Void) {
      self.ask = ask
    }

    deinit { ask() }
  }

  @Test("serves demand that only the deinit of a value requests")
  func deinits() {
    var count = 0
    var subscription: (any Subscription)?
    let values = AnySequence {
      AnyIterator { () -> Asking? in count < 4 ? Asking { subscription?.request(.max(1)) } : nil }
    }
    let sink = AnySubscriber<Asking, Never>(
      receiveSubscription: { subscription = $0 },
      receiveValue: { (_: Asking) in
        count += 1
        return .none
      })
    values.publisher.subscribe(sink)
    subscription?.request(.max(1))
    #expect(count == 4)
    subscription = nil
  }

  @Test("delivers values that another thread requests during the subscription after it", arguments: [false, true])
  func requestElsewhereDuringSubscription(isOne: Bool) {
    var log: [String] = []
    recorder.onSubscription = { subscription in
      log.append("subscribing")
      onAnotherThread { subscription.request(.max(1)) }
      log.append("subscribed")
    }
    recorder.onValue = { value in
      log.append("value \(value)")
      return .none
    }
    if isOne { Just(1).subscribe(recorder) } else { (1...2).lazy.publisher.subscribe(recorder) }
    #expect(log == ["subscribing", "subscribed", "value 1"])
    #expect(recorder.events == [.subscription, .value(1)] + (isOne ? [.finished] : []))
    recorder.request(.max(1))
    #expect(recorder.values == (isOne ? [1] : [1, 2]))
  }

  @Test("delivers values requested during the subscription immediately, and those that another thread adds")
  func requestsDuringSubscription() {
    var log: [String] = []
    recorder.onSubscription = { subscription in
      subscription.request(.max(1))
      log.append("first")
      onAnotherThread { subscription.request(.max(1)) }
      log.append("second")
      subscription.request(.max(1))
      log.append("third")
    }
    recorder.onValue = { value in
      log.append("value \(value)")
      return .none
    }
    (1...9).lazy.publisher.subscribe(recorder)
    #expect(log == ["value 1", "first", "second", "value 2", "value 3", "third"])
  }

  @Test("drops demand that was requested during the subscription if that cancels")
  func cancelsDuringSubscription() {
    recorder.onSubscription = { subscription in
      onAnotherThread { subscription.request(.max(1)) }
      subscription.cancel()
    }
    (1...9).lazy.publisher.subscribe(recorder)
    #expect(recorder.events == [.subscription])
  }

  @Test("the delivering loop serves requests that another thread makes during a delivery")
  func requestElsewhere() {
    var log: [String] = []
    recorder.onValue = { [recorder] value in
      log.append("enter \(value)")
      if value == 1 { onAnotherThread { recorder.request(.max(1)) } }
      log.append("leave \(value)")
      return .none
    }
    Downstream.pull("Counter", from: Counter(), to: Downstream(recorder)) { PullShown(children: []) }
    recorder.request(.max(1))
    #expect(log == ["enter 1", "leave 1", "enter 2", "leave 2"])
  }

  @Test("treats overflowing demand as unlimited")
  func saturates() {
    recorder.onSubscription = { subscription in
      subscription.request(.max(.max))
      subscription.request(.max(.max))
    }
    Downstream.pull("Range", from: (1...5).makeIterator(), to: Downstream(recorder)) { PullShown(children: []) }
    #expect(recorder.events == [.subscription] + (1...5).map { .value($0) } + [.finished])
  }

  /// The time of each request.
  enum Requests: CaseIterable {
    case oneAfterAnother, inside, returned, onOtherThreads, together
  }

  @Test("copies the iterator at most once, for every way of requesting", arguments: Requests.allCases, [false, true])
  func copies(_ requests: Requests, isLazy: Bool) {
    let elements = CopyCounting(end: 100)
    if requests == .inside {
      recorder.onValue = { [recorder] _ in
        recorder.request(.max(1))
        return .none
      }
    }
    if requests == .returned { recorder.onValue = { _ in .max(1) } }
    if isLazy {
      elements.lazy.map { $0 }.publisher.subscribe(recorder)
    } else {
      elements.publisher.subscribe(recorder)
    }
    switch requests {
    case .oneAfterAnother: for _ in 0..<100 { recorder.request(.max(1)) }
    case .inside, .returned: recorder.request(.max(1))
    case .onOtherThreads: for _ in 0..<100 { onAnotherThread { recorder.request(.max(1)) } }
    case .together: recorder.request(.unlimited)
    }
    #expect(recorder.values == Array(0..<100))
    #expect(recorder.isFinished)
    #expect(elements.copies.value <= 1)
  }

  @Test("a mirror during the loop, or while idle, shows the sequence without copying an iterator")
  func mirrorsWhileRunning() {
    let elements = CopyCounting(end: 10)
    var shown: [Int] = []
    func show() {
      let mirror = recorder.subscription.map { Mirror(reflecting: $0) }
      shown.append(mirror?.children.count { $0.value is CopyCounting } ?? 0)
    }
    recorder.onValue = { _ in
      show()
      return .none
    }
    elements.publisher.subscribe(recorder)
    for _ in 0..<10 {
      show()
      recorder.request(.max(1))
    }
    #expect(shown == Array(repeating: 1, count: 20))
    #expect(elements.copies.value <= 1)
    #expect(recorder.isFinished)
  }

  /// The time of the termination, in relation to the loop.
  enum End: CaseIterable {
    case atRest, inDelivery, inIterator, inIteratorOnAnotherThread, byItself
  }

  @Test("releases the iterator at every termination", arguments: End.allCases)
  func releasesIterator(_ end: End) {
    let isReleased = isReleased { token in
      let recorder = Recorder<Int, Never>()
      var count = 0
      let iterator = AnyIterator<Int> {
        count += 1
        if count == 4, end == .inIterator { recorder.cancel() }
        if count == 4, end == .inIteratorOnAnotherThread { onAnotherThread { recorder.cancel() } }
        if count == 4, end == .byItself { return nil }
        return withExtendedLifetime(token) { count }
      }
      recorder.onValue = { value in
        if value == 3, end == .inDelivery { recorder.cancel() }
        return .none
      }
      Downstream.pull("Counter", from: iterator, to: Downstream(recorder)) { PullShown(children: []) }
      for _ in 0..<3 { recorder.request(.max(1)) }
      if end == .atRest { recorder.cancel() }
      #expect(recorder.values == [1, 2, 3])
    }
    #expect(isReleased)
  }

  @Test("has the name of the source")
  func name() {
    Downstream.pull("Counter", from: Counter(), to: Downstream(recorder)) { PullShown(children: []) }
    #expect(recorder.subscription.map { String(describing: $0) } == "Counter")
    #expect(recorder.subscription is PullSubscription)
  }

  @Test("serves requests during a mirror's read, and a cancellation then")
  func mirrored() {
    let recorder = Recorder<Int, Never>()
    var act: () -> Void = { recorder.request(.max(1)) }
    Downstream.pull("Busy", from: [1, 2, 3].makeIterator(), to: Downstream(recorder)) {
      act()
      return PullShown(children: [])
    }
    _ = recorder.subscription.map { Mirror(reflecting: $0) }
    #expect(recorder.events == [.subscription, .value(1)])
    act = { recorder.cancel() }
    _ = recorder.subscription.map { Mirror(reflecting: $0) }
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(1)])
  }

  // MARK: Other threads

  @Test("a request of another thread is pending until the subscriber has received its subscription")
  func announcement() {
    recorder.onSubscription = { [recorder] subscription in
      onAnotherThread { subscription.request(.max(2)) }
      #expect(recorder.events == [.subscription])
    }
    Downstream.pull("Range", from: (1...5).makeIterator(), to: Downstream(recorder)) { PullShown(children: []) }
    #expect(recorder.events == [.subscription, .value(1), .value(2)])
    onAnotherThread { recorder.request(.max(1)) }
    #expect(recorder.events == [.subscription, .value(1), .value(2), .value(3)])
  }

  @Test("serves a request during the subscription immediately, with those of other threads")
  func ownRequestWhileAnnounced() {
    recorder.onSubscription = { [recorder] subscription in
      onAnotherThread { subscription.request(.max(1)) }
      subscription.request(.max(1))
      #expect(recorder.events == [.subscription, .value(1), .value(2)])
      onAnotherThread { subscription.request(.max(1)) }
      #expect(recorder.values == [1, 2])
    }
    Downstream.pull("Range", from: (1...5).makeIterator(), to: Downstream(recorder)) { PullShown(children: []) }
    #expect(recorder.values == [1, 2, 3])
  }

  @Test("a cancellation during the subscription drops requests of other threads", arguments: [false, true])
  func cancelWhileAnnounced(isOnAnotherThread: Bool) {
    let isReleased = isReleased { token in
      let recorder = Recorder<Int, Never>()
      recorder.onSubscription = { subscription in
        onAnotherThread { subscription.request(.max(1)) }
        if isOnAnotherThread { onAnotherThread { subscription.cancel() } } else { subscription.cancel() }
      }
      let ones = AnyIterator<Int> { withExtendedLifetime(token) { 1 } }
      Downstream.pull("Counter", from: ones, to: Downstream(recorder)) { PullShown(children: []) }
      #expect(recorder.events == [.subscription])
    }
    #expect(isReleased)
  }

  @Test("a recording and single values wait for the subscription too")
  func announcements() {
    func events<P: Publisher>(_ publisher: P) -> [Event<Int>] where P.Output == Int {
      let recorder = Recorder<Int, P.Failure>()
      recorder.onSubscription = { [recorder] subscription in
        onAnotherThread { subscription.request(.unlimited) }
        #expect(recorder.events == [.subscription])
      }
      publisher.subscribe(recorder)
      return recorder.events
    }
    #expect(events(Just(1)) == [.subscription, .value(1), .finished])
    #expect(events(Int?.some(1).publisher) == [.subscription, .value(1), .finished])
    #expect(events(Result<Int, TestError>.success(1).publisher) == [.subscription, .value(1), .finished])
    #expect(
      events(Record<Int, TestError>(output: [1, 2], completion: .failure(.oops)))
        == [.subscription, .value(1), .value(2), .failed(.oops)])
    #expect(events(Future<Int, TestError> { $0(.success(1)) }) == [.subscription, .value(1), .finished])
    #expect(events(CurrentValueSubject<Int, Never>(1)) == [.subscription, .value(1)])
  }
}
