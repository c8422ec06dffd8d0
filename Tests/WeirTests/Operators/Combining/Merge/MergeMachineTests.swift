import Testing

@testable import TestSupport
@testable import Weir

@Suite("MergeMachine")
struct MergeMachineTests {
  typealias Machine = MergeMachine<Int, TestError>

  static let outer = outerNumber

  /// A machine with an outer upstream and one child, idle.
  func running(limit: Subscribers.Demand = .unlimited, demand: Subscribers.Demand = .none) -> Machine {
    var machine = Machine(MergedUpstreams(limit: limit))
    _ = machine.steps()
    _ = machine.afterRequested(demand)
    _ = machine.afterSubscribed(Self.outer, "outer")
    _ = machine.afterSignal(0)
    _ = machine.afterSubscribed(0, "0")
    return machine
  }

  @Test("announces immediately when all upstreams are known, and requests one value ahead from each")
  func merging() {
    var machine = Machine(MergedUpstreams(merging: 2))
    #expect(machine.steps() == [.announce])
    #expect(machine.afterSubscribed(0, "0") == [.request(0, .max(1))])
    #expect(machine.afterSubscribed(1, "1") == [.request(1, .max(1))])
  }

  @Test("finishes immediately without upstreams")
  func mergingNothing() {
    var machine = Machine(MergedUpstreams(merging: 0))
    #expect(machine.steps() == [.announce, .finish])
  }

  @Test("announces before the outer upstream's subscription, ignores values until then and accumulates demand")
  func waiting() {
    var machine = Machine(MergedUpstreams(limit: .max(3)))
    #expect(machine.steps() == [.announce])
    #expect(machine.after(.value(0, 1)) == [])
    #expect(machine.afterRequested(.max(1)) == [])
    #expect(machine.afterSubscribed(Self.outer, "outer") == [.request(Self.outer, .max(3))])
    #expect(machine.afterSubscribed(Self.outer, "second") == [.cancel("second")])
  }

  @Test("completes with an outer upstream that completes before its subscription, which is cancelled")
  func endedWaiting() {
    var machine = Machine(MergedUpstreams(limit: .unlimited))
    #expect(machine.steps() == [.announce])
    #expect(machine.after(.completed(Self.outer, .finished)) == [.finish])
    #expect(machine.afterSubscribed(Self.outer, "outer") == [.cancel("outer")])
  }

  @Test("while subscribing, a cancellation cancels later subscriptions")
  func cancelledWaiting() {
    var machine = Machine(MergedUpstreams(limit: .unlimited))
    #expect(machine.steps() == [.announce])
    #expect(machine.afterCancelled() == [])
    #expect(machine.afterSubscribed(Self.outer, "outer") == [.cancel("outer")])
  }

  @Test("requests a value from each new child once")
  func firstRequests() {
    var machine = running()
    for child in 1...2 {
      #expect(machine.afterSignal(child) == [])
      #expect(machine.afterSubscribed(child, "\(child)") == [.request(child, .max(1))])
    }
  }

  @Test("requests unlimited demand also from a child that has just subscribed")
  func firstRequestUnlimited() {
    var machine = running()
    _ = machine.afterSignal(1)
    #expect(machine.afterSubscribed(1, "1") == [.request(1, .max(1))])
    #expect(machine.afterRequested(.unlimited) == [.request(0, .unlimited), .request(1, .unlimited)])
  }

  @Test("requests nothing from a child that completed before the demand became unlimited")
  func endedUnasked() {
    var machine = running()
    _ = machine.afterSignal(1)
    _ = machine.afterSubscribed(1, "1")
    #expect(machine.after(.completed(1, .finished)) == [])
    #expect(machine.afterRequested(.unlimited) == [.request(0, .unlimited)])
  }

  @Test(
    "keeps children apart that complete in any order",
    arguments: [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]])
  func completionsInAnyOrder(order: [Int]) {
    var machine = running(demand: .unlimited)
    for child in 1..<5 {
      _ = machine.afterSignal(child)
      _ = machine.afterSubscribed(child, "\(child)")
    }
    for (position, completed) in order.enumerated() {
      #expect(machine.after(.completed(completed, .finished)) == [])
      #expect(machine.after(.value(completed, completed)) == [])
      #expect(machine.afterSubscribed(completed, "late") == [.cancel("late")])
      for open in order[(position + 1)...] + [4] { #expect(machine.after(.value(open, open)) == [.deliver("\(open)")]) }
    }
    _ = machine.afterSignal(5)
    #expect(machine.afterSubscribed(5, "5") == [.request(5, .unlimited)])
    #expect(machine.afterCancelled() == [.cancel("4"), .cancel("5"), .cancel("outer")])
  }

  @Test("buffers one value for each child without demand")
  func waitingValues() {
    var machine = running()
    #expect(machine.after(.value(0, 1)) == [])
    #expect(machine.afterRequested(.max(2)) == [.deliver("1"), .request(0, .max(1))])
    #expect(machine.after(.value(0, 2)) == [.deliver("2"), .request(0, .max(1))])
    #expect(machine.after(.value(0, 3)) == [])
  }

  @Test("counts answered values with finite demand only, when a delivery removes them")
  func answered() {
    var machine = running(demand: .max(1))
    machine.answered(0)
    #expect(machine.after(.value(0, 1)) == [.deliver("1")])
    #expect(machine.afterRequested(.unlimited) == [.request(0, .unlimited)])
    for value in 2...3 {
      machine.answered(0)
      #expect(machine.after(.value(0, value)) == [.deliver("\(value)")])
    }
    #expect(machine.upstreams.opened.entries.map(\.answered) == [0])
  }

  @Test("requests unlimited demand from all children, in order, when the demand becomes unlimited")
  func unlimited() {
    var machine = running()
    for child in 1..<20 {
      _ = machine.afterSignal(child)
      #expect(machine.afterSubscribed(child, "\(child)") == [.request(child, .max(1))])
    }
    #expect(machine.afterRequested(.unlimited) == (0..<20).map { .request($0, .unlimited) })
    #expect(machine.afterRequested(.max(1)) == [])
    #expect(machine.after(.value(7, 1)) == [.deliver("1")])
    _ = machine.afterSignal(20)
    #expect(machine.afterSubscribed(20, "20") == [.request(20, .unlimited)])
  }

  @Test("requests another value from the outer upstream when a child finishes, if the number of children is limited")
  func limit() {
    var limited = running(limit: .max(1))
    #expect(limited.after(.completed(0, .finished)) == [.request(Self.outer, .max(1))])
    #expect(limited.after(.completed(0, .finished)) == [])
    var unlimited = running(limit: .unlimited)
    #expect(unlimited.after(.completed(0, .finished)) == [])
  }

  @Test("finishes when the outer upstream and all children have, after the buffered values")
  func finishes() {
    var machine = running()
    #expect(machine.after(.value(0, 1)) == [])
    #expect(machine.after(.completed(Self.outer, .finished)) == [])
    #expect(machine.after(.completed(0, .finished)) == [])
    #expect(machine.afterRequested(.max(1)) == [.deliver("1"), .finish])
  }

  @Test("fails with the first failure, drops buffered values and cancels the rest in order")
  func fails() {
    var machine = running()
    _ = machine.afterSignal(1)
    _ = machine.afterSubscribed(1, "1")
    _ = machine.after(.value(0, 1))
    #expect(machine.after(.completed(1, .failure(TestError.oops))) == [.cancel("0"), .cancel("outer"), .fail(.oops)])
  }

  @Test("doesn't cancel an outer upstream that has failed")
  func outerFails() {
    var machine = running()
    #expect(machine.after(.completed(Self.outer, .failure(TestError.oops))) == [.cancel("0"), .fail(.oops)])
  }

  @Test("cancels a second subscription, and one of a finished child")
  func refuses() {
    var machine = running()
    #expect(machine.afterSubscribed(0, "again") == [.cancel("again")])
    #expect(machine.afterSubscribed(Self.outer, "again") == [.cancel("again")])
    _ = machine.after(.completed(0, .finished))
    #expect(machine.afterSubscribed(0, "late") == [.cancel("late")])
  }

  @Test("ignores the failure of a finished upstream")
  func lateFailure() {
    var machine = running()
    _ = machine.after(.completed(0, .finished))
    #expect(machine.after(.completed(0, .failure(TestError.oops))) == [])
    _ = machine.afterSignal(1)
    #expect(machine.after(.completed(Self.outer, .finished)) == [])
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
