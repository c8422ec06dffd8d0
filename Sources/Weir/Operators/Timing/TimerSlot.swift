/// The one running timer of an operator.
///
/// Timers have increasing numbers. Starting or stopping a timer cancels the earlier ones. Threads can call these
/// methods in another order than the machine decided. A call that is older than the latest start or stop has no effect.
/// A timer that its scheduler returns too late is cancelled immediately.
///
/// Performance: timers are swapped, because a copy of an existential calls the witnesses of its type.
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
    var previous: (any Cancellable)?
    let starts = state.withLock { state in
      guard number > state.number else { return false }
      state.number = number
      state.isStopped = false
      swap(&previous, &state.timer)
      return true
    }
    guard starts else { return }
    previous?.cancel()
    var timer: (any Cancellable)? = make()
    state.withLock { state in
      if state.number == number, !state.isStopped { swap(&timer, &state.timer) }
    }
    // It was not kept.
    timer?.cancel()
  }

  /// Stops the timer with this number and the earlier ones; `.max` stops every timer, also later ones.
  @usableFromInline
  package func stop(_ number: Int) {
    var previous: (any Cancellable)?
    state.withLock { state in
      guard number >= state.number else { return }
      state.number = number
      state.isStopped = true
      swap(&previous, &state.timer)
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
