/// The one timer that an operator has running.
///
/// Timers have rising numbers. Starting one, or stopping it, cancels those before. Threads may come here in another order
/// than the one in which that was decided: what is older than the latest start or stop does nothing, and a timer that its
/// scheduler hands over too late is cancelled at once.
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

  /// Makes a timer take the place of the one before, unless it is outdated.
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

  /// Stops the timer of this number and those before it; `.max` stops all that may still come.
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
