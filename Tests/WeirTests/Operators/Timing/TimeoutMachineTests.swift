import Testing

@testable import TestSupport
@testable import Weir

@Suite("TimeoutMachine")
struct TimeoutMachineTests {
  typealias Machine = TimeoutMachine<Int, TestError>

  let hop = MachineStep.effect("schedule(0)")
  let stop = MachineStep.effect("stop(\(Int.max))")

  /// A machine with unlimited demand, whose latest timer has number 2.
  func running(timeout: AnyCompletion = .finished) -> Machine {
    var machine = Machine { timeout }
    _ = machine.afterSubscribed(0, "up")
    #expect(machine.afterRequested(.unlimited) == [.effect("start(2)"), .request(0, .unlimited)])
    return machine
  }

  @Test("while subscribing, ignores values, completions and timers")
  func waiting() {
    var machine = Machine { .finished }
    #expect(machine.after(.value(0, 1)) == [])
    #expect(machine.after(.completed(0, .failure(TestError.oops))) == [])
    #expect(machine.afterSignal(1) == [])
    #expect(machine.afterSubscribed(0, "up") == [.effect("start(1)"), .announce])
  }

  @Test("while subscribing, a cancellation cancels later subscriptions, without a timer")
  func cancelledWaiting() {
    var machine = Machine { .finished }
    #expect(machine.afterCancelled() == [stop])
    #expect(machine.afterSubscribed(0, "up") == [.cancel("up")])
  }

  @Test("starts a timer with the first request, but with no other")
  func requests() {
    var machine = running()
    #expect(machine.afterRequested(.max(1)) == [.request(0, .max(1))])
  }

  @Test("starts a timer with each value, and forwards it with a hop")
  func values() {
    var machine = running()
    #expect(machine.after(.value(0, 1)) == [.effect("start(3)"), hop])
    #expect(machine.afterSignal(0) == [.deliver("1")])
    #expect(machine.after(.value(0, 2)) == [.effect("start(4)"), hop])
    #expect(machine.afterSignal(3) == [])
    #expect(machine.afterSignal(0) == [.deliver("2")])
  }

  @Test("terminates when the latest timer is due", arguments: [nil, TestError.oops])
  func timesOut(error: TestError?) {
    var machine = running(timeout: error.map { .failure($0) } ?? .finished)
    #expect(machine.afterSignal(2) == [stop, .cancel("up"), error.map { .fail($0) } ?? .finish])
    #expect(machine.afterSignal(2) == [])
    #expect(machine.after(.value(0, 1)) == [])
    #expect(machine.afterRequested(.max(1)) == [])
    #expect(machine.afterSubscribed(0, "late") == [.cancel("late")])
  }

  @Test("sends pending values before the completion of a timeout")
  func timesOutBehindValues() {
    var machine = running()
    _ = machine.after(.value(0, 1))
    _ = machine.after(.value(0, 2))
    #expect(machine.afterSignal(4) == [stop, .deliver("1"), .cancel("up")])
    #expect(machine.afterSignal(0) == [.deliver("2")])
    #expect(machine.afterSignal(0) == [.finish])
  }

  @Test("the next hop makes up for one that found another thread")
  func missedHops() {
    var machine = running()
    for value in 1...3 { _ = machine.after(.value(0, value)) }
    #expect(machine.after(.enqueuedSignal(0)) == [.effect("schedule(-1)")])
    #expect(machine.after(.enqueuedSignal(0)) == [])
    #expect(machine.afterSignal(-1) == [.deliver("1"), .deliver("2")])
    #expect(machine.afterSignal(0) == [.deliver("3")])
  }

  @Test("the completion stops the timer and uses a hop")
  func ends() {
    var machine = running()
    #expect(machine.after(.completed(0, .failure(TestError.oops))) == [stop, hop])
    #expect(machine.afterSignal(2) == [])
    #expect(machine.after(.completed(0, .finished)) == [])
    #expect(machine.afterSignal(0) == [.fail(.oops)])
  }

  @Test("a cancellation stops the timer, and drops all pending events")
  func cancelled() {
    var machine = running()
    _ = machine.after(.value(0, 1))
    #expect(machine.afterCancelled() == [stop, .cancel("up")])
    #expect(machine.afterSignal(0) == [])
    #expect(machine.afterSignal(3) == [])
    #expect(machine.after(.completed(0, .finished)) == [])
    #expect(machine.afterRequested(.unlimited) == [])
  }
}
