/// The one running timer of an operator.
///
/// Timers have increasing numbers. Starting or stopping a timer cancels the earlier ones. Threads can call these
/// methods in another order than the machine decided. A call that is older than the latest start or stop has no effect.
/// A timer that its scheduler returns too late is cancelled immediately.
@usableFromInline
package final class TimerSlot {
  private struct State {
    /// The number of the latest timer that was started or stopped.
    var number = Int.min
    var isStopped = true
    var timer: (any Cancellable)?
  }

  private let state = Locked(State())

  @usableFromInline
  package init() {}

  /// Replaces the previous timer by a new one, unless the new one is outdated.
  @usableFromInline
  package func start(_ number: Int, _ make: () -> any Cancellable) {
    let (starts, previous) = state.withLock { state -> (Bool, (any Cancellable)?) in
      guard number > state.number else { return (false, nil) }
      state.number = number
      state.isStopped = false
      return (true, state.timer.take())
    }
    guard starts else { return }
    previous?.cancel()
    let timer = make()
    let isKept = state.withLock { state in
      guard state.number == number, !state.isStopped else { return false }
      state.timer = timer
      return true
    }
    if !isKept { timer.cancel() }
  }

  /// Stops the timer with this number and the earlier ones; `.max` stops every timer, also later ones.
  @usableFromInline
  package func stop(_ number: Int) {
    let previous = state.withLock { state -> (any Cancellable)? in
      guard number >= state.number else { return nil }
      state.number = number
      state.isStopped = true
      return state.timer.take()
    }
    previous?.cancel()
  }
}

extension Scheduler {
  /// Runs the action after each interval, with the scheduler's own tolerance.
  @inlinable
  package func schedule(
    every interval: SchedulerTimeType.Stride, options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(
      after: now.advanced(by: interval), interval: interval, tolerance: minimumTolerance, options: options, action)
  }
}
