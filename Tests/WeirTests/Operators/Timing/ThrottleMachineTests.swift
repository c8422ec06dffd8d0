import Testing

@testable import TestSupport
@testable import Weir

@Suite("ThrottleMachine")
struct ThrottleMachineTests {
  typealias Machine = ThrottleMachine<Int, TestError>

  let scheduleValue = MachineStep.effect("scheduleValue")
  let scheduleAtOnce = MachineStep.effect("scheduleAtOnce")

  func running(latest: Bool = true, demand: Subscribers.Demand = .unlimited) -> Machine {
    var machine = Machine(latest: latest)
    machine.requested(demand)
    _ = machine.afterSubscribed(0, "up")
    return machine
  }

  @Test("while subscribing, ignores all events but demand")
  func waiting() {
    var machine = Machine(latest: true)
    #expect(machine.after(.value(0, 1)) == [])
    #expect(machine.after(.completed(0, .failure(TestError.oops))) == [])
    #expect(machine.afterRequested(.max(1)) == [])
    #expect(machine.afterSubscribed(0, "up") == [.announce, .request(0, .unlimited)])
    #expect(machine.after(.value(0, 2)) == [scheduleValue])
  }

  @Test("while subscribing, a cancellation cancels later subscriptions")
  func cancelledWaiting() {
    var machine = Machine(latest: true)
    #expect(machine.afterCancelled() == [])
    #expect(machine.afterSubscribed(0, "up") == [.cancel("up")])
  }

  @Test("schedules one value, which the latest replaces or doesn't", arguments: [true, false])
  func throttles(latest: Bool) {
    var machine = running(latest: latest)
    #expect(machine.after(.value(0, 1)) == [scheduleValue])
    #expect(machine.after(.value(0, 2)) == [])
    #expect(machine.afterSignal(0) == [.deliver(latest ? "2" : "1")])
    #expect(machine.afterSignal(0) == [])
    #expect(machine.after(.value(0, 3)) == [scheduleValue])
  }

  @Test("drops a value without demand, but not one that replaces another")
  func withoutDemand() {
    var machine = running(demand: .max(1))
    #expect(machine.after(.value(0, 1)) == [scheduleValue])
    #expect(machine.after(.value(0, 2)) == [])
    #expect(machine.afterSignal(0) == [.deliver("2")])
    #expect(machine.after(.value(0, 3)) == [])
    #expect(machine.afterRequested(.max(1)) == [])
    #expect(machine.after(.value(0, 4)) == [scheduleValue])
  }

  @Test("completing, delivers the completion with the scheduled value")
  func endsAfterValue() {
    var machine = running()
    _ = machine.after(.value(0, 1))
    #expect(machine.after(.completed(0, .failure(TestError.oops))) == [])
    #expect(machine.after(.value(0, 2)) == [])
    #expect(machine.after(.completed(0, .finished)) == [])
    #expect(machine.afterSubscribed(0, "late") == [.cancel("late")])
    #expect(machine.afterSignal(0) == [.deliver("1"), .fail(.oops)])
  }

  @Test("completing without a scheduled value, schedules the completion")
  func ends() {
    var machine = running()
    #expect(machine.after(.completed(0, .finished)) == [scheduleAtOnce])
    #expect(machine.afterSignal(0) == [.finish])
  }

  @Test("reschedules a signal that found another thread, if an event is pending")
  func enqueuedSignal() {
    var machine = running()
    #expect(machine.after(.enqueuedSignal(0)) == [])
    _ = machine.after(.value(0, 1))
    #expect(machine.after(.enqueuedSignal(0)) == [scheduleAtOnce])
    #expect(machine.afterSignal(0) == [.deliver("1")])
    _ = machine.after(.completed(0, .finished))
    #expect(machine.after(.enqueuedSignal(0)) == [scheduleAtOnce])
    #expect(machine.afterSignal(0) == [.finish])
    #expect(machine.after(.enqueuedSignal(0)) == [])
  }

  @Test("a cancellation before the completion prevents all further events")
  func cancelledEnding() {
    var machine = running()
    _ = machine.after(.value(0, 1))
    _ = machine.after(.completed(0, .finished))
    #expect(machine.afterCancelled() == [])
    #expect(machine.afterSignal(0) == [])
  }

  @Test("after termination, ignores all events and cancels later subscriptions")
  func over() {
    var machine = running()
    _ = machine.after(.value(0, 1))
    #expect(machine.afterCancelled() == [.cancel("up")])
    #expect(machine.afterSignal(0) == [])
    #expect(machine.after(.value(0, 1)) == [])
    #expect(machine.after(.completed(0, .finished)) == [])
    #expect(machine.afterRequested(.unlimited) == [])
    #expect(machine.afterSubscribed(0, "late") == [.cancel("late")])
  }
}
