#if !WEIR_BARE
public import Foundation
public import Weir
import WeirDispatch

/// Makes every operation queue a scheduler.
///
/// - Threading: each action is an operation, so the queue's `maxConcurrentOperationCount`, its suspension, and
///   `cancelAllOperations()` apply to it. An operator such as `receive(on:)` needs one action for each value. If the
///   program cancels such an operation, the values that follow come one later, and the last event doesn't come; so
///   cancel the pipeline instead. A queue that runs several operations concurrently may run them in any order;
///   a pipeline keeps its order on such a queue.
/// - Time: the date. An action for a later date is added to the queue immediately, as an operation that is not ready
///   until then. On Linux, Foundation looks at all such operations each time one is added, so thousands of delays
///   are slow. A `DispatchQueue` has no such limit.
/// - Cancellation: idempotent, from any thread. An action that is running while another thread cancels runs to its end.
extension OperationQueue: Scheduler {
  /// Options for a single action; none exist yet.
  public struct SchedulerOptions: Sendable {}

  /// The current time.
  public var now: SchedulerTimeType {
    SchedulerTimeType(Date())
  }

  /// No tolerance: an action can be scheduled for an exact time.
  public var minimumTolerance: SchedulerTimeType.Stride {
    0
  }

  /// Runs the action as soon as the queue allows.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let action = Action(run: action)
    addOperation(BlockOperation { action.run() })
  }

  /// Runs the action at a date; never if that is the distant future.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    if !date.date.isNever { DelayedOperation(action).add(to: self, after: date, tolerance: tolerance) }
  }

  /// Runs the action at a date, and then after each interval.
  ///
  /// One run ends before the next starts, on a concurrent queue too. Runs for which the queue was too busy are skipped.
  /// The repetition stops when the result is cancelled or released. It runs once if the interval is infinite.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let repetition = Repetition(on: self, interval: interval, tolerance: tolerance, action)
    repetition.scheduleRun(after: date)
    return AnyCancellable(repetition)
  }
}

/// A repeating action: one operation after another, each of which is added after the previous one has run.
private final class Repetition: Cancellable {
  private let queue: OperationQueue
  private let interval: OperationQueue.SchedulerTimeType.Stride
  private let tolerance: OperationQueue.SchedulerTimeType.Stride
  private let action: () -> Void

  /// The operation that is pending or running, and whether the repetition has stopped.
  private let state = Locked<(operation: DelayedOperation?, isTerminated: Bool)>((nil, false))

  init(
    on queue: OperationQueue, interval: OperationQueue.SchedulerTimeType.Stride,
    tolerance: OperationQueue.SchedulerTimeType.Stride, _ action: @escaping () -> Void
  ) {
    self.queue = queue
    self.interval = interval
    self.tolerance = tolerance
    self.action = action
  }

  func scheduleRun(after date: OperationQueue.SchedulerTimeType) {
    if date.date.isNever { return }
    let operation = DelayedOperation { [self] in
      action()
      let next = date.advanced(by: interval)
      let now = queue.now
      scheduleRun(after: next < now ? now.advanced(by: interval) : next)
    }
    let isTerminated = state.withLock { state in
      if !state.isTerminated { state.operation = operation }
      return state.isTerminated
    }
    if !isTerminated { operation.add(to: queue, after: date, tolerance: tolerance) }
  }

  func cancel() {
    let operation = state.withLock { state in
      state.isTerminated = true
      return state.operation.take()
    }
    operation?.cancel()
  }
}
#endif
