// Safety: all mutable state is behind the lock. Values and the function are used on the main actor only, and a thread that
// puts a value gives it away. (`MainActorLaneTests`, `BinderTests`, `AssignTests`, `SinkOnMainActorTests`)
/// Delivers values on the main actor, always in the order in which they were put.
///
/// A value that is put on the main actor is delivered before `put(_:)` returns, if no older value is pending. Otherwise
/// the call delivers the older values first, and then this one. A value that is put elsewhere is delivered by a hop to the
/// main actor.
///
/// One turn delivers at most ``HandOver/limit`` pending values, those of nested calls included. The rest stays pending for
/// the next hop, together with a value that was put behind it, so that other work on the main actor has its turn.
/// (`MainActorLaneTests`)
package final class MainActorLane<Value>: @unchecked Sendable {
  private struct State {
    var waiting = Fifo<Value>()
    var isHopScheduled = false
    var apply: (@MainActor (Value) -> Void)?

    /// How many pending values the turn on the main actor may still deliver; `nil` between turns.
    var left: Int?

    /// True if the caller has to schedule a hop.
    mutating func needsHop() -> Bool {
      if isHopScheduled || apply == nil || waiting.isEmpty { return false }
      isHopScheduled = true
      return true
    }
  }

  private enum Arrival {
    /// On the main actor, and nothing is pending.
    case immediate(@MainActor (Value) -> Void)
    /// On the main actor, and pending.
    case inTurn
    /// On another thread, and pending.
    case byHop(isToSchedule: Bool)
    case closed
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

  /// Sets the function of a lane that was made without one, before the first value.
  func open(_ apply: @escaping @MainActor (Value) -> Void) {
    state.withLock { $0.apply = apply }
  }

  /// Delivers a value, or leaves it pending.
  package func put(_ value: Value) {
    let isHere = isOnMainActor()
    let arrival = state.withLock { state -> Arrival in
      guard let apply = state.apply else { return .closed }
      if isHere, state.waiting.isEmpty { return .immediate(apply) }
      state.waiting.append(value)
      return isHere ? .inTurn : .byHop(isToSchedule: state.needsHop())
    }
    switch arrival {
    case .immediate(let apply): deliver(value, apply)
    case .inTurn: takeTurn()
    case .byHop(let isToSchedule): if isToSchedule { scheduleHop() }
    case .closed: break
    }
  }

  /// Ends it: nothing is delivered from now on, if this is called on the main actor; else at most the current value.
  package func close() {
    let released = state.withLock { state in
      let released = (state.waiting, state.apply)
      state.waiting = Fifo()
      state.apply = nil
      return released
    }
    withExtendedLifetime(released) {}
  }

  private func scheduleHop() {
    Task { @MainActor in hop() }
  }

  private func hop() {
    state.withLock { $0.isHopScheduled = false }
    takeTurn(isHop: true)
  }

  /// Delivers pending values, in a new turn or as a part of the turn that calls this.
  ///
  /// A hop is always a new turn. It may run inside another one, where a delivery runs the main run loop.
  private func takeTurn(isHop: Bool = false) {
    let (isNew, outer) = state.withLock { state in
      let outer = state.left
      let isNew = isHop || outer == nil
      if isNew { state.left = HandOver.limit }
      return (isNew, outer)
    }
    while let (value, apply) = next() { deliver(value, apply) }
    guard isNew else { return }
    let needsHop = state.withLock { state in
      state.left = outer
      return state.needsHop()
    }
    if needsHop { scheduleHop() }
  }

  private func deliver(_ value: Value, _ apply: @MainActor (Value) -> Void) {
    // Safety: the caller is on the main actor, and neither the value nor the function leaves it. (`MainActorLaneTests`)
    nonisolated(unsafe) let value = value
    MainActor.assumeIsolated { apply(value) }
  }

  /// The next pending value, unless the turn is over.
  ///
  /// Values are taken one at a time, because the delivery of one may put another, which goes behind all of these.
  private func next() -> (Value, @MainActor (Value) -> Void)? {
    state.withLock { state in
      guard let left = state.left, left > 0, let apply = state.apply, let value = state.waiting.popFirst() else {
        return nil
      }
      state.left = left - 1
      return (value, apply)
    }
  }
}
