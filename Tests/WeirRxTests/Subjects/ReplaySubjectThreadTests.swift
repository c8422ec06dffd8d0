import Testing
import Weir
import WeirRx

@testable import TestSupport

/// A thread that subscribes to a subject with a history, or requests values of it, delivers nothing of what another
/// thread sends to other subscribers.
@Suite("ReplaySubject on several threads")
struct ReplaySubjectThreadTests {
  typealias Subject = ReplaySubject<Int, TestError>

  @Test("what another thread sends during a subscription is delivered there, and then behind the history")
  func sendsDuringSubscription() {
    let subject = Subject(bufferSize: 2)
    for value in 1...3 { subject.send(value) }
    let first = subject.record(demanding: .unlimited)
    let second = Recorder<Int, TestError>()
    second.onSubscription = { (subscription: any Subscription) in
      onAnotherThread { subject.send(4) }
      subscription.request(.unlimited)
      #expect(second.values == [3, 4])
      onAnotherThread { for value in 5...8 { subject.send(value) } }
      #expect(first.values == [2, 3, 4, 5, 6, 7, 8])
      #expect(second.values == [3, 4])
    }
    subject.subscribe(second)
    subject.send(9)
    subject.send(completion: .finished)
    #expect(second.events == [.subscription] + [3, 4, 5, 6, 7, 8, 9].map { .value($0) } + [.finished])
  }

  @Test("what another thread sends during a replayed value is delivered there, and then behind the history")
  func sendsDuringARequest() {
    let subject = Subject(bufferSize: 2)
    for value in 1...2 { subject.send(value) }
    let first = subject.record(demanding: .unlimited)
    let second = subject.record()
    let third = subject.record(demanding: .unlimited)
    second.onValue = { (value: Int) -> Subscribers.Demand in
      if value == 1 {
        onAnotherThread {
          for value in 3...6 { subject.send(value) }
          subject.send(completion: .finished)
        }
        #expect(first.events.suffix(2) == [.value(6), .finished])
        #expect(third.isFinished)
      }
      return .none
    }
    second.request(.unlimited)
    #expect(second.events == first.events)
  }

  @Test(
    "a subscriber receives what it sends in its subscription while another thread delivers", arguments: [true, false])
  func sendsWhileAnotherThreadDelivers(_ isNested: Bool) {
    let subject = Subject(bufferSize: 2)
    subject.send(0)
    let (first, second) = (Recorder<Int, TestError>(demanding: .unlimited), Recorder<Int, TestError>())
    first.onValue = { (value: Int) -> Subscribers.Demand in
      if value == 1 {
        onAnotherThread { subject.subscribe(second) }
        if isNested { for value in 3...5 { subject.send(value) } }
      }
      return .none
    }
    second.onSubscription = { (subscription: any Subscription) in
      subscription.request(.unlimited)
      subject.send(2)
    }
    subject.subscribe(first)
    subject.send(1)
    if !isNested { for value in 3...5 { subject.send(value) } }
    #expect(first.values == Array(0...5))
    #expect(second.values == Array(0...5))
  }

  @Test("a buffer behind a history keeps to its size while another thread sends")
  func buffers() {
    let subject = ReplaySubject<Int, Never>(bufferSize: 3)
    for value in 1...3 { subject.send(value) }
    var values: [Int] = []
    let sink = subject.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest).sink { (value: Int) in
      values.append(value)
      if values.count == 1 { onAnotherThread { for value in 4...1_000 { subject.send(value) } } }
    }
    #expect(values == [values[0], 999, 1_000])
    withExtendedLifetime(sink) {}
  }

  @Test("a subscriber that requests single values takes them from the history, and the completion behind them")
  func singleRequests() {
    let subject = Subject(bufferSize: 3)
    let recorder = subject.record()
    for value in 1...3 { subject.send(value) }
    recorder.onValue = { (value: Int) -> Subscribers.Demand in
      if value == 1 { onAnotherThread { subject.send(completion: .finished) } }
      return .none
    }
    recorder.request(.max(1))
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(1), .value(2)])
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription, .value(1), .value(2), .value(3), .finished])
  }

  @Test(
    "a thread's own send during a replayed value follows the history, also in a subscription", arguments: [true, false])
  func nested(_ isInSubscription: Bool) {
    let subject = Subject(bufferSize: 3)
    for value in 1...3 { subject.send(value) }
    let recorder = Recorder<Int, TestError>()
    recorder.onValue = { (value: Int) -> Subscribers.Demand in
      if value == 1 { for value in 4...8 { subject.send(value) } }
      return .none
    }
    if isInSubscription { recorder.onSubscription = { $0.request(.unlimited) } }
    subject.subscribe(recorder)
    if !isInSubscription { recorder.request(.unlimited) }
    #expect(recorder.values == Array(1...8))
  }

  @Test("a completion that a thread sends during the last value of a history is nested")
  func nestedCompletion() {
    let subject = Subject()
    subject.send(1)
    let recorder = subject.record()
    recorder.onValue = { (_: Int) -> Subscribers.Demand in
      subject.send(completion: .finished)
      #expect(recorder.isFinished)
      return .none
    }
    recorder.request(.unlimited)
    #expect(recorder.events == [.subscription, .value(1), .finished])
  }

  /// When a subscriber receives 1, sends 2 on another thread, attaches a new one, and then acts.
  func attach(
    _ new: Recorder<Int, TestError>, to subject: Subject, inside first: Recorder<Int, TestError>,
    _ act: @escaping () -> Void
  ) {
    first.onValue = { (value: Int) -> Subscribers.Demand in
      if value == 1 {
        onAnotherThread { subject.send(2) }
        subject.subscribe(new)
        act()
      }
      return .none
    }
  }

  @Test(
    "a subscriber that comes in a delivery receives the history, and what is pending behind it", arguments: [0, 1, 3])
  func comesInADelivery(_ size: Int) {
    let subject = Subject(bufferSize: size)
    subject.send(0)
    let first = subject.record(demanding: .unlimited)
    let second = subject.record(demanding: .unlimited)
    let third = Recorder<Int, TestError>(demanding: .unlimited)
    attach(third, to: subject, inside: first) { #expect(third.values == (0...1).suffix(size)) }
    subject.send(1)
    subject.send(3)
    #expect(second.values == (size == 0 ? [] : [0]) + [1, 2, 3])
    #expect(third.values == (size == 0 ? [3] : Array((0...1).suffix(size)) + [2, 3]))
  }

  @Test("a subscriber of a subject without a history receives nothing from before it comes in a delivery")
  func comesWithoutHistory() {
    let subject = Subject(bufferSize: 0)
    let first = subject.record(demanding: .unlimited)
    let second = Recorder<Int, TestError>(demanding: .unlimited)
    attach(second, to: subject, inside: first) { subject.send(3) }
    subject.send(1)
    #expect(first.values == [1, 2, 3])
    #expect(second.values == [3])
  }

  @Test("a subscriber that cancels during a replayed value receives nothing more, and is released")
  func cancels() {
    let subject = Subject()
    for value in 1...3 { subject.send(value) }
    weak var released: Recorder<Int, TestError>?
    do {
      let recorder = subject.record()
      released = recorder
      recorder.onValue = { [unowned recorder] (_: Int) -> Subscribers.Demand in
        onAnotherThread {
          subject.send(4)
          recorder.cancel()
        }
        return .none
      }
      recorder.request(.unlimited)
      #expect(recorder.values == [1])
    }
    #expect(released == nil)
    #expect(subject.record(demanding: .unlimited).values == [1, 2, 3, 4])
  }

  @Test("a long history is replayed in constant stack, one request in each value")
  func requestsInValues() {
    let subject = ReplaySubject<Int, Never>()
    for value in 0..<20_000 { subject.send(value) }
    let recorder = subject.record()
    recorder.onValue = { [unowned recorder] (_: Int) -> Subscribers.Demand in
      recorder.request(.max(1))
      return .none
    }
    onAnotherThread { recorder.request(.max(1)) }
    #expect(recorder.values == Array(0..<20_000))
  }
}
