#if !WEIR_BARE
import Dispatch
import Weir

/// The threads that a rule starts, and the conditions for which each side waits.
///
/// The result doesn't depend on time: each wait ends with its condition. Only a thread that a broken rule blocks
/// reaches the timeout.
final class Helpers: Sendable {
  private struct State {
    /// The helpers that are running, and those of them that stay in the subscriber.
    var running = 0
    var staying = 0
    var isAllSent = false
    var isBlocked = false
    var waiters: [DispatchSemaphore] = []
  }

  private let state = Shared(State())
  private let main = currentThread()
  private let patience = DispatchTimeInterval.seconds(10)

  /// Runs a body on another thread.
  func run(_ body: @escaping () -> Void) {
    // Safety: state that the rules' bodies share is behind locks. (`NestedRuleTests`)
    nonisolated(unsafe) let body = body
    change { $0.running += 1 }
    // A separate queue gets a thread even if many others wait for one.
    DispatchQueue(label: "weir.verification").async {
      body()
      self.change { $0.running -= 1 }
    }
  }

  /// Blocks this thread until the others have made all progress that they can make meanwhile.
  func letOthersGoOn() {
    if currentThread() == main { return wait { $0.running == 0 } }
    change { $0.staying += 1 }
    wait { $0.running == $0.staying && $0.isAllSent }
    change { $0.staying -= 1 }
  }

  /// On the rule's own thread: waits until each helper has ended or stays in the subscriber.
  func settle() { wait { $0.running == $0.staying } }

  /// On the rule's own thread: releases the helpers from the subscriber, and waits until they have ended.
  func finish() {
    change { $0.isAllSent = true }
    wait { $0.running == 0 }
  }

  /// Whether a thread was blocked by another one.
  var isBlocked: Bool { state.withLock { $0.isBlocked } }

  private func change(_ body: (inout State) -> Void) {
    let waiters = state.withLock { state in
      body(&state)
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.signal() }
  }

  private func wait(until isMet: (State) -> Bool) {
    while true {
      let changed = DispatchSemaphore(value: 0)
      let isDone = state.withLock { state in
        if isMet(state) { return true }
        state.waiters.append(changed)
        return false
      }
      if isDone { return }
      if changed.wait(timeout: .now() + patience) == .timedOut { return state.withLock { $0.isBlocked = true } }
    }
  }
}
#endif
