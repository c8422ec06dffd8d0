// Safety: the lock protects the queue. Only the line calls an action, after it has removed it from the queue. As with
// any scheduler, a caller transfers the action that it appends. (`ClockSchedulerTests`)
/// A serial queue of actions, which run in order on an actor or on no actor in particular.
///
/// Tasks can start in any order, so one task at a time runs the actions. After ``HandOver/limit`` actions it yields, so
/// that other work on the actor can run. (`ActionLineTests`)
package final class ActionLine: @unchecked Sendable {
  /// The actor, if there is one, which only a task that runs actions retains.
  private let actor: UnretainedActor?

  private let state = Locked((waiting: CircularBuffer<Work>(), isRunning: false))

  package init(on actor: UnretainedActor?) {
    self.actor = actor
  }

  package func append(_ action: @escaping () -> Void) {
    if add(CollectionOfOne(Work(run: action))) { start() }
  }

  /// Appends actions without running any, so that it can be called under a lock.
  ///
  /// Returns `true` if the caller must call ``start()`` afterwards.
  func add(_ actions: some Collection<Work>) -> Bool {
    state.withLock { state in
      for action in actions { state.waiting.append(action) }
      defer { state.isRunning = state.isRunning || !actions.isEmpty }
      return !state.isRunning && !actions.isEmpty
    }
  }

  func start() {
    // The state of an actor that has been deallocated has been, too. Its actions run one at a time, for all such actors.
    let place = actor?.orFallback
    // Detached, so that the actions don't inherit the task-local values of the first caller.
    Task.detached { await self.run(on: place) }
  }

  private func run(on actor: isolated (any Actor)?) async {
    while true {
      // At most the number of actions that are enqueued now, because an action can enqueue the next one.
      let count = min(state.withLock { $0.waiting.count }, HandOver.limit)
      for _ in 0..<count { state.withLock { $0.waiting.popFirst() }?.run() }
      let isDone = state.withLock { state in
        state.isRunning = !state.waiting.isEmpty
        return !state.isRunning
      }
      if isDone { return }
      await Task.yield()
    }
  }
}

/// Where what is left for deallocated actors runs, one at a time: objects that belonged to one of them may be shared.
actor FallbackActor {
  static let shared = FallbackActor()
}
