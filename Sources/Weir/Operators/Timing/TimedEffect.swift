/// An effect of a machine that delivers on a scheduler.
///
/// Timers and signals have numbers, which the machine chooses.
@usableFromInline
enum TimedEffect {
  /// Start the timer with this number, which replaces the previous timer.
  case start(Int)
  /// Stop the timer with this number and the earlier ones.
  case stop(Int)
  /// Schedule the signal with this number.
  case schedule(Int)
}

extension TimedEffect {
  /// Performs the effect for a coordinator, whose signals are sent on the scheduler.
  @inlinable
  func perform<Context: Scheduler, Machine>(
    for coordinator: Coordinator<Machine>, with timer: TimerSlot, on scheduler: Context,
    every interval: Context.SchedulerTimeType.Stride, options: Context.SchedulerOptions?
  ) {
    switch self {
    case .start(let number):
      timer.start(number) { scheduler.schedule(every: interval, options: options) { coordinator.signal(number) } }
    case .stop(let number):
      timer.stop(number)
    case .schedule(let number):
      scheduler.schedule(options: options) { coordinator.signal(number) }
    }
  }
}
