import Dispatch
import Weir

@testable import TestSupport

/// A scheduler that keeps what it is given, to be run in any order, on any thread.
///
/// Time stands still.
final class BatchScheduler: Scheduler {
  typealias SchedulerTimeType = VirtualTimeScheduler.SchedulerTimeType
  typealias SchedulerOptions = String

  /// The options of all work that was scheduled.
  private(set) var options: [String?] = []
  private var work: [() -> Void] = []

  let now = SchedulerTimeType(milliseconds: 0)
  let minimumTolerance: SchedulerTimeType.Stride = 0

  func schedule(options: String?, _ action: @escaping () -> Void) {
    self.options.append(options)
    work.append(action)
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: String?,
    _ action: @escaping () -> Void
  ) {
    schedule(options: options, action)
  }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: String?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(options: options, action)
    return AnyCancellable {}
  }

  /// Runs what has been scheduled, the last first, until nothing more comes.
  func runInReverse() {
    while !work.isEmpty {
      let batch = work
      work = []
      for action in batch.reversed() { action() }
    }
  }

  /// Runs what has been scheduled so far on several threads at once.
  func runAtOnce() {
    nonisolated(unsafe) let batch = work
    work = []
    DispatchQueue.concurrentPerform(iterations: batch.count) { batch[$0]() }
  }
}
