// Safety: the state is behind the lock, and values and the function are used on the main actor alone. A thread that puts a
// value gives it away. (`BinderTests`, `AssignTests`, `SinkOnMainActorTests`)
/// Brings values to the main actor: at once if they come on it, else as soon as it is free, and always in the order in
/// which they came.
///
/// Values that are on their way go first when one comes on the actor, so nobody waits for a hop who need not.
package final class MainActorLane<Value>: @unchecked Sendable {
  private struct State {
    var waiting = Fifo<Value>()
    var isHopScheduled = false
    var apply: (@MainActor (Value) -> Void)?
  }

  private let state: Locked<State>
  private let isOnMainActor: @Sendable () -> Bool

  /// Makes a lane that ends at a function; `isOnMainActor` may know better than the core, which knows no Dispatch.
  package init(
    isOnMainActor: @escaping @Sendable () -> Bool = { isRunning(on: MainActor.shared) == true },
    _ apply: (@MainActor (Value) -> Void)? = nil
  ) {
    state = Locked(State(apply: apply))
    self.isOnMainActor = isOnMainActor
  }

  /// Says where a lane ends that was made without: before the first value comes.
  func open(_ apply: @escaping @MainActor (Value) -> Void) {
    state.withLock { $0.apply = apply }
  }

  /// Takes a value there.
  package func put(_ value: Value) {
    let isHere = isOnMainActor()
    let isHopNeeded = state.withLock { state in
      if state.apply == nil { return false }
      state.waiting.append(value)
      if isHere || state.isHopScheduled { return false }
      state.isHopScheduled = true
      return true
    }
    if isHere {
      arrive()
    } else if isHopNeeded {
      Task { @MainActor in hop() }
    }
  }

  /// Ends it: nothing arrives from now on, if this is called on the main actor; else at most what is arriving now.
  package func close() {
    let released = state.withLock { state in
      let released = (state.waiting, state.apply)
      state.waiting = Fifo()
      state.apply = nil
      return released
    }
    withExtendedLifetime(released) {}
  }

  private func hop() {
    state.withLock { $0.isHopScheduled = false }
    arrive()
  }

  // One at a time: a value may bring another, which must come after all of these.
  private func arrive() {
    while let (value, apply) = next() {
      // Safety: the caller is on the main actor, and neither leaves it. (`BinderTests`)
      nonisolated(unsafe) let value = value
      MainActor.assumeIsolated { apply(value) }
    }
  }

  private func next() -> (Value, @MainActor (Value) -> Void)? {
    state.withLock { state in
      guard let apply = state.apply, let value = state.waiting.popFirst() else { return nil }
      return (value, apply)
    }
  }
}
