public import Foundation
public import Weir

/// Makes every run loop a scheduler.
///
/// - Threading: actions run in the run loop's thread, while it runs in its default mode, in the order of their dates; those
///   that are to run at once keep the order in which they were scheduled. Actions may be scheduled from any thread.
///   `RunLoop.main` runs nothing in a program whose main thread is in `dispatchMain()`: `DispatchQueue.main` does.
/// - Time: the date, so that a change of the computer's clock doesn't move an action that has been scheduled.
/// - Cancellation: idempotent, from any thread. An action that runs while another thread cancels comes to its end.
extension RunLoop: Scheduler {
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

  /// Runs the action in a later pass of the run loop, never before this call has returned.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    // Not `perform`, which wakes the run loop on Apple's platforms only.
    _ = startTimer(at: .distantPast, action)
  }

  /// Runs the action once the time has come; never if that is the distant future.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    if !date.date.isNever { _ = startTimer(at: date.date, tolerance: tolerance.magnitude, action) }
  }

  /// Runs the action once the time has come, and then after each interval.
  ///
  /// Runs that the run loop was too busy for are left out. It ends when the result is cancelled or let go of.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    AnyCancellable(
      startTimer(at: date.date, every: interval.magnitude, tolerance: tolerance.magnitude, action))
  }
}
