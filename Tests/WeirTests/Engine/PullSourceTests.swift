import Testing

@testable import TestSupport
@testable import Weir

@Suite("PullSource")
struct PullSourceTests {
  let recorder = Recorder<Int, Never>()

  /// Counts up, and says how many of its elements were taken.
  final class Counter: Sequence, IteratorProtocol {
    private(set) var taken = 0

    func next() -> Int? {
      taken += 1
      return taken
    }
  }

  @Test("takes one element ahead of the demand and no more")
  func oneAhead() {
    let counter = Counter()
    recorder.pull("Counter", from: counter)
    #expect(counter.taken == 1)
    recorder.request(.max(3))
    #expect(recorder.values == [1, 2, 3])
    #expect(counter.taken == 4)
    recorder.cancel()
    recorder.request(.max(1))
    #expect(counter.taken == 4)
  }

  @Test("adds demand up: requested before, inside a delivery, and returned")
  func addsUp() {
    recorder.onValue = { [recorder] value in
      if value == 1 { recorder.request(.max(1)) }
      return value == 2 ? .max(1) : .none
    }
    recorder.pull("Counter", from: Counter())
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2, 3])
  }

  @Test("demand that no longer fits counts as unlimited")
  func saturates() {
    recorder.onSubscription = { subscription in
      subscription.request(.max(.max))
      subscription.request(.max(.max))
    }
    recorder.pull("Range", from: (1...5).makeIterator())
    #expect(recorder.events == [.subscription] + (1...5).map { .value($0) } + [.finished])
  }

  /// When each value is requested.
  enum Requests: CaseIterable {
    case oneAfterAnother, inside, returned, onOtherThreads, together
  }

  @Test("never copies the iterator, however values are requested", arguments: Requests.allCases)
  func copies(_ requests: Requests) {
    let elements = CopyCounting(end: 100)
    if requests == .inside {
      recorder.onValue = { [recorder] _ in
        recorder.request(.max(1))
        return .none
      }
    }
    if requests == .returned { recorder.onValue = { _ in .max(1) } }
    elements.publisher.subscribe(recorder)
    switch requests {
    case .oneAfterAnother: for _ in 0..<100 { recorder.request(.max(1)) }
    case .inside, .returned: recorder.request(.max(1))
    case .onOtherThreads: for _ in 0..<100 { onAnotherThread { recorder.request(.max(1)) } }
    case .together: recorder.request(.unlimited)
    }
    #expect(recorder.values == Array(0..<100))
    #expect(recorder.isFinished)
    #expect(elements.copies.value == 0)
  }

  @Test("a mirror that is taken while the loop runs, or at rest, shows the sequence and copies no iterator")
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
    #expect(elements.copies.value == 0)
    #expect(recorder.isFinished)
  }

  /// Where the subscription ends, in relation to the loop.
  enum End: CaseIterable {
    case atRest, inDelivery, inIterator, inIteratorOnAnotherThread, byItself
  }

  @Test("releases the iterator, wherever the subscription ends", arguments: End.allCases)
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
      recorder.pull("Counter", from: iterator)
      for _ in 0..<3 { recorder.request(.max(1)) }
      if end == .atRest { recorder.cancel() }
      #expect(recorder.values == [1, 2, 3])
    }
    #expect(isReleased)
  }

  @Test("shows the name of the source")
  func name() {
    recorder.pull("Counter", from: Counter())
    #expect(recorder.subscription.map { String(describing: $0) } == "Counter")
    #expect(recorder.subscription is PullSubscription)
  }

  /// Does something while a mirror reads.
  struct Busy: PullOrigin {
    let act: () -> Void

    func shown(upcoming: Int?) -> PullShown {
      act()
      return PullShown(description: nil, children: [])
    }
  }

  @Test("serves what is requested while a mirror reads, and a cancel then")
  func mirrored() {
    let recorder = Recorder<Int, Never>()
    var act: () -> Void = { recorder.request(.max(1)) }
    recorder.pull("Busy", from: [1, 2, 3].makeIterator(), of: Busy { act() })
    _ = recorder.subscription.map { Mirror(reflecting: $0) }
    #expect(recorder.events == [.subscription, .value(1)])
    act = { recorder.cancel() }
    _ = recorder.subscription.map { Mirror(reflecting: $0) }
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(1)])
  }

  // MARK: Other threads

  @Test("a request of another thread waits until the subscriber has received its subscription")
  func announcement() {
    recorder.onSubscription = { [recorder] subscription in
      onAnotherThread { subscription.request(.max(2)) }
      #expect(recorder.events == [.subscription])
    }
    recorder.pull("Range", from: (1...5).makeIterator())
    #expect(recorder.events == [.subscription, .value(1), .value(2)])
    onAnotherThread { recorder.request(.max(1)) }
    #expect(recorder.events == [.subscription, .value(1), .value(2), .value(3)])
  }

  @Test("a request from inside the subscription is answered immediately, and with it those of other threads")
  func ownRequestWhileAnnounced() {
    recorder.onSubscription = { [recorder] subscription in
      onAnotherThread { subscription.request(.max(1)) }
      subscription.request(.max(1))
      #expect(recorder.events == [.subscription, .value(1), .value(2)])
      onAnotherThread { subscription.request(.max(1)) }
      #expect(recorder.values == [1, 2])
    }
    recorder.pull("Range", from: (1...5).makeIterator())
    #expect(recorder.values == [1, 2, 3])
  }

  @Test("a cancel from inside the subscription drops what other threads have requested", arguments: [false, true])
  func cancelWhileAnnounced(isOnAnotherThread: Bool) {
    let isReleased = isReleased { token in
      let recorder = Recorder<Int, Never>()
      recorder.onSubscription = { subscription in
        onAnotherThread { subscription.request(.max(1)) }
        if isOnAnotherThread { onAnotherThread { subscription.cancel() } } else { subscription.cancel() }
      }
      recorder.pull("Counter", from: AnyIterator<Int> { withExtendedLifetime(token) { 1 } })
      #expect(recorder.events == [.subscription])
    }
    #expect(isReleased)
  }

  @Test("a mirror that is taken from inside the subscription shows the sequence, on another thread nothing")
  func mirroredWhileAnnounced() {
    var counts: [Int] = []
    recorder.onSubscription = { subscription in
      counts.append(Mirror(reflecting: subscription).children.count)
      onAnotherThread { counts.append(Mirror(reflecting: subscription).children.count) }
      onAnotherThread { subscription.request(.max(1)) }
      counts.append(Mirror(reflecting: subscription).children.count)
    }
    (1...3).lazy.publisher.subscribe(recorder)
    #expect(counts == [1, 0, 1])
    #expect(recorder.values == [1])
  }

  @Test("a recording and single values wait for the subscriber, too")
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
