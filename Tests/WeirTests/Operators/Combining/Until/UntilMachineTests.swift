import Testing

@testable import TestSupport
@testable import Weir

@Suite("UntilMachine")
struct UntilMachineTests {
  typealias Machine = UntilMachine<Int, TestError>

  /// A machine with both upstreams' subscriptions.
  func running(opensAtSignal: Bool) -> Machine {
    var machine = begun(opensAtSignal: opensAtSignal)
    _ = machine.afterSubscribed(1, "other")
    _ = machine.afterSubscribed(0, "up")
    return machine
  }

  /// A machine that no upstream has reached; one that would open announces itself.
  func begun(opensAtSignal: Bool) -> Machine {
    var machine = Machine(opensAtSignal: opensAtSignal)
    #expect(machine.afterRequested(.none) == (opensAtSignal ? [.announce] : []))
    return machine
  }

  @Test("waiting, requests the other's value immediately", arguments: [false, true])
  func waiting(_ opensAtSignal: Bool) {
    var machine = begun(opensAtSignal: opensAtSignal)
    #expect(machine.after(.completed(1, .failure(TestError.oops))) == [])
    #expect(machine.afterSubscribed(1, "other") == [.request(1, .max(1))])
    #expect(machine.afterSubscribed(1, "again") == [.cancel("again")])
    #expect(machine.afterSubscribed(0, "up") == (opensAtSignal ? [] : [.announce]))
    #expect(machine.afterSubscribed(0, "again") == [.cancel("again")])
    #expect(machine.afterRequested(.max(2)) == [.request(0, .max(2))])
  }

  @Test("opens at a signal before the other's subscription, and forwards values before the upstream's")
  func opensEarly() {
    var machine = begun(opensAtSignal: true)
    #expect(machine.after(.value(0, 1)) == [])
    #expect(machine.afterSignal(1) == [])
    #expect(machine.after(.value(0, 2)) == [.deliver("2")])
    #expect(machine.afterSubscribed(1, "other") == [.cancel("other")])
    #expect(machine.afterSubscribed(0, "up") == [])
    #expect(machine.after(.value(0, 3)) == [.deliver("3")])
  }

  @Test("completes with an upstream that completes before its subscription, if it would open")
  func completesEarly() {
    var machine = begun(opensAtSignal: true)
    #expect(machine.after(.completed(0, .finished)) == [.finish])
    var closing = begun(opensAtSignal: false)
    #expect(closing.after(.completed(0, .finished)) == [])
  }

  @Test("forwards no value before the upstream's subscription, and ignores an early closing signal")
  func closesLate() {
    var machine = Machine(opensAtSignal: false)
    #expect(machine.after(.value(0, 1)) == [])
    #expect(machine.afterSignal(1) == [])
    #expect(machine.afterSubscribed(1, "other") == [.request(1, .max(1))])
    #expect(machine.afterSubscribed(0, "up") == [.announce])
    #expect(machine.after(.value(0, 2)) == [.deliver("2")])
  }

  @Test("while subscribing, a cancellation cancels later subscriptions")
  func cancelledWaiting() {
    var machine = Machine(opensAtSignal: true)
    #expect(machine.afterCancelled() == [])
    #expect(machine.afterSubscribed(1, "other") == [.cancel("other")])
    #expect(machine.afterSubscribed(0, "up") == [.cancel("up")])
  }

  @Test("opens at the signal, and releases the other")
  func opens() {
    var machine = running(opensAtSignal: true)
    #expect(machine.after(.value(0, 1)) == [])
    #expect(machine.afterSignal(1) == [.cancel("other")])
    #expect(machine.afterSignal(1) == [])
    #expect(machine.after(.completed(1, .failure(TestError.oops))) == [])
    #expect(machine.after(.value(0, 2)) == [.deliver("2")])
    #expect(machine.after(.completed(0, .finished)) == [.finish])
  }

  @Test("an opening machine completes with the other if that completes without a signal")
  func neverOpens() {
    var machine = running(opensAtSignal: true)
    #expect(machine.after(.completed(1, .failure(TestError.oops))) == [.cancel("up"), .fail(.oops)])
    var waiting = begun(opensAtSignal: true)
    _ = waiting.afterSubscribed(1, "other")
    #expect(waiting.after(.completed(1, .finished)) == [.finish])
    #expect(waiting.afterSubscribed(0, "up") == [.cancel("up")])
  }

  @Test("closes at the signal, which terminates both")
  func closes() {
    var machine = running(opensAtSignal: false)
    #expect(machine.after(.value(0, 1)) == [.deliver("1")])
    #expect(machine.afterSignal(1) == [.cancel("up"), .cancel("other"), .finish])
  }

  @Test("after termination, ignores all events and cancels later subscriptions", arguments: [false, true])
  func over(_ opensAtSignal: Bool) {
    var machine = running(opensAtSignal: opensAtSignal)
    #expect(machine.afterCancelled() == [.cancel("up"), .cancel("other")])
    #expect(machine.afterCancelled() == [])
    #expect(machine.afterSignal(1) == [])
    #expect(machine.after(.value(0, 1)) == [])
    #expect(machine.after(.completed(0, .finished)) == [])
    #expect(machine.after(.completed(1, .finished)) == [])
    #expect(machine.afterRequested(.unlimited) == [])
    #expect(machine.afterSubscribed(0, "late") == [.cancel("late")])
    #expect(machine.afterSubscribed(1, "late") == [.cancel("late")])
  }
}
