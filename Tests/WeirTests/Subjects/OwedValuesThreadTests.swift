import Testing

@testable import TestSupport
@testable import Weir

/// A subject keeps what a subscriber has requested whose arrival is pending, because another thread delivers: what is
/// pending in front of that is of no use to it.
@Suite("values behind a subscriber that comes while another thread delivers")
struct OwedValuesThreadTests {
  let hub = HubKind.plain.make()

  func attach(_ demand: Subscribers.Demand) -> Recorder<Int, Never> {
    let recorder = Recorder<Int, Never>(demanding: demand)
    hub.attach(Downstream(recorder))
    return recorder
  }

  /// Sends 0, and performs an action on another thread while the only subscriber receives it.
  func duringDelivery(_ act: @escaping () -> Void) {
    let first = Recorder<Int, Never>(demanding: .max(1))
    first.onValue = { (_: Int) -> Subscribers.Demand in
      onAnotherThread { act() }
      return .none
    }
    hub.attach(Downstream(first))
    hub.send(0)
    #expect(first.values == [0])
  }

  var pendingActions: Int { hub.inbox.withLock { $0.actions?.events.count ?? 0 } }

  @Test("are kept though others have requested less than is pending")
  func demandOfOthers() {
    var last: Recorder<Int, Never>?
    let others = (0..<3).map { _ in Recorder<Int, Never>(demanding: .max(10)) }
    others[0].onValue = { (value: Int) -> Subscribers.Demand in
      switch value {
      case 0:
        onAnotherThread {
          for number in 1...20 { hub.send(number) }
          last = attach(.max(1))
        }
      case 9: onAnotherThread { hub.send(100) }
      default: break
      }
      return .none
    }
    for other in others { hub.attach(Downstream(other)) }
    hub.send(0)
    #expect(others.map(\.values) == Array(repeating: Array(0...9), count: 3))
    #expect(last?.values == [100])
  }

  @Test("are kept though one that has requested everything cancels")
  func cancellation() {
    var (last, other): (Recorder<Int, Never>?, Recorder<Int, Never>?)
    duringDelivery {
      other = attach(.unlimited)
      for number in 1...5 { hub.send(number) }
      last = attach(.max(2))
      other?.cancel()
      for number in 6...9 { hub.send(number) }
    }
    #expect(last?.values == [6, 7])
  }

  @Test("are kept for a request that follows the arrival, and not before")
  func laterRequests() {
    var last: Recorder<Int, Never>?
    duringDelivery {
      let other = attach(.max(3))
      for number in 1...3 { hub.send(number) }
      last = attach(.none)
      other.cancel()
      hub.send(4)
      last?.request(.max(1))
      last?.request(.max(1))
      for number in 5...7 { hub.send(number) }
      last?.request(.max(1))
      for number in 8...9 { hub.send(number) }
    }
    #expect(last?.values == [5, 6, 8])
  }

  @Test("are kept for each of them once, also if others cancel whose values have come")
  func satisfied() {
    var arrived: [Recorder<Int, Never>] = []
    duringDelivery {
      for number in 1...20 {
        let one = attach(.max(1))
        hub.send(number)
        hub.send(-number)
        if number % 2 == 0 { one.cancel() } else { arrived.append(one) }
      }
      #expect(hub.inbox.withLock { $0.isValueOwed } == false)
    }
    #expect(arrived.map(\.values) == stride(from: 1, through: 19, by: 2).map { [$0] })
  }

  @Test("are not kept for those that have cancelled")
  func withdrawn() {
    var most = 0
    var last: Recorder<Int, Never>?
    duringDelivery {
      last = attach(.max(1))
      hub.send(1)
      for number in 2...200 {
        attach(number % 2 == 0 ? .max(1) : .unlimited).cancel()
        hub.send(number)
        most = max(most, pendingActions)
      }
    }
    #expect(last?.values == [1])
    #expect(most < 40)
  }
}
