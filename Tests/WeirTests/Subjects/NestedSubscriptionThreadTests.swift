import Dispatch
import Testing

@testable import TestSupport
@testable import Weir

/// A subscriber comes in a delivery, while what other threads have sent is pending.
@Suite("subscriptions in a delivery, with events of other threads pending")
struct NestedSubscriptionThreadTests {
  typealias Kind = SubjectKind

  /// Sends 1 to two subscribers; in the first one, another thread acts, and then a third one subscribes.
  func run(
    _ kind: Kind, third: Recorder<Int, TestError>, onAnotherThread act: (any Subject<Int, TestError>) -> Void,
    inFirst: @escaping (any Subject<Int, TestError>) -> Void = { _ in }
  ) -> (subject: any Subject<Int, TestError>, second: Recorder<Int, TestError>) {
    let subject = kind.make(0)
    let (first, second) = (
      Recorder<Int, TestError>(demanding: .unlimited), Recorder<Int, TestError>(demanding: .unlimited)
    )
    withoutActuallyEscaping(act) { act in
      first.onValue = { (value: Int) -> Subscribers.Demand in
        if value != 1 { return .none }
        onAnotherThread { act(subject) }
        subject.subscribe(third)
        inFirst(subject)
        return .none
      }
      subject.subscribe(first)
      subject.subscribe(second)
      subject.send(1)
      first.onValue = { (_: Int) -> Subscribers.Demand in .none }
    }
    return (subject, second)
  }

  @Test("keep the order for the others", arguments: Kind.allCases)
  func order(_ kind: Kind) {
    let third = Recorder<Int, TestError>(demanding: .unlimited)
    let (subject, second) = run(kind, third: third, onAnotherThread: { $0.send(2) })
    #expect(second.values.suffix(2) == [1, 2])
    #expect(third.values == (kind == .currentValue ? [1, 2] : []))
    subject.send(3)
    #expect(second.values.last == 3)
    #expect(third.values.last == 3)
  }

  @Test("receive a value that is sent in that delivery behind the pending ones", arguments: Kind.allCases)
  func nested(_ kind: Kind) {
    let third = Recorder<Int, TestError>(demanding: .unlimited)
    let (_, second) = run(kind, third: third, onAnotherThread: { $0.send(2) }) { $0.send(3) }
    #expect(second.values.suffix(3) == [2, 3, 1])
    #expect(third.values == (kind == .currentValue ? [1, 2, 3] : [3]))
  }

  @Test("receive what is sent in the subscription", arguments: Kind.allCases)
  func subscription(_ kind: Kind) {
    let third = Recorder<Int, TestError>()
    let subject = kind.make(0)
    third.onSubscription = { (subscription: any Subscription) in
      subscription.request(.unlimited)
      subject.send(3)
      onAnotherThread { subject.send(4) }
    }
    let first = Recorder<Int, TestError>(demanding: .unlimited)
    first.onValue = { (value: Int) -> Subscribers.Demand in
      if value != 1 { return .none }
      onAnotherThread { subject.send(2) }
      subject.subscribe(third)
      return .none
    }
    subject.subscribe(first)
    subject.send(1)
    #expect(third.values == (kind == .currentValue ? [1, 2, 3, 4] : [3, 4]))
    #expect(first.values.suffix(4) == [1, 2, 3, 4])
  }

  @Test("receive a pending completion", arguments: Kind.allCases)
  func completion(_ kind: Kind) {
    let third = Recorder<Int, TestError>(demanding: .unlimited)
    let (_, second) = run(kind, third: third, onAnotherThread: { $0.send(completion: .finished) })
    #expect(second.events.suffix(2) == [.value(1), .finished])
    #expect(third.events == [.subscription] + (kind == .currentValue ? [.value(1)] : []) + [.finished])
  }

  @Test("receive as many values as they have requested", arguments: [0, 1])
  func finiteDemand(_ demand: Int) {
    let third = Recorder<Int, TestError>(demanding: .max(demand))
    let (subject, _) = run(.currentValue, third: third, onAnotherThread: { $0.send(2) })
    #expect(third.values == (demand == 0 ? [] : [1]))
    third.request(.max(1))
    #expect(third.values == (demand == 0 ? [2] : [1, 2]))
    withExtendedLifetime(subject) {}
  }

  /// Sends 1, 4 and 5 to two subscribers; the first one sends 3 inside the value 2, which another thread sends inside 1.
  ///
  /// A third one subscribes inside 1, after the 2.
  func sendInPending(_ hub: Multicaster<Int, Never>, onAnotherThread isOther: Bool) -> [Int] {
    let third = Recorder<Int, Never>(demanding: .unlimited)
    let (first, second) = (Recorder<Int, Never>(demanding: .unlimited), Recorder<Int, Never>(demanding: .unlimited))
    first.onValue = { [unowned hub] (value: Int) -> Subscribers.Demand in
      switch value {
      case 1:
        onAnotherThread {
          hub.send(2)
          if isOther { hub.attach(Downstream(third)) }
        }
        if !isOther { hub.attach(Downstream(third)) }
      case 2: hub.send(3)
      default: break
      }
      return .none
    }
    hub.attach(Downstream(first))
    hub.attach(Downstream(second))
    hub.send(1)
    hub.send(4)
    #expect(second.values.suffix(4) == (hub.keepsHistory ? [1, 2, 3, 4] : [1, 3, 2, 4]))
    #expect(hub.deferredChanges?.added.isEmpty ?? true)
    #expect(hub.members.count == 3)
    for recorder in [first, second, third] { recorder.cancel() }
    return third.values
  }

  @Test("receive what is sent later inside a value that was pending", arguments: [true, false])
  func inPending(onAnotherThread isOther: Bool) {
    #expect(sendInPending(Multicaster<Int, Never>("Hub"), onAnotherThread: isOther) == [3, 4])
    #expect(sendInPending(Multicaster("Hub", keeping: 0), onAnotherThread: isOther) == [3, 4])
    let latest = sendInPending(Multicaster("Hub", replaying: 0), onAnotherThread: isOther)
    #expect(latest == (isOther ? [2, 3, 4] : [1, 3, 2, 4]))
    #expect(sendInPending(Multicaster("Hub", keeping: 1), onAnotherThread: isOther).suffix(2) == [3, 4])
  }

  @Test("let a nested value precede a pending one when they have cancelled", arguments: [true, false])
  func gone(onAnotherThread isOther: Bool) {
    let hub = Multicaster<Int, Never>("Hub")
    let first = Recorder<Int, Never>(demanding: .unlimited)
    first.onValue = { [unowned hub] (value: Int) -> Subscribers.Demand in
      func comeAndGo() {
        let third = Recorder<Int, Never>(demanding: .unlimited)
        hub.attach(Downstream(third))
        third.cancel()
      }
      switch value {
      case 1:
        onAnotherThread {
          hub.send(2)
          hub.send(3)
        }
        if isOther { onAnotherThread { comeAndGo() } } else { comeAndGo() }
      case 2: hub.send(4)
      default: break
      }
      return .none
    }
    hub.attach(Downstream(first))
    hub.send(1)
    #expect(first.values == [1, 2, 4, 3])
    first.cancel()
  }

  @Test("from another thread receive nested values, the newest first", arguments: Kind.allCases)
  func newestFirst(_ kind: Kind) {
    let subject = kind.make(0)
    let third = Recorder<Int, TestError>(demanding: .unlimited)
    let first = Recorder<Int, TestError>(demanding: .unlimited)
    first.onValue = { (value: Int) -> Subscribers.Demand in
      if value == 1 {
        onAnotherThread { subject.subscribe(third) }
        subject.send(2)
      }
      if value == 2 { subject.send(3) }
      return .none
    }
    subject.subscribe(first)
    subject.send(1)
    subject.send(4)
    #expect(third.values == (kind == .currentValue ? [1, 3, 2, 4] : [3, 2, 4]))
    first.onValue = { (_: Int) -> Subscribers.Demand in .none }
  }

  @Test("receive no value that was pending, although they request inside it, and are not released inside a value")
  func requestsInPending() {
    let hub = Multicaster<Int, Never>("Hub", keeping: 0)
    let first = Recorder<Int, Never>(demanding: .unlimited)
    let third = Recorder<Int, Never>()
    third.onValue = { [unowned third] (_: Int) -> Subscribers.Demand in
      third.cancel()
      return .none
    }
    first.onValue = { [unowned hub] (value: Int) -> Subscribers.Demand in
      if value == 1 {
        onAnotherThread { hub.send(2) }
        hub.attach(Downstream(third))
      }
      if value == 2 { third.request(.max(1)) }
      return .none
    }
    hub.attach(Downstream(first))
    hub.send(1)
    #expect(third.values == [])
    hub.send(3)
    #expect(third.values == [3])
    first.cancel()
  }

  @Test("are released if they cancel before they join", arguments: Kind.allCases)
  func cancels(_ kind: Kind) {
    weak var released: Recorder<Int, TestError>?
    let subject: any Subject<Int, TestError>
    do {
      let third = Recorder<Int, TestError>()
      released = third
      third.onSubscription = { (subscription: any Subscription) in subscription.cancel() }
      subject = run(kind, third: third, onAnotherThread: { $0.send(2) }).subject
      #expect(third.events == [.subscription])
    }
    #expect(released == nil)
    subject.send(3)
  }
}
