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
  /// Only the timer and the caller retain those of another run loop than the main one, so that they are released when
  /// the thread ends.
  var immediateActions: ImmediateActions {
    if self === RunLoop.main { return ofMain }
    while true {
      let (known, version) = ofOthers.withLock { ($0.list.elements, $0.version) }
      // Searched outside the lock, because another thread can release its last reference to a run loop meanwhile, whose
      // timers then release what their actions capture.
      for element in known.reversed() where element.loop === self {
        if let actions = element.actions { return actions }
      }
      let new = ImmediateActions()
      let added = ofOthers.withLock { $0.append(LoopActions(loop: self, actions: new), at: version) }
      // Released outside the lock.
      if added != nil { return new }
    }
  }
}

private let ofMain = ImmediateActions()

// Safety: the lock protects every access to its content. (`RunLoopTests`)
/// The immediate actions of the run loops of other threads.
private nonisolated(unsafe) let ofOthers = Locked(KnownActions())

private struct KnownActions {
  private(set) var list = WeakList<LoopActions> { $0.actions }
  private(set) var version = 0

  /// Adds an element, unless another thread has added one since this version.
  mutating func append(_ element: LoopActions, at version: Int) -> WeakList<LoopActions>.Released? {
    guard version == self.version else { return nil }
    self.version += 1
    return list.append(element)
  }
}

private struct LoopActions {
  weak var loop: RunLoop?
  weak var actions: ImmediateActions?
}
#endif
