import Testing

@testable import TestSupport
@testable import Weir

/// A delivery can last for as long as a program runs, and any number of subscribers can come and go on other threads.
@Suite("subscribers that come and go while another thread delivers")
struct WithdrawnMembersThreadTests {
  let count = LiveValues()

  /// Sends 1 to a subscriber, and performs an action on another thread while that receives it.
  func deliver(_ kind: HubKind, _ act: @escaping (Multicaster<Int, Never>) -> Void) -> Recorder<Int, Never> {
    let hub = kind.make()
    let first = Recorder<Int, Never>(demanding: .unlimited)
    first.onValue = { [unowned hub] (value: Int) -> Subscribers.Demand in
      if value == 1 { onAnotherThread { act(hub) } }
      return .none
    }
    hub.attach(Downstream(first))
    hub.send(1)
    first.cancel()
    return first
  }

  /// A subscriber that retains an object until it is released.
  func makeRecorder(cancelsInSubscription: Bool = false) -> Recorder<Int, Never> {
    let recorder = Recorder<Int, Never>()
    let kept = Counted(0, count)
    recorder.onSubscription = { (subscription: any Subscription) in
      subscription.request(.unlimited)
      if cancelsInSubscription { subscription.cancel() }
      withExtendedLifetime(kept) {}
    }
    return recorder
  }

  func pendingActions(of hub: Multicaster<Int, Never>) -> Int { hub.inbox.withLock { $0.actions?.events.count ?? 0 } }

  @Test("are released when they cancel, with all that they leave behind", arguments: HubKind.allCases, [true, false])
  func releases(_ kind: HubKind, _ cancelsInSubscription: Bool) {
    var most = 0
    _ = deliver(kind) { hub in
      for _ in 1...200 {
        do {
          let recorder = makeRecorder(cancelsInSubscription: cancelsInSubscription)
          hub.attach(Downstream(recorder))
          recorder.cancel()
        }
        #expect(count.now == 0)
        most = max(most, pendingActions(of: hub))
      }
    }
    #expect(most == 16)
    #expect(count.now == 0)
  }

  /// Where a subscriber that has come in a delivery cancels.
  enum Place: CaseIterable {
    case delivery, subscription, otherThreadInSubscription
  }

  @Test("are released when they came in the delivery, behind what is pending, and cancel", arguments: Place.allCases)
  func inDelivery(_ place: Place) {
    var most = 0
    let hub = HubKind.plain.make()
    let first = Recorder<Int, Never>(demanding: .unlimited)
    var staying: [Recorder<Int, Never>] = []
    first.onValue = { [unowned hub] (value: Int) -> Subscribers.Demand in
      if value != 1 { return .none }
      onAnotherThread { hub.send(2) }
      for number in 1...200 {
        do {
          let recorder = makeRecorder()
          recorder.onSubscription = { [kept = Counted(0, count)] (subscription: any Subscription) in
            if place == .subscription { subscription.cancel() }
            if place == .otherThreadInSubscription { onAnotherThread { subscription.cancel() } }
            subscription.request(.unlimited)
            withExtendedLifetime(kept) {}
          }
          hub.attach(Downstream(recorder))
          if place == .delivery { recorder.cancel() }
        }
        #expect(count.now == 0)
        most = max(most, pendingActions(of: hub))
        if number % 100 > 0 { continue }
        let recorder = Recorder<Int, Never>(demanding: .unlimited)
        hub.attach(Downstream(recorder))
        staying.append(recorder)
      }
      return .none
    }
    hub.attach(Downstream(first))
    hub.send(1)
    #expect(most <= 19)
    hub.send(3)
    #expect(first.values == [1, 2, 3])
    #expect(staying.map(\.values) == [[3], [3]])
    for recorder in staying + [first] { recorder.cancel() }
  }

  @Test("are released when they cancel in their subscription, and what is pending is delivered in that")
  func inCaughtUpSubscription() {
    let hub = HubKind.plain.make()
    let first = Recorder<Int, Never>(demanding: .unlimited)
    first.onValue = { [unowned hub] (value: Int) -> Subscribers.Demand in
      if value != 1 { return .none }
      for _ in 1...20 {
        onAnotherThread { hub.send(2) }
        do {
          let recorder = makeRecorder()
          recorder.onSubscription = { [kept = Counted(0, count)] (subscription: any Subscription) in
            subscription.cancel()
            hub.send(3)
            #expect(count.now > 0)
            withExtendedLifetime(kept) {}
          }
          hub.attach(Downstream(recorder))
        }
        #expect(count.now == 0)
      }
      return .none
    }
    hub.attach(Downstream(first))
    hub.send(1)
    #expect(first.values.count == 41)
    first.cancel()
  }

  @Test("are released when the delivering thread cancels them", arguments: HubKind.allCases)
  func cancelledByOwner(_ kind: HubKind) {
    let hub = kind.make()
    let first = Recorder<Int, Never>(demanding: .unlimited)
    first.onValue = { [unowned hub] (value: Int) -> Subscribers.Demand in
      if value != 1 { return .none }
      for _ in 1...20 {
        do {
          let recorder = makeRecorder()
          onAnotherThread { hub.attach(Downstream(recorder)) }
          recorder.cancel()
        }
        #expect(count.now == 0)
      }
      return .none
    }
    hub.attach(Downstream(first))
    hub.send(1)
    first.cancel()
  }

  @Test("leave the order of all other events as it is", arguments: HubKind.allCases)
  func order(_ kind: HubKind) {
    let (early, late) = (makeRecorder(), makeRecorder())
    let first = deliver(kind) { hub in
      func comeAndGo() {
        for _ in 1...20 {
          let recorder = makeRecorder()
          hub.attach(Downstream(recorder))
          recorder.cancel()
          #expect(recorder.events == [.subscription])
        }
      }
      comeAndGo()
      hub.attach(Downstream(early))
      comeAndGo()
      hub.send(2)
      comeAndGo()
      hub.send(3)
      hub.attach(Downstream(late))
      comeAndGo()
      hub.send(4)
      comeAndGo()
    }
    #expect(first.values.suffix(4) == [1, 2, 3, 4])
    let replayed = kind == .plain ? (early: [], late: []) : (early: [1], late: [3])
    #expect(early.values == replayed.early + [2, 3, 4])
    #expect(late.values == replayed.late + [4])
    early.cancel()
    late.cancel()
  }

  @Test("are released by their thread if another one cancels while they receive the subscription")
  func cancelledElsewhere() {
    _ = deliver(.plain) { hub in
      do {
        let recorder = makeRecorder()
        recorder.onSubscription = { [kept = Counted(0, count)] (subscription: any Subscription) in
          onAnotherThread { subscription.cancel() }
          #expect(kept.number == 0)
        }
        hub.attach(Downstream(recorder))
      }
      #expect(count.now == 0)
      #expect(pendingActions(of: hub) == 2)
    }
  }
}
