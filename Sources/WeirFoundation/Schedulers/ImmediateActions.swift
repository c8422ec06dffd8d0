#if !WEIR_BARE
import Foundation
import Weir

// Safety: its state is behind the lock. For the actions, see `Action`. (`RunLoopTests/many`, `Threads/run-loop`)
/// The immediate actions of a run loop, in one queue, for which at most two timers run.
///
/// A pass of the run loop runs the actions that are in the queue when its timer fires.
///
/// Performance: with a timer for each action, Core Foundation would search all of them for each timer that is cancelled.
final class ImmediateActions: @unchecked Sendable {
  private struct State {
    var actions = CircularBuffer<() -> Void>()
    /// A timer will run the actions.
    var hasTimer = false
  }

  private let state = Locked(State())

  func append(_ action: @escaping () -> Void, to loop: RunLoop) {
    let hasTimer = state.withLock { state in
      state.actions.append(action)
      defer { state.hasTimer = true }
      return state.hasTimer
    }
    if !hasTimer { startTimer(of: loop) }
  }

  private func startTimer(of loop: RunLoop) {
    _ = loop.startTimer(at: .distantPast) { self.run() }
  }

  private func run() {
    let count = state.withLock { state in
      state.hasTimer = state.actions.count > 1
      return state.actions.count
    }
    // An action can run the run loop, which then runs the next ones.
    if count > 1 { startTimer(of: .current) }
    for _ in 0..<count { state.withLock { $0.actions.popFirst() }?() }
  }
}

// MARK: - The queue of a run loop

extension RunLoop {
  /// The immediate actions of this run loop.
  ///
  /// Only the timer and the caller retain those of another run loop than the main one.
  var immediateActions: ImmediateActions {
    self === RunLoop.main ? ofMain : ofOthers.object(for: self, orInsert: ImmediateActions())
  }
}

private let ofMain = ImmediateActions()

private let ofOthers = RunLoopTable<ImmediateActions>()
#endif
