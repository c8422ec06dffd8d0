// Safety: the queue is behind the lock, and an action is called by the line alone, which has taken it out. Its caller gives
// it away, as to any scheduler. (`ClockSchedulerTests`)
/// Actions that run one after the other, in the order in which they came, on an actor or on no actor in particular.
///
/// Tasks may start in any order, so one task at a time runs the actions. After ``HandOver/limit`` actions it yields, so
/// that other work on the actor has its turn. (`ActionLineTests`)
package final class ActionLine: @unchecked Sendable {
  private let actor: (any Actor)?
  private let state = Locked((waiting: Fifo<() -> Void>(), isRunning: false))

  package init(on actor: (any Actor)?) {
    self.actor = actor
  }

  package func append(_ action: @escaping () -> Void) {
    if add([action]) { start() }
  }

  /// Puts actions at the end without running any, fit to be done under a lock; true if it has to be started then.
  func add(_ actions: [() -> Void]) -> Bool {
    state.withLock { state in
      for action in actions { state.waiting.append(action) }
      defer { state.isRunning = state.isRunning || !actions.isEmpty }
      return !state.isRunning && !actions.isEmpty
    }
  }

  func start() {
    // Detached, so that the actions don't find the task-local values of whoever came first.
    Task.detached { await self.run(on: self.actor) }
  }

  private func run(on actor: isolated (any Actor)?) async {
    while true {
      // At most as many as are enqueued now, because an action may enqueue the next one.
      let count = min(state.withLock { $0.waiting.count }, HandOver.limit)
      for _ in 0..<count { state.withLock { $0.waiting.popFirst() }?() }
      let isDone = state.withLock { state in
        state.isRunning = !state.waiting.isEmpty
        return !state.isRunning
      }
      if isDone { return }
      await Task.yield()
    }
  }
}
