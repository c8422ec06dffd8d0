public import Foundation
public import Weir
import WeirDispatch

/// Makes every operation queue a scheduler.
///
/// - Threading: each action is an operation, so the queue's `maxConcurrentOperationCount`, its suspension, and
///   `cancelAllOperations()` count for it. A queue that runs several at once may run them in any order; a pipeline keeps
///   its order on it all the same.
/// - Time: the date. An action for later is on the queue at once, as an operation that is not ready until then.
/// - Cancellation: idempotent, from any thread. An action that runs while another thread cancels comes to its end.
extension OperationQueue: Scheduler {
  /// What can be chosen for a single action: nothing yet.
  public struct SchedulerOptions: Sendable {}

  /// The time at present.
  public var now: SchedulerTimeType {
    SchedulerTimeType(Date())
  }

  /// None: an action may be asked for at an exact time.
  public var minimumTolerance: SchedulerTimeType.Stride {
    0
  }

  /// Runs the action as soon as the queue gets to it.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let action = Action(run: action)
    addOperation(BlockOperation { action.run() })
  }

  /// Runs the action once the time has come; never if that is the distant future.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    if !date.date.isNever { DelayedOperation(action).add(to: self, after: date, tolerance: tolerance) }
  }

  /// Runs the action once the time has come, and then after each interval.
  ///
  /// One run is over before the next begins, on a concurrent queue too; runs that the queue was too busy for are left out.
  /// It ends when the result is cancelled or let go of.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let repetition = Repetition(on: self, interval: interval, tolerance: tolerance, action)
    if !date.date.isNever { repetition.scheduleRun(after: date) }
    return AnyCancellable(repetition)
  }
}

/// An action that runs again and again: one operation after another, each added when the one before it has run.
private final class Repetition: Cancellable {
  private let queue: OperationQueue
  private let interval: OperationQueue.SchedulerTimeType.Stride
  private let tolerance: OperationQueue.SchedulerTimeType.Stride
  private let action: () -> Void

  /// The operation that waits or runs, and whether there is to be no other.
  private let state = Locked<(operation: DelayedOperation?, isOver: Bool)>((nil, false))

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
    let operation = DelayedOperation { [self] in
      action()
      let next = date.advanced(by: interval)
      let now = queue.now
      scheduleRun(after: next < now ? now.advanced(by: interval) : next)
    }
    let isOver = state.withLock { state in
      if !state.isOver { state.operation = operation }
      return state.isOver
    }
    if !isOver { operation.add(to: queue, after: date, tolerance: tolerance) }
  }

  func cancel() {
    let operation = state.withLock { state in
      state.isOver = true
      return state.operation.take()
    }
    operation?.cancel()
  }
}
