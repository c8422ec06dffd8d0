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
    Downstream(recorder).pull("Counter", from: counter) { PullShown(children: []) }
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
    Downstream(recorder).pull("Counter", from: Counter()) { PullShown(children: []) }
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2, 3])
  }

  /// A value whose end asks for the next.
  final class Asking {
    private let ask: () -> Void

    init(_ ask: @escaping () -> Void) {
      self.ask = ask
    }

    deinit { ask() }
  }

  @Test("demand that only the deinit of a value brings is served")
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

  @Test("delivers what another thread requests during the subscription after it", arguments: [false, true])
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

  @Test("delivers what is requested during the subscription at once, and what another thread adds")
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

  @Test("delivers nothing that was requested during the subscription when that has cancelled, either")
  func cancelsDuringSubscription() {
    recorder.onSubscription = { subscription in
      onAnotherThread { subscription.request(.max(1)) }
      subscription.cancel()
    }
    (1...9).lazy.publisher.subscribe(recorder)
    #expect(recorder.events == [.subscription])
  }

  @Test("leaves what another thread requests during a delivery to the loop that delivers")
  func requestElsewhere() {
    var log: [String] = []
    recorder.onValue = { [recorder] value in
      log.append("enter \(value)")
      if value == 1 { onAnotherThread { recorder.request(.max(1)) } }
      log.append("leave \(value)")
      return .none
    }
    Downstream(recorder).pull("Counter", from: Counter()) { PullShown(children: []) }
    recorder.request(.max(1))
    #expect(log == ["enter 1", "leave 1", "enter 2", "leave 2"])
  }

  @Test("demand that no longer fits counts as unlimited")
  func saturates() {
    recorder.onSubscription = { subscription in
      subscription.request(.max(.max))
      subscription.request(.max(.max))
    }
    Downstream(recorder).pull("Range", from: (1...5).makeIterator()) { PullShown(children: []) }
    #expect(recorder.events == [.subscription] + (1...5).map { .value($0) } + [.finished])
  }

  @Test("shows the name of the source")
  func name() {
    Downstream(recorder).pull("Counter", from: Counter()) { PullShown(children: []) }
    #expect(recorder.subscription.map { String(describing: $0) } == "Counter")
    #expect(recorder.subscription is PullSubscription)
  }

  @Test("serves what is requested while a mirror reads, and a cancel then")
  func mirrored() {
    let recorder = Recorder<Int, Never>()
    var act: () -> Void = { recorder.request(.max(1)) }
    Downstream(recorder).pull("Busy", from: [1, 2, 3].makeIterator()) {
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
}
