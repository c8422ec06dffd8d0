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
  // Hops that find another thread come again, from whatever thread.
  private let pending = Locked<[() -> Void]>([])

  let now = SchedulerTimeType(milliseconds: 0)
  let minimumTolerance: SchedulerTimeType.Stride = 0

  func schedule(options: String?, _ action: @escaping () -> Void) {
    pending.withLock { pending in
      self.options.append(options)
      pending.append(action)
    }
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
    while let batch = takeBatch() {
      for action in batch.reversed() { action() }
    }
  }

  /// Runs what has been scheduled on several threads at once, until nothing more comes.
  func runAtOnce() {
    while let batch = takeBatch() {
      nonisolated(unsafe) let batch = batch
      DispatchQueue.concurrentPerform(iterations: batch.count) { batch[$0]() }
    }
  }

  private func takeBatch() -> [() -> Void]? {
    let batch = pending.withLock { pending in
      defer { pending = [] }
      return pending
    }
    return batch.isEmpty ? nil : batch
  }
}
