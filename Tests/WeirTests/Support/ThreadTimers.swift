import Dispatch
import Weir

@testable import TestSupport

/// A scheduler for several threads, whose timers a test fires.
///
/// Its time doesn't advance. Immediate work runs immediately.
final class ThreadTimers: Scheduler {
  typealias SchedulerTimeType = VirtualTimeScheduler.SchedulerTimeType
  typealias SchedulerOptions = Never

  // The semaphore guards the timers.
  private var timers: [Int: () -> Void] = [:]
  private var made = 0
  private let guarded = DispatchSemaphore(value: 1)

  let now = SchedulerTimeType(milliseconds: 0)
  let minimumTolerance: SchedulerTimeType.Stride = 0

  /// Whether no timer is running.
  var isEmpty: Bool { locked { timers.isEmpty } }

  /// Fires every timer once, in the order in which they were started.
  func fire() {
    for timer in locked({ timers.sorted { $0.key < $1.key } }) { timer.value() }
  }

  func schedule(options: Never?, _ action: @escaping () -> Void) { action() }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) { action() }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let number = locked {
      made += 1
      timers[made] = action
      return made
    }
    return AnyCancellable { [self] in _ = locked { timers.removeValue(forKey: number) } }
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    guarded.wait()
    defer { guarded.signal() }
    return body()
  }
}
