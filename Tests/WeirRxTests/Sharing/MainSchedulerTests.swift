import Dispatch
import Synchronization
import Testing
import Weir
import WeirDispatch
import WeirRx

@testable import TestSupport

@Suite("The scheduler of the main actor", .timeLimit(.minutes(10)))
struct MainSchedulerTests {
  let scheduler = MainScheduler()
  let record = Record()

  final class Record: Sendable {
    private let list = Mutex<[String]>([])

    var events: [String] { list.withLock { $0 } }

    func callAsFunction(_ event: String, at isRight: Bool = true) {
      list.withLock { $0.append(isRight ? event : event + " elsewhere") }
    }
  }

  /// Schedules from another thread, and waits until the call has returned, but not until the action has run.
  nonisolated func scheduleElsewhere(_ event: String) {
    onAnotherThread { scheduler.schedule { record(event, at: isOnMainActor()) } }
  }

  /// Waits until the main queue has run its pending actions.
  @MainActor
  func settle() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }

  @Test("detects the main actor")
  @MainActor
  func assemblySite() async {
    #expect(isOnMainActor())
    onAnotherThread { record("elsewhere", at: !isOnMainActor()) }
    await Task.detached { record("detached", at: !isOnMainActor()) }.value
    #expect(record.events == ["elsewhere", "detached"])
    #expect(isOnMainActor())
  }

  @Test("runs an action immediately on the main actor, also nested in another")
  @MainActor
  func atOnce() {
    scheduler.schedule {
      record("first")
      scheduler.schedule { record("inside") }
      record("end of first")
    }
    record("returned")
    #expect(record.events == ["first", "inside", "end of first", "returned"])
  }

  @Test("runs actions from other threads on the main actor, in order")
  @MainActor
  func fromElsewhere() async {
    scheduleElsewhere("first")
    scheduleElsewhere("second")
    #expect(record.events == [])
    await settle()
    #expect(record.events == ["first", "second"])
  }

  @Test("overtakes no pending action, and runs actions immediately again afterwards")
  @MainActor
  func order() async {
    scheduleElsewhere("first")
    scheduler.schedule { record("second") }
    scheduler.schedule { record("third") }
    #expect(record.events == [])
    await settle()
    scheduler.schedule { record("fourth") }
    #expect(record.events == ["first", "second", "third", "fourth"])
  }

  @Test("doesn't wait for pending actions of another scheduler")
  @MainActor
  func independent() {
    scheduleElsewhere("later")
    MainScheduler().schedule { record("at once") }
    #expect(record.events == ["at once"])
    #expect(MainScheduler.shared === MainScheduler.shared)
  }

  @Test("runs a delayed and a repeated action on the main actor")
  @MainActor
  func later() async {
    #expect(scheduler.minimumTolerance == .nanoseconds(0))
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(1)), tolerance: 0) {
        record("delayed", at: isOnMainActor())
        continuation.resume()
      }
    }
    let repeated = Box<(any Cancellable)?>(nil)
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      repeated.value = scheduler.schedule(after: scheduler.now, interval: .milliseconds(1), tolerance: 0) {
        record("repeated", at: isOnMainActor())
        if record.events.count == 3 {
          repeated.value?.cancel()
          continuation.resume()
        }
      }
    }
    await settle()
    #expect(record.events == ["delayed", "repeated", "repeated"])
  }

  @Test("keeps each thread's order")
  @MainActor
  func threads() async {
    schedulesFromThreads()
    await settle()
    for thread in ["a", "b"] {
      #expect(record.events.filter { $0.hasPrefix(thread) } == (0..<100).map { "\(thread)\($0)" })
    }
  }

  nonisolated func schedulesFromThreads() {
    race(
      { for number in 0..<100 { scheduler.schedule { record("a\(number)", at: isOnMainActor()) } } },
      { for number in 0..<100 { scheduler.schedule { record("b\(number)", at: isOnMainActor()) } } })
  }
}
