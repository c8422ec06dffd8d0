import Testing

@testable import TestSupport
@testable import Weir

@Suite("SwitchMachine")
struct SwitchMachineTests {
  typealias Machine = SwitchMachine<Int, TestError>

  static let outer = outerNumber

  /// A machine with an outer upstream and inner 0, idle.
  func running(demand: Subscribers.Demand = .none) -> Machine {
    var machine = Machine()
    _ = machine.steps()
    _ = machine.afterRequested(demand)
    _ = machine.afterSubscribed(Self.outer, "outer")
    _ = machine.afterSignal(0)
    _ = machine.afterSubscribed(0, "0")
    return machine
  }

  @Test("announces before the outer upstream's subscription, ignores values until then and accumulates demand")
  func waiting() {
    var machine = Machine()
    #expect(machine.steps() == [.announce])
    #expect(machine.after(.value(0, 1)) == [])
    #expect(machine.afterRequested(.max(1)) == [])
    #expect(machine.afterSubscribed(Self.outer, "outer") == [.request(Self.outer, .unlimited)])
    #expect(machine.afterSubscribed(Self.outer, "second") == [.cancel("second")])
  }

  @Test("while subscribing, a cancellation cancels later subscriptions")
  func cancelledWaiting() {
    var machine = Machine()
    #expect(machine.steps() == [.announce])
    #expect(machine.afterCancelled() == [])
    #expect(machine.afterSubscribed(Self.outer, "outer") == [.cancel("outer")])
  }

  @Test("requests outstanding demand from each new upstream, and cancels the previous one")
  func switches() {
    var machine = running(demand: .max(3))
    #expect(machine.after(.value(0, 1)) == [.deliver("1")])
    #expect(machine.afterSignal(1) == [.cancel("0")])
    #expect(machine.after(.value(0, 2)) == [])
    #expect(machine.afterSubscribed(1, "1") == [.request(1, .max(2))])
    #expect(machine.after(.value(1, 3)) == [.deliver("3")])
    #expect(machine.afterRequested(.max(4)) == [.request(1, .max(4))])
    #expect(machine.afterRequested(.unlimited) == [.request(1, .unlimited)])
    #expect(machine.afterRequested(.max(1)) == [])
  }

  @Test("drops a value that was not requested")
  func withoutDemand() {
    var machine = running()
    #expect(machine.after(.value(0, 1)) == [])
    #expect(machine.afterRequested(.max(1)) == [.request(0, .max(1))])
    #expect(machine.after(.value(0, 2)) == [.deliver("2")])
  }

  @Test("cancels the subscription of a replaced upstream, and a second one of the latest")
  func refuses() {
    var machine = running()
    _ = machine.afterSignal(1)
    #expect(machine.afterSubscribed(0, "late") == [.cancel("late")])
    #expect(machine.afterSubscribed(1, "1") == [])
    #expect(machine.afterSubscribed(1, "again") == [.cancel("again")])
    #expect(machine.afterSubscribed(Self.outer, "again") == [.cancel("again")])
  }

  @Test("finishes when the outer and the latest upstream have, in either order")
  func finishes() {
    var outerFirst = running()
    #expect(outerFirst.after(.completed(Self.outer, .finished)) == [])
    #expect(outerFirst.after(.completed(0, .finished)) == [.finish])
    var innerFirst = running()
    #expect(innerFirst.after(.completed(0, .finished)) == [])
    #expect(innerFirst.after(.completed(Self.outer, .finished)) == [.finish])
  }

  @Test("ignores the completion of a replaced upstream")
  func staleEnd() {
    var machine = running()
    _ = machine.afterSignal(1)
    _ = machine.afterSubscribed(1, "1")
    #expect(machine.after(.completed(0, .failure(TestError.oops))) == [])
    #expect(machine.after(.completed(Self.outer, .finished)) == [])
    #expect(machine.after(.completed(0, .finished)) == [])
    #expect(machine.after(.completed(1, .finished)) == [.finish])
  }

  @Test("the failure of either terminates it and cancels the other")
  func fails() {
    var outer = running()
    #expect(outer.after(.completed(Self.outer, .failure(TestError.oops))) == [.cancel("0"), .fail(.oops)])
    var inner = running()
    #expect(inner.after(.completed(0, .failure(TestError.oops))) == [.cancel("outer"), .fail(.oops)])
  }

  @Test("ignores an upstream's events after its completion")
  func late() {
    var machine = running(demand: .unlimited)
    _ = machine.after(.completed(0, .finished))
    #expect(machine.after(.value(0, 1)) == [])
    #expect(machine.after(.completed(0, .failure(TestError.oops))) == [])
    _ = machine.afterSignal(1)
    _ = machine.after(.completed(Self.outer, .finished))
    #expect(machine.after(.completed(Self.outer, .failure(TestError.oops))) == [])
  }

  @Test("after termination, ignores all events and cancels later subscriptions")
  func over() {
    var machine = running(demand: .unlimited)
    #expect(machine.afterCancelled() == [.cancel("0"), .cancel("outer")])
    #expect(machine.afterCancelled() == [])
    #expect(machine.after(.value(0, 1)) == [])
    #expect(machine.after(.completed(0, .failure(TestError.oops))) == [])
    #expect(machine.after(.completed(Self.outer, .finished)) == [])
    #expect(machine.afterRequested(.unlimited) == [])
    #expect(machine.afterSignal(1) == [])
    #expect(machine.afterSubscribed(1, "1") == [.cancel("1")])
  }
}
