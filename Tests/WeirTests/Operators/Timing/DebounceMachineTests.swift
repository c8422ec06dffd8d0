import Testing

@testable import TestSupport
@testable import Weir

@Suite("DebounceMachine")
struct DebounceMachineTests {
  typealias Machine = DebounceMachine<Int, TestError>

  func running(demand: Subscribers.Demand = .unlimited) -> Machine {
    var machine = Machine()
    machine.requested(demand)
    _ = machine.afterSubscribed(0, "up")
    return machine
  }

  @Test("while subscribing, ignores all events but demand")
  func waiting() {
    var machine = Machine()
    #expect(machine.after(.value(0, 1)) == [])
    #expect(machine.after(.completed(0, .failure(TestError.oops))) == [])
    #expect(machine.afterSignal(1) == [])
    #expect(machine.afterRequested(.max(1)) == [])
    #expect(machine.afterSubscribed(0, "up") == [.announce, .request(0, .unlimited)])
  }

  @Test("while subscribing, a cancellation cancels later subscriptions")
  func cancelledWaiting() {
    var machine = Machine()
    #expect(machine.afterCancelled() == [.effect("stop(\(Int.max))")])
    #expect(machine.afterSubscribed(0, "up") == [.cancel("up")])
  }

  @Test("starts a timer for each value, and sends the latest value when that is due")
  func debounces() {
    var machine = running()
    #expect(machine.after(.value(0, 1)) == [.effect("start(1)")])
    #expect(machine.after(.value(0, 2)) == [.effect("start(2)")])
    #expect(machine.afterSignal(1) == [])
    #expect(machine.afterSignal(2) == [.deliver("2"), .effect("stop(2)")])
    #expect(machine.afterSignal(2) == [.effect("stop(2)")])
    #expect(machine.after(.value(0, 3)) == [.effect("start(3)")])
  }

  @Test("reschedules a signal of the latest timer that found another thread")
  func enqueuedSignal() {
    var machine = running()
    _ = machine.after(.value(0, 1))
    _ = machine.after(.value(0, 2))
    #expect(machine.after(.enqueuedSignal(1)) == [])
    #expect(machine.after(.enqueuedSignal(2)) == [.effect("schedule(2)")])
    #expect(machine.afterSignal(2) == [.deliver("2"), .effect("stop(2)")])
  }

  @Test("drops a value that is due without demand")
  func withoutDemand() {
    var machine = running(demand: .max(1))
    _ = machine.after(.value(0, 1))
    #expect(machine.afterSignal(1) == [.deliver("1"), .effect("stop(1)")])
    _ = machine.after(.value(0, 2))
    #expect(machine.afterSignal(2) == [.effect("stop(2)")])
    #expect(machine.afterRequested(.max(1)) == [])
    _ = machine.after(.value(0, 3))
    #expect(machine.afterSignal(3) == [.deliver("3"), .effect("stop(3)")])
  }

  @Test("drops a pending value at the completion, which is scheduled")
  func ends() {
    var machine = running()
    _ = machine.after(.value(0, 1))
    #expect(machine.after(.completed(0, .failure(TestError.oops))) == [.effect("schedule(2)")])
    #expect(machine.afterSignal(1) == [])
    #expect(machine.after(.value(0, 2)) == [])
    #expect(machine.after(.completed(0, .finished)) == [])
    #expect(machine.afterSubscribed(0, "late") == [.cancel("late")])
    #expect(machine.afterSignal(2) == [.fail(.oops)])
  }

  @Test("a cancellation before the completion prevents all further events")
  func cancelledEnding() {
    var machine = running()
    _ = machine.after(.completed(0, .finished))
    #expect(machine.afterCancelled() == [.effect("stop(\(Int.max))")])
    #expect(machine.afterSignal(1) == [])
  }

  @Test("after termination, ignores all events and cancels later subscriptions")
  func over() {
    var machine = running()
    _ = machine.after(.value(0, 1))
    #expect(machine.afterCancelled() == [.effect("stop(\(Int.max))"), .cancel("up")])
    #expect(machine.afterSignal(1) == [])
    #expect(machine.after(.value(0, 1)) == [])
    #expect(machine.after(.completed(0, .finished)) == [])
    #expect(machine.afterRequested(.unlimited) == [])
    #expect(machine.afterSubscribed(0, "late") == [.cancel("late")])
  }
}
