import Testing

@testable import TestSupport
@testable import Weir

@Suite("HopMachine")
struct HopMachineTests {
  typealias Machine = HopMachine<Int, TestError>

  let schedule = Step.effect("schedule")

  func running() -> Machine {
    var machine = Machine()
    _ = machine.afterSubscribed(0, "up")
    return machine
  }

  @Test("while waiting, ignores values and completions and only adds up demand")
  func waiting() {
    var machine = Machine()
    #expect(machine.after(.value(0, 1)) == [])
    #expect(machine.after(.completed(0, .failure(.oops))) == [])
    #expect(machine.afterRequested(.max(2)) == [])
    #expect(machine.afterSubscribed(0, "up") == [.announce, .request(0, .max(2))])
  }

  @Test("while waiting, a cancel makes it cancel what comes later")
  func cancelledWaiting() {
    var machine = Machine()
    #expect(machine.afterCancelled() == [])
    #expect(machine.afterSubscribed(0, "up") == [.cancel("up")])
  }

  @Test("schedules a hop for each event, and sends what has waited longest at each arrival")
  func hops() {
    var machine = running()
    #expect(machine.after(.value(0, 1)) == [schedule])
    #expect(machine.after(.value(0, 2)) == [schedule])
    #expect(machine.after(.completed(0, .finished)) == [schedule])
    #expect(machine.after(.signal(0)) == [.deliver("1")])
    #expect(machine.after(.signal(0)) == [.deliver("2")])
    #expect(machine.after(.signal(0)) == [.finish])
  }

  @Test("schedules one hop for all that waits when it arrives, if it drains")
  func drains() {
    var machine = Machine(drains: true)
    _ = machine.afterSubscribed(0, "up")
    #expect(machine.after(.value(0, 1)) == [schedule])
    #expect(machine.after(.value(0, 2)) == [])
    #expect(machine.after(.signal(0)) == [.deliver("1"), .deliver("2")])
    #expect(machine.after(.value(0, 3)) == [schedule])
    #expect(machine.after(.completed(0, .finished)) == [])
    #expect(machine.after(.signal(0)) == [.deliver("3"), .finish])
  }

  @Test("if it drains, schedules another hop for the end that comes alone, and none after a cancel")
  func drainsTheEnd() {
    var machine = Machine(drains: true)
    _ = machine.afterSubscribed(0, "up")
    _ = machine.after(.value(0, 1))
    _ = machine.after(.signal(0))
    #expect(machine.after(.completed(0, .failure(.oops))) == [schedule])
    #expect(machine.after(.signal(0)) == [.fail(.oops)])
    machine = Machine(drains: true)
    _ = machine.afterSubscribed(0, "up")
    _ = machine.after(.value(0, 1))
    #expect(machine.afterCancelled() == [.cancel("up")])
    #expect(machine.after(.signal(0)) == [])
  }

  @Test("a failure waits for the values before it")
  func fails() {
    var machine = running()
    _ = machine.after(.value(0, 1))
    #expect(machine.after(.completed(0, .failure(.oops))) == [schedule])
    #expect(machine.after(.signal(0)) == [.deliver("1")])
    #expect(machine.after(.signal(0)) == [.fail(.oops)])
  }

  @Test("passes demand on at once, unless the upstream has ended")
  func demand() {
    var machine = running()
    #expect(machine.afterRequested(.max(1)) == [.request(0, .max(1))])
    #expect(machine.afterRequested(.unlimited) == [.request(0, .unlimited)])
    _ = machine.after(.completed(0, .finished))
    #expect(machine.afterRequested(.max(1)) == [])
  }

  @Test("ignores a hop too many, and what an upstream sends after its end")
  func misbehaving() {
    var machine = running()
    #expect(machine.after(.signal(0)) == [])
    #expect(machine.after(.value(0, 1)) == [schedule])
    #expect(machine.afterSubscribed(0, "again") == [.cancel("again")])
    _ = machine.after(.completed(0, .finished))
    #expect(machine.after(.value(0, 2)) == [])
    #expect(machine.after(.completed(0, .failure(.oops))) == [])
    #expect(machine.after(.signal(0)) == [.deliver("1")])
    #expect(machine.after(.signal(0)) == [.finish])
  }

  @Test("draining, a cancel drops what is on its way and cancels nobody")
  func cancelledDraining() {
    var machine = running()
    _ = machine.after(.value(0, 1))
    _ = machine.after(.completed(0, .finished))
    #expect(machine.afterCancelled() == [])
    #expect(machine.after(.signal(0)) == [])
  }

  @Test("when it is over, ignores everything and cancels what comes")
  func over() {
    var machine = running()
    _ = machine.after(.value(0, 1))
    #expect(machine.afterCancelled() == [.cancel("up")])
    #expect(machine.afterCancelled() == [])
    #expect(machine.after(.signal(0)) == [])
    #expect(machine.after(.value(0, 1)) == [])
    #expect(machine.after(.completed(0, .finished)) == [])
    #expect(machine.afterRequested(.unlimited) == [])
    #expect(machine.afterSubscribed(0, "late") == [.cancel("late")])
  }
}
