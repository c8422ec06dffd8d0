/// The one timer that an operator has running.
///
/// Starting another, or stopping, cancels the one before. A timer that is handed over by its scheduler too late, after it
/// was stopped, is cancelled at once.
@usableFromInline
final class TimerSlot {
  private struct State {
    var number: Int?
    var timer: (any Cancellable)?
  }

  private let state = Locked(State())

  @usableFromInline
  init() {}

  /// Makes a timer take the place of the one before, under a number of its own.
  @usableFromInline
  func start(_ number: Int, _ make: () -> any Cancellable) {
    replace(with: number)
    let timer = make()
    let isKept = state.withLock { state in
      guard state.number == number else { return false }
      state.timer = timer
      return true
    }
    if !isKept { timer.cancel() }
  }

  @usableFromInline
  func stop() {
    replace(with: nil)
  }

  private func replace(with number: Int?) {
    let previous = state.withLock { state in
      state.number = number
      return state.timer.take()
    }
    previous?.cancel()
  }
}
