import Testing

@testable import TestSupport
@testable import Weir

/// A delivery can last for as long as a program runs, and any number of subscribers can come and go in it.
@Suite("subscribers that come and go in a delivery")
struct NestedMembersTests {
  let count = LiveValues()

  /// Sends 1 to a subscriber, which then performs an action.
  func deliver(_ kind: HubKind, _ act: @escaping (Multicaster<Int, Never>) -> Void) {
    let hub = kind.make()
    let first = Recorder<Int, Never>(demanding: .unlimited)
    first.onValue = { [unowned hub] (value: Int) -> Subscribers.Demand in
      if value == 1 { act(hub) }
      return .none
    }
    hub.attach(Downstream(first))
    hub.send(1)
    first.cancel()
    #expect(count.now == 0)
  }

  /// Attaches a subscriber that retains an object until it is released.
  @discardableResult
  func attach(
    to hub: Multicaster<Int, Never>, _ receive: @escaping (Recorder<Int, Never>, Int) -> Void = { _, _ in }
  ) -> Recorder<Int, Never> {
    let recorder = Recorder<Int, Never>(demanding: .unlimited)
    let kept = Counted(0, count)
    recorder.onValue = { [unowned recorder] (value: Int) -> Subscribers.Demand in
      receive(recorder, value)
      return withExtendedLifetime(kept) { .none }
    }
    hub.attach(Downstream(recorder))
    return recorder
  }

  @Test("are released when they cancel, not when the delivery ends", arguments: HubKind.allCases)
  func cancels(_ kind: HubKind) {
    var received = 0
    deliver(kind) { hub in
      for number in 2..<200 {
        attach(to: hub).cancel()
        attach(to: hub) { recorder, value in
          if value != number { return }
          received += 1
          recorder.cancel()
          #expect(count.now == 1)
        }
        hub.send(number)
        #expect(count.now == 0)
        #expect(hub.deferredChanges?.added.isEmpty == true)
      }
    }
    #expect(received == 198)
  }

  @Test("are released when they complete", arguments: HubKind.allCases)
  func completes(_ kind: HubKind) {
    deliver(kind) { hub in
      for _ in 0..<100 { attach(to: hub) }
      hub.send(completion: .finished)
      #expect(count.now == 0)
      attach(to: hub)
      #expect(count.now == 0)
    }
  }

  @Test("keep their order, and no place, when the first ones cancel", arguments: HubKind.allCases)
  func order(_ kind: HubKind) {
    deliver(kind) { hub in
      var called: [Int] = []
      let recorders = (0..<100).map { (number: Int) in
        attach(to: hub) { (_, value: Int) in if value == 2 { called.append(number) } }
      }
      for recorder in recorders.prefix(90) { recorder.cancel() }
      #expect(hub.deferredChanges?.added.count ?? .max <= 20)
      hub.send(2)
      #expect(called == Array(90..<100))
      for recorder in recorders.suffix(10) { recorder.cancel() }
    }
  }

  @Test("are not released inside what is delivered to them", arguments: HubKind.allCases)
  func inside(_ kind: HubKind) {
    deliver(kind) { hub in
      var called: [Int] = []
      attach(to: hub) { recorder, value in
        if value != 2 { return }
        attach(to: hub) { (inner, value: Int) in
          if value != 3 { return }
          called.append(value)
          recorder.cancel()
          #expect(count.now == 2)
          inner.cancel()
          #expect(count.now == 2)
        }
        hub.send(3)
        #expect(count.now == 1)
        called.append(value)
      }
      hub.send(2)
      #expect(called == [3, 2])
      #expect(count.now == 0)
    }
  }

  @Test("can subscribe and send when they are released", arguments: HubKind.allCases)
  func released(_ kind: HubKind) {
    deliver(kind) { hub in
      var late: [Int] = []
      func attachLast() -> (any Subscription)? {
        let last = LastWords { [unowned hub] in
          let recorder = attach(to: hub) { (_, value: Int) in late.append(value) }
          hub.send(4)
          recorder.cancel()
        }
        let recorder = Recorder<Int, Never>(demanding: .unlimited)
        recorder.onValue = { (_: Int) in withExtendedLifetime(last) { .none } }
        hub.attach(Downstream(recorder))
        return recorder.subscription
      }
      let leaving = attachLast()
      let other = attach(to: hub).subscription
      leaving?.cancel()
      #expect(late.last == 4)
      other?.cancel()
      hub.send(5)
      #expect(count.now == 0)
    }
  }
}
