#if !WEIR_BARE
public import Foundation
public import Weir

/// Makes every run loop a scheduler.
///
/// - Threading: actions run on the run loop's thread, while it runs in its default mode, in the order of their dates.
///   Immediate actions keep the order in which they were scheduled. Any thread may schedule actions. `RunLoop.main`
///   runs no actions in a program whose main thread is in `dispatchMain()`; use `DispatchQueue.main` there.
/// - Time: the date, so that a change of the computer's clock doesn't move a scheduled action.
/// - Cancellation: idempotent, from any thread. An action that is running while another thread cancels runs to its end.
extension RunLoop: Scheduler {
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

  /// Runs the action in a later pass of the run loop, never before this call has returned.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    // Not `perform`, which wakes the run loop on Apple's platforms only.
    immediateActions.append(action, to: self)
  }

  /// Runs the action at a date; never if that is the distant future.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    if !date.date.isNever { _ = startTimer(at: date.date, tolerance: tolerance.magnitude, action) }
  }

  /// Runs the action at a date, and then after each interval.
  ///
  /// Runs for which the run loop was too busy are skipped. The repetition stops when the result is cancelled or
  /// released.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    AnyCancellable(
      anywhere: startTimer(at: date.date, every: interval.magnitude, tolerance: tolerance.magnitude, action))
  }
}
#endif
