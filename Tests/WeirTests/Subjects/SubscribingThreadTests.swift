import Dispatch
import Testing
import Weir

@testable import TestSupport

/// A thread that subscribes or cancels delivers nothing of what another thread sends to other subscribers.
@Suite("threads that only subscribe to a subject")
struct SubscribingThreadTests {
  @Test(
    "what another thread sends during a subscription is delivered there, and then to the new subscriber",
    arguments: SubjectKind.allCases)
  func sendsDuringSubscription(_ kind: SubjectKind) {
    let subject = kind.make(0)
    let (first, second) = (Recorder<Int, TestError>(demanding: .unlimited), Recorder<Int, TestError>())
    subject.subscribe(first)
    second.onSubscription = { (subscription: any Subscription) in
      subscription.request(.unlimited)
      onAnotherThread { for value in 1...3 { subject.send(value) } }
      #expect(first.values.suffix(3) == [1, 2, 3])
      #expect(second.values == (kind == .currentValue ? [0] : []))
    }
    subject.subscribe(second)
    subject.send(4)
    subject.send(completion: .finished)
    let initial: [Event<Int>] = kind == .currentValue ? [.value(0)] : []
    #expect(second.events == [.subscription] + initial + [1, 2, 3, 4].map { .value($0) } + [.finished])
    #expect(first.values.suffix(4) == [1, 2, 3, 4])
  }

  @Test(
    "a subscriber receives what it sends in its subscription while another thread delivers",
    arguments: SubjectKind.allCases, [true, false])
  func sendsWhileAnotherThreadDelivers(_ kind: SubjectKind, _ isNested: Bool) {
    let subject = kind.make(0)
    let (first, second, third) = (
      Recorder<Int, TestError>(demanding: .unlimited), Recorder<Int, TestError>(),
      Recorder<Int, TestError>(demanding: .unlimited)
    )
    first.onValue = { (value: Int) -> Subscribers.Demand in
      if value == 1 {
        onAnotherThread { subject.subscribe(second) }
        if isNested { subject.send(3) }
      }
      return .none
    }
    second.onSubscription = { (subscription: any Subscription) in
      subscription.request(.unlimited)
      subject.send(2)
      #expect(second.values == [])
    }
    subject.subscribe(first)
    subject.subscribe(third)
    subject.send(1)
    if !isNested { subject.send(3) }
    subject.send(completion: .finished)
    #expect(first.values.suffix(3) == [1, 2, 3])
    #expect(third.values.suffix(3) == (isNested ? [2, 3, 1] : [1, 2, 3]))
    let values = kind == .currentValue ? [1, 2, 3] : [2, 3]
    #expect(second.events == [.subscription] + values.map { .value($0) } + [.finished])
  }

  @Test("a completion that a subscriber sends in its subscription while another thread delivers reaches it")
  func completesWhileAnotherThreadDelivers() {
    let subject = PassthroughSubject<Int, TestError>()
    let (first, second) = (
      Recorder<Int, TestError>(demanding: .unlimited), Recorder<Int, TestError>(demanding: .unlimited)
    )
    first.onValue = { (value: Int) -> Subscribers.Demand in
      onAnotherThread { subject.subscribe(second) }
      return .none
    }
    let request = second.onSubscription
    second.onSubscription = { (subscription: any Subscription) in
      request(subscription)
      subject.send(completion: .finished)
    }
    subject.subscribe(first)
    subject.send(1)
    #expect(first.events == [.subscription, .value(1), .finished])
    #expect(second.events == [.subscription, .finished])
  }

  @Test("a subscriber that cancels in its subscription while another thread delivers is released")
  func cancelsWhileAnotherThreadDelivers() {
    let subject = PassthroughSubject<Int, TestError>()
    let first = Recorder<Int, TestError>(demanding: .unlimited)
    weak var released: Recorder<Int, TestError>?
    first.onValue = { (value: Int) -> Subscribers.Demand in
      if value > 1 { return .none }
      let second = Recorder<Int, TestError>()
      released = second
      second.onSubscription = { (subscription: any Subscription) in
        subscription.request(.unlimited)
        subject.send(2)
        subscription.cancel()
      }
      onAnotherThread { subject.subscribe(second) }
      return .none
    }
    subject.subscribe(first)
    subject.send(1)
    #expect(first.values == [1, 2])
    #expect(released == nil)
  }

  @Test("a subscriber that its thread leaves while another one delivers what is pending joins the others")
  func leavesWhileDraining() {
    weak var released: CurrentValueSubject<Int, Never>?
    var values: [Int] = []
    do {
      let subject = CurrentValueSubject<Int, Never>(0)
      released = subject
      let (entered, returned, sent) = (
        DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
      )
      let sink = subject.handleEvents(receiveOutput: { (value: Int) in
        if value == 0 { onAnotherThread { subject.send(1) } }
        if value == 1 {
          entered.signal()
          returned.wait()
          subject.send(3)
        }
      }).buffer(size: 9, prefetch: .byRequest, whenFull: .dropNewest).sink { (value: Int) in
        values.append(value)
        if value > 0 { return }
        // The queue may release its closure after the end of this test.
        DispatchQueue.global().async { [unowned subject] in
          subject.send(2)
          sent.signal()
        }
        entered.wait()
      }
      returned.signal()
      sent.wait()
      #expect(values == [0, 3, 1, 2])
      subject.send(4)
      #expect(values.last == 4)
      sink.cancel()
    }
    #expect(released == nil)
  }

  @Test("a subscriber that two threads have left while a third one delivers joins the others once")
  func isLeftTwice() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let (secondDelivers, secondMayLeave, secondHasLeft) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let (thirdDelivers, thirdMayLeave, thirdHasLeft) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let other = subject.sink { (value: Int) in
      if value != 6 { return }
      thirdDelivers.signal()
      thirdMayLeave.wait()
      // Both additions are pending, and are performed inside this delivery.
      subject.send(7)
    }
    var (values, requests) = ([Int](), 0)
    var member: (any Subscription)?
    let second = DispatchWorkItem {
      member?.request(.max(1))
      secondHasLeft.signal()
    }
    let third = DispatchWorkItem {
      subject.send(6)
      thirdHasLeft.signal()
    }
    let sink = subject.handleEvents(
      receiveSubscription: { (subscription: any Subscription) in member = subscription },
      receiveRequest: { (_: Subscribers.Demand) in
        requests += 1
        // The first thread has delivered 0, and requests the next value.
        if requests != 2 { return }
        subject.send(5)
        DispatchQueue.global().async(execute: second)
        secondDelivers.wait()
        DispatchQueue.global().async(execute: third)
        thirdDelivers.wait()
      }
    )
    .buffer(size: 1, prefetch: .keepFull, whenFull: .dropNewest).sink { (value: Int) in
      values.append(value)
      if value != 5 { return }
      secondDelivers.signal()
      secondMayLeave.wait()
    }
    secondMayLeave.signal()
    secondHasLeft.wait()
    thirdMayLeave.signal()
    thirdHasLeft.wait()
    subject.send(8)
    #expect(values == [0, 5, 7, 6, 8])
    // The list still has as many kept places as there are detached subscribers.
    let last = Recorder<Int, Never>(demanding: .unlimited)
    last.onValue = { (_: Int) -> Subscribers.Demand in
      onAnotherThread {
        other.cancel()
        sink.cancel()
      }
      return .none
    }
    subject.subscribe(last)
    subject.send(9)
    #expect(last.values == [8, 9])
  }

  @Test("of such values the new subscriber receives as many as it has requested")
  func finiteDemand() {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    recorder.onSubscription = { (subscription: any Subscription) in
      subscription.request(.max(2))
      onAnotherThread { for value in 1...3 { subject.send(value) } }
    }
    subject.subscribe(recorder)
    #expect(recorder.values == [1, 2])
    recorder.request(.max(1))
    subject.send(4)
    #expect(recorder.values == [1, 2, 4])
  }

  @Test("a subject with a value delivers its last one at the next request")
  func latest() {
    let subject = CurrentValueSubject<Int, TestError>(0)
    let recorder = Recorder<Int, TestError>()
    recorder.onSubscription = { (subscription: any Subscription) in
      subscription.request(.max(2))
      onAnotherThread { for value in 1...3 { subject.send(value) } }
    }
    subject.subscribe(recorder)
    #expect(recorder.values == [0, 1])
    recorder.request(.max(1))
    #expect(recorder.values == [0, 1, 3])
  }

  @Test("values that another thread sends during the delivery of the current one follow it")
  func duringTheCurrentValue() {
    let subject = CurrentValueSubject<Int, TestError>(0)
    let (first, second) = (
      Recorder<Int, TestError>(demanding: .unlimited), Recorder<Int, TestError>(demanding: .unlimited)
    )
    subject.subscribe(first)
    second.onValue = { (value: Int) -> Subscribers.Demand in
      if value == 0 {
        onAnotherThread { for value in 1...2 { subject.send(value) } }
        #expect(first.values == [0, 1, 2])
      }
      return .none
    }
    subject.subscribe(second)
    #expect(second.values == [0, 1, 2])
  }

  @Test("a nested value follows what another thread has sent during the subscription", arguments: SubjectKind.allCases)
  func nested(_ kind: SubjectKind) {
    let subject = kind.make(0)
    let (first, second) = (Recorder<Int, TestError>(demanding: .unlimited), Recorder<Int, TestError>())
    subject.subscribe(first)
    second.onSubscription = { (subscription: any Subscription) in
      subscription.request(.unlimited)
      subject.send(1)
      #expect(second.values.last == 1)
      onAnotherThread { subject.send(2) }
      subject.send(3)
      #expect(second.values.last == 1)
    }
    subject.subscribe(second)
    #expect(first.values.suffix(3) == [1, 2, 3])
    #expect(second.values.suffix(3) == [1, 2, 3])
  }

  @Test(
    "a completion of another thread, or a nested one, follows the subscription", arguments: SubjectKind.allCases,
    [true, false])
  func completes(_ kind: SubjectKind, _ isNested: Bool) {
    let subject = kind.make(0)
    let (first, second) = (
      Recorder<Int, TestError>(demanding: .unlimited), Recorder<Int, TestError>(demanding: .unlimited)
    )
    subject.subscribe(first)
    let request = second.onSubscription
    second.onSubscription = { (subscription: any Subscription) in
      request(subscription)
      let end = {
        subject.send(1)
        subject.send(completion: .finished)
      }
      if isNested { end() } else { onAnotherThread(end) }
      #expect(first.isFinished)
      #expect(second.isFinished == isNested)
    }
    subject.subscribe(second)
    #expect(second.events.suffix(2) == [.value(1), .finished])
    #expect(first.events == second.events)
  }

  @Test(
    "a subscriber that cancels in its subscription receives nothing of what was sent before, and is released",
    arguments: SubjectKind.allCases)
  func cancels(_ kind: SubjectKind) {
    let subject = kind.make(0)
    weak var released: Recorder<Int, TestError>?
    var events: [Event<Int>] = []
    do {
      let recorder = Recorder<Int, TestError>()
      released = recorder
      recorder.onSubscription = { [unowned recorder] (subscription: any Subscription) in
        subscription.request(.unlimited)
        onAnotherThread { subject.send(1) }
        subscription.cancel()
        events = recorder.events
      }
      subject.subscribe(recorder)
      #expect(recorder.events == events)
    }
    #expect(events == [.subscription] + (kind == .currentValue ? [.value(0)] : []))
    #expect(released == nil)
  }

  @Test("what another thread sends while a cancelled subscriber is released is delivered there")
  func releases() {
    let subject = PassthroughSubject<Int, Never>()
    var values: [Int] = []
    let sink = subject.sink { (value: Int) in values.append(value) }
    var token: LastWords? = LastWords {
      onAnotherThread { subject.send(1) }
      #expect(values == [1])
    }
    let cancelled = subject.sink { [token] (_: Int) in withExtendedLifetime(token) {} }
    token = nil
    cancelled.cancel()
    #expect(values == [1])
    withExtendedLifetime(sink) {}
  }

  @Test("a subscriber that comes during a delivery, and receives the current value behind it, misses nothing")
  func comesDuringADelivery() {
    let subject = CurrentValueSubject<Int, TestError>(0)
    let (first, second) = (Recorder<Int, TestError>(demanding: .unlimited), Recorder<Int, TestError>())
    let (hasCome, hasLeft, isDone) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let come = DispatchWorkItem {
      subject.subscribe(second)
      isDone.signal()
    }
    first.onValue = { (value: Int) -> Subscribers.Demand in
      if value == 1 {
        DispatchQueue.global().async(execute: come)
        hasCome.wait()
      }
      return .none
    }
    second.onSubscription = { (subscription: any Subscription) in
      hasCome.signal()
      hasLeft.wait()
      subscription.request(.unlimited)
    }
    second.onValue = { (value: Int) -> Subscribers.Demand in
      if value == 1 { onAnotherThread { for value in 2...3 { subject.send(value) } } }
      return .none
    }
    subject.subscribe(first)
    subject.send(1)
    hasLeft.signal()
    isDone.wait()
    #expect(second.values == [1, 2, 3])
  }

  @Test(
    "a subscriber that joins inside a delivery, on another thread, receives the value in flight and those behind it")
  func joinsInsideADelivery() {
    let subject = PassthroughSubject<Int, TestError>()
    let (first, second) = (Recorder<Int, TestError>(), Recorder<Int, TestError>())
    let (hasCome, mayLeave, hasLeft) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let come = DispatchWorkItem {
      subject.subscribe(second)
      hasLeft.signal()
    }
    second.onSubscription = { (subscription: any Subscription) in
      subscription.request(.unlimited)
      hasCome.signal()
      mayLeave.wait()
    }
    first.onSubscription = { (subscription: any Subscription) in
      subscription.request(.unlimited)
      DispatchQueue.global().async(execute: come)
      hasCome.wait()
      subject.send(1)
    }
    first.onValue = { (value: Int) -> Subscribers.Demand in
      if value == 1 {
        mayLeave.signal()
        hasLeft.wait()
        subject.send(2)
      }
      return .none
    }
    subject.subscribe(first)
    subject.send(3)
    #expect(first.values == [1, 2, 3])
    // The nested value comes first, as to each subscriber behind the one that sends it.
    #expect(second.values == [2, 1, 3])
  }

  @Test("requests inside the deliveries for a request don't grow the stack, whatever other threads send")
  func requestsInside() {
    let subject = CurrentValueSubject<Int, TestError>(0)
    let recorder = Recorder<Int, TestError>()
    subject.subscribe(recorder)
    var (depth, deepest) = (0, 0)
    recorder.onValue = { [unowned recorder] (value: Int) -> Subscribers.Demand in
      depth += 1
      deepest = max(depth, deepest)
      if value < 20 {
        onAnotherThread { subject.send(value + 1) }
        recorder.request(.max(1))
      }
      depth -= 1
      return .none
    }
    recorder.request(.max(1))
    #expect(recorder.values == Array(0...20))
    #expect(deepest == 1)
  }

  @Test("subscribers keep the order in which they came, also if one comes in the subscription of another")
  func order() {
    let subject = PassthroughSubject<Int, TestError>()
    var log: [String] = []
    let recorders = ["a", "b"].map { (name: String) in
      let recorder = Recorder<Int, TestError>()
      recorder.onValue = { (value: Int) -> Subscribers.Demand in
        log.append("\(name)\(value)")
        return .none
      }
      return recorder
    }
    recorders[0].onSubscription = { (subscription: any Subscription) in
      subscription.request(.unlimited)
      subject.subscribe(recorders[1])
      recorders[1].request(.unlimited)
      subject.send(1)
    }
    subject.subscribe(recorders[0])
    subject.send(2)
    #expect(log == ["a1", "b1", "a2", "b2"])
  }

  @Test("what another thread sends during a delivery for a request is delivered there, and then behind that delivery")
  func sendsDuringARequest() {
    let subject = CurrentValueSubject<Int, TestError>(0)
    var log: [String] = []
    let recorders = ["a", "b", "c"].map { (name: String) in
      let recorder = Recorder<Int, TestError>(demanding: name == "b" ? .max(1) : .unlimited)
      recorder.onValue = { (value: Int) -> Subscribers.Demand in
        log.append("\(name)\(value)")
        return .none
      }
      subject.subscribe(recorder)
      return recorder
    }
    subject.send(1)
    let note = recorders[1].onValue
    recorders[1].onValue = { (value: Int) -> Subscribers.Demand in
      if value == 1 {
        onAnotherThread { subject.send(2) }
        #expect(log.suffix(2) == ["a2", "c2"])
      }
      return note(value)
    }
    log = []
    recorders[1].request(.unlimited)
    subject.send(3)
    // It keeps its place among the subscribers.
    #expect(log == ["a2", "c2", "b1", "b2", "a3", "b3", "c3"])
  }

  @Test("a subscriber that cancels in a delivery for its request gives up its place, and is released")
  func cancelsDuringARequest() {
    let subject = CurrentValueSubject<Int, TestError>(0)
    weak var released: Recorder<Int, TestError>?
    let others = (0..<3).map { (_: Int) in Recorder<Int, TestError>(demanding: .unlimited) }
    subject.subscribe(others[0])
    do {
      let recorder = Recorder<Int, TestError>()
      released = recorder
      subject.subscribe(recorder)
      subject.subscribe(others[1])
      recorder.onValue = { [unowned recorder] (_: Int) -> Subscribers.Demand in
        onAnotherThread {
          others[0].cancel()
          recorder.cancel()
          subject.send(1)
          subject.subscribe(others[2])
        }
        return .none
      }
      recorder.request(.unlimited)
      #expect(recorder.values == [0])
    }
    #expect(released == nil)
    subject.send(2)
    #expect(others.map(\.values) == [[0], [0, 1, 2], [1, 2]])
  }

  @Test("a mirror shows the subscriber on any thread that finds the subject idle")
  func mirrors() {
    let subject = CurrentValueSubject<Int, TestError>(0)
    let recorder = Recorder<Int, TestError>()
    subject.subscribe(recorder)
    #expect(Mirror(reflecting: recorder.subscription as Any).descendant(0, "downstream") != nil)
    onAnotherThread {
      #expect(Mirror(reflecting: recorder.subscription as Any).descendant(0, "downstream") != nil)
    }
  }
}
