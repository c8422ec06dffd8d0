import Testing

@testable import TestSupport
@testable import Weir

@Suite("HopMachine")
struct HopMachineTests {
  typealias Machine = HopMachine<Int, TestError>

  let schedule = MachineStep.effect("schedule(0)")
  let scheduleAgain = MachineStep.effect("schedule(-1)")
  let limit = HandOver.limit

  func deliveries(_ values: ClosedRange<Int>) -> [MachineStep] { values.map { .deliver("\($0)") } }

  func running() -> Machine {
    var machine = Machine()
    _ = machine.afterSubscribed(0, "up")
    return machine
  }

  @Test("while subscribing, ignores values and completions, and accumulates demand")
  func waiting() {
    var machine = Machine()
    #expect(machine.after(.value(0, 1)) == [])
    #expect(machine.after(.completed(0, .failure(TestError.oops))) == [])
    #expect(machine.afterRequested(.max(2)) == [])
    #expect(machine.afterSubscribed(0, "up") == [.announce, .request(0, .max(2))])
  }

  @Test("while subscribing, a cancellation cancels later subscriptions")
  func cancelledWaiting() {
    var machine = Machine()
    #expect(machine.afterCancelled() == [])
    #expect(machine.afterSubscribed(0, "up") == [.cancel("up")])
  }

  @Test("schedules a hop for each event, and sends the oldest pending event at each arrival")
  func hops() {
    var machine = running()
    #expect(machine.after(.value(0, 1)) == [schedule])
    #expect(machine.after(.value(0, 2)) == [schedule])
    #expect(machine.after(.completed(0, .finished)) == [schedule])
    #expect(machine.afterSignal(0) == [.deliver("1")])
    #expect(machine.afterSignal(0) == [.deliver("2")])
    #expect(machine.afterSignal(0) == [.finish])
  }

  @Test("the next hop makes up for those that found another thread")
  func missedHops() {
    var machine = running()
    for value in 1...4 { #expect(machine.after(.value(0, value)) == [schedule]) }
    #expect(machine.after(.enqueuedSignal(0)) == [scheduleAgain])
    #expect(machine.after(.enqueuedSignal(0)) == [])
    #expect(machine.afterSignal(0) == deliveries(1...3))
    #expect(machine.afterSignal(-1) == [])
    #expect(machine.afterSignal(0) == [.deliver("4")])
  }

  @Test("a hop that makes up for others is rescheduled when it finds another thread, unless it is cancelled")
  func missedAgain() {
    var machine = running()
    _ = machine.after(.value(0, 1))
    #expect(machine.after(.enqueuedSignal(0)) == [scheduleAgain])
    #expect(machine.after(.enqueuedSignal(-1)) == [scheduleAgain])
    #expect(machine.after(.value(0, 2)) == [schedule])
    #expect(machine.afterSignal(-1) == [.deliver("1")])
    #expect(machine.after(.enqueuedSignal(0)) == [scheduleAgain])
    _ = machine.afterCancelled()
    #expect(machine.after(.enqueuedSignal(-1)) == [])
  }

  @Test("a hop makes up for a limited number of others, and schedules another for the rest", arguments: [false, true])
  func missesMany(_ drains: Bool) {
    var machine = Machine(drains: drains)
    _ = machine.afterSubscribed(0, "up")
    for value in 1...limit + 1 { _ = machine.after(.value(0, value)) }
    for number in 0...limit {
      #expect(machine.after(.enqueuedSignal(0)) == (number == 0 ? [scheduleAgain] : []))
    }
    #expect(machine.afterSignal(-1) == deliveries(1...limit) + [scheduleAgain])
    #expect(machine.after(.value(0, 0)) == (drains ? [] : [schedule]))
    #expect(machine.afterSignal(-1) == [.deliver("\(limit + 1)")] + (drains ? [.deliver("0")] : []))
  }

  @Test("draining, delivers a limited number of values with one hop, and schedules another for the rest")
  func drainsInParts() {
    var machine = Machine(drains: true)
    _ = machine.afterSubscribed(0, "up")
    for value in 1...limit + 50 { _ = machine.after(.value(0, value)) }
    #expect(machine.afterSignal(0) == deliveries(1...limit) + [scheduleAgain])
    #expect(machine.after(.completed(0, .finished)) == [])
    #expect(machine.afterSignal(-1) == deliveries(limit + 1...limit + 50) + [.finish])
  }

  @Test("draining, schedules no other hop for exactly the limited number, unless the completion is pending")
  func drainsTheLimit() {
    var machine = Machine(drains: true)
    _ = machine.afterSubscribed(0, "up")
    for value in 1...limit { _ = machine.after(.value(0, value)) }
    #expect(machine.afterSignal(0) == deliveries(1...limit))
    for value in 1...limit { _ = machine.after(.value(0, value)) }
    _ = machine.after(.completed(0, .finished))
    #expect(machine.afterSignal(0) == deliveries(1...limit) + [scheduleAgain])
    #expect(machine.afterSignal(-1) == [.finish])
  }

  @Test("hops that arrive during a delivery share its turn", arguments: [false, true])
  func nestedHops(_ drains: Bool) {
    var machine = Machine(drains: drains)
    _ = machine.afterSubscribed(0, "up")
    for value in 1...2 * limit { _ = machine.after(.value(0, value)) }
    for _ in 1...2 * limit { _ = machine.signal(0) }
    #expect(machine.steps() == deliveries(1...limit) + [scheduleAgain])
    #expect(machine.afterSignal(-1) == deliveries(limit + 1...2 * limit))
  }

  @Test("draining, schedules one hop for all pending events")
  func drains() {
    var machine = Machine(drains: true)
    _ = machine.afterSubscribed(0, "up")
    #expect(machine.after(.value(0, 1)) == [schedule])
    #expect(machine.after(.value(0, 2)) == [])
    #expect(machine.afterSignal(0) == [.deliver("1"), .deliver("2")])
    #expect(machine.after(.value(0, 3)) == [schedule])
    #expect(machine.after(.completed(0, .finished)) == [])
    #expect(machine.afterSignal(0) == [.deliver("3"), .finish])
  }

  @Test("draining, schedules another hop for a completion that arrives alone, and none after a cancellation")
  func drainsTheEnd() {
    var machine = Machine(drains: true)
    _ = machine.afterSubscribed(0, "up")
    _ = machine.after(.value(0, 1))
    _ = machine.afterSignal(0)
    #expect(machine.after(.completed(0, .failure(TestError.oops))) == [schedule])
    #expect(machine.afterSignal(0) == [.fail(.oops)])
    machine = Machine(drains: true)
    _ = machine.afterSubscribed(0, "up")
    _ = machine.after(.value(0, 1))
    #expect(machine.afterCancelled() == [.cancel("up")])
    #expect(machine.afterSignal(0) == [])
  }

  @Test("a failure follows the values before it")
  func fails() {
    var machine = running()
    _ = machine.after(.value(0, 1))
    #expect(machine.after(.completed(0, .failure(TestError.oops))) == [schedule])
    #expect(machine.afterSignal(0) == [.deliver("1")])
    #expect(machine.afterSignal(0) == [.fail(.oops)])
  }

  @Test("forwards demand immediately, unless the upstream has completed")
  func demand() {
    var machine = running()
    #expect(machine.afterRequested(.max(1)) == [.request(0, .max(1))])
    #expect(machine.afterRequested(.unlimited) == [.request(0, .unlimited)])
    _ = machine.after(.completed(0, .finished))
    #expect(machine.afterRequested(.max(1)) == [])
  }

  @Test("ignores an extra hop, and an upstream's events after its completion")
  func misbehaving() {
    var machine = running()
    #expect(machine.afterSignal(0) == [])
    #expect(machine.after(.value(0, 1)) == [schedule])
    #expect(machine.afterSubscribed(0, "again") == [.cancel("again")])
    _ = machine.after(.completed(0, .finished))
    #expect(machine.after(.value(0, 2)) == [])
    #expect(machine.after(.completed(0, .failure(TestError.oops))) == [])
    #expect(machine.afterSignal(0) == [.deliver("1")])
    #expect(machine.afterSignal(0) == [.finish])
  }

  @Test("after the upstream's completion, a cancellation drops pending events and cancels no upstream")
  func cancelledDraining() {
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
    #expect(machine.afterCancelled() == [])
    #expect(machine.afterSignal(0) == [])
    #expect(machine.after(.value(0, 1)) == [])
    #expect(machine.after(.completed(0, .finished)) == [])
    #expect(machine.afterRequested(.unlimited) == [])
    #expect(machine.afterSubscribed(0, "late") == [.cancel("late")])
  }
}
