import Weir

/// A scheduler that stores its work, which a test runs in any order, on any thread.
///
/// Its time doesn't advance.
final class BatchScheduler: Scheduler {
  typealias SchedulerTimeType = VirtualTimeScheduler.SchedulerTimeType
  typealias SchedulerOptions = String

  /// The options of all scheduled work.
  private(set) var options: [String?] = []
  // Hops that find another thread are rescheduled, on any thread.
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

  /// Runs scheduled work, the last first, until none is left.
  func runInReverse() {
    while let batch = takeBatch() {
      for action in batch.reversed() { action() }
    }
  }

  /// Runs scheduled work on several threads concurrently, until none is left.
  func runAtOnce() {
    while let batch = takeBatch() { runConcurrently(batch) }
  }

  /// Runs the work that is scheduled now, perhaps more than once; returns `false` if there is none.
  @discardableResult
  func runBatch(times: Int = 1) -> Bool {
    guard let batch = takeBatch() else { return false }
    for action in batch { for _ in 0..<times { action() } }
    return true
  }

  private func takeBatch() -> [() -> Void]? {
    let batch = pending.withLock { pending in
      defer { pending = [] }
      return pending
    }
    return batch.isEmpty ? nil : batch
  }
}
