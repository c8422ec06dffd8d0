import Testing

@testable import TestSupport
@testable import Weir

@Suite("BufferMachine")
struct BufferMachineTests {
  typealias Machine = BufferMachine<Int, TestError>

  func running(
    size: Int, prefetch: Publishers.PrefetchStrategy = .byRequest,
    whenFull: Publishers.BufferingStrategy<TestError> = .dropNewest
  ) -> Machine {
    var machine = Machine(BufferPolicy(size: size, prefetch: prefetch, whenFull: whenFull))
    _ = machine.afterSubscribed(0, "up")
    return machine
  }

  @Test("while subscribing, ignores all events but demand")
  func waiting() {
    var machine = Machine(BufferPolicy(size: 2, prefetch: .keepFull, whenFull: .dropNewest))
    #expect(machine.afterValue(1) == [])
    #expect(machine.after(.completed(0, .failure(TestError.oops))) == [])
    #expect(machine.after(.completed(0, .finished)) == [])
    #expect(machine.afterRequested(.max(1)) == [])
    #expect(machine.afterSubscribed(0, "up") == [.announce])
    #expect(machine.afterValue(2) == [.deliver("2"), .request(0, .max(1))])
  }

  @Test("while subscribing, a cancellation cancels later subscriptions")
  func cancelledWaiting() {
    var machine = Machine(BufferPolicy(size: 2, prefetch: .keepFull, whenFull: .dropNewest))
    #expect(machine.afterCancelled() == [])
    #expect(machine.afterSubscribed(0, "up") == [.cancel("up")])
  }

  @Test("by request, requests unlimited demand once")
  func byRequest() {
    var machine = Machine(BufferPolicy(size: 2, asking: .everything, whenFull: .dropNewest))
    #expect(machine.afterSubscribed(0, "up") == [.announce, .request(0, .unlimited)])
    #expect(machine.afterValue(1) == [])
    #expect(machine.afterRequested(.max(1)) == [.deliver("1")])
    #expect(machine.afterSubscribed(0, "again") == [.cancel("again")])
  }

  @Test("a value with demand needs no buffer")
  func withDemand() {
    var machine = running(size: 0)
    #expect(machine.afterValue(1) == [])
    #expect(machine.afterRequested(.max(1)) == [])
    #expect(machine.afterValue(2) == [.deliver("2")])
    #expect(machine.afterValue(3) == [])
  }

  @Test("when full, drops the newest, drops the oldest, or fails")
  func full() {
    var newest = running(size: 2, whenFull: .dropNewest)
    for value in 1...3 { #expect(newest.afterValue(value) == []) }
    #expect(newest.afterRequested(.unlimited) == [.deliver("1"), .deliver("2")])
    var oldest = running(size: 2, whenFull: .dropOldest)
    for value in 1...3 { #expect(oldest.afterValue(value) == []) }
    #expect(oldest.afterRequested(.unlimited) == [.deliver("2"), .deliver("3")])
    var failing = running(size: 2, whenFull: .customError { .other })
    for value in 1...2 { #expect(failing.afterValue(value) == []) }
    // The intake has cancelled the upstream.
    #expect(failing.afterValue(3) == [])
    #expect(failing.afterRequested(.max(1)) == [.deliver("1"), .fail(.other)])
  }

  @Test("draining, sends buffered values and then the completion, and ignores later events")
  func draining() {
    var machine = running(size: 2, prefetch: .keepFull)
    _ = machine.afterValue(1)
    _ = machine.afterValue(2)
    #expect(machine.after(.completed(0, .finished)) == [])
    #expect(machine.afterValue(3) == [])
    #expect(machine.after(.completed(0, .failure(TestError.oops))) == [])
    #expect(machine.afterSubscribed(0, "late") == [.cancel("late")])
    #expect(machine.afterRequested(.max(1)) == [.deliver("1")])
    #expect(machine.afterRequested(.max(1)) == [.deliver("2"), .finish])
  }

  @Test("draining, a cancellation drops buffered values and cancels no upstream")
  func cancelledDraining() {
    var machine = running(size: 2)
    _ = machine.afterValue(1)
    _ = machine.after(.completed(0, .finished))
    #expect(machine.afterCancelled() == [])
    #expect(machine.afterRequested(.max(1)) == [])
  }

  @Test("a failure overtakes buffered values")
  func fails() {
    var machine = running(size: 2)
    _ = machine.afterValue(1)
    #expect(machine.after(.completed(0, .failure(TestError.oops))) == [.fail(.oops)])
  }

  @Test("after termination, ignores all events and cancels later subscriptions")
  func over() {
    var machine = running(size: 2)
    #expect(machine.afterCancelled() == [.cancel("up")])
    #expect(machine.afterCancelled() == [])
    #expect(machine.afterValue(1) == [])
    #expect(machine.after(.completed(0, .finished)) == [])
    #expect(machine.afterRequested(.unlimited) == [])
    #expect(machine.afterSignal(0) == [])
    #expect(machine.afterSubscribed(0, "late") == [.cancel("late")])
  }
}

extension BufferMachine where Failure == TestError {
  /// Handles a value, and announces it if it is admitted.
  fileprivate mutating func afterValue(_ value: Value) -> [MachineStep] {
    switch buffered.admit(value, by: currentThread(), isNested: false, isLast: true) {
    case .admitted: after(.value(0, .arrived))
    case .failed(_, let makeError, _): after(.value(0, .overflowed(makeError())))
    case .ignored, .early, .postponed, .full, .dropped: []
    }
  }
}
