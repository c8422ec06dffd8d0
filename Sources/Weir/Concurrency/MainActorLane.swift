/// Delivers values on the main actor: immediately to a caller on it, else as soon as it is free, and always in the order in
/// which they were put.
///
/// A value that is put on the main actor first delivers the pending ones, so its caller need not wait for a hop. One turn
/// delivers at most ``ActorTurn/limit`` pending values, nested turns included. The rest, and with it the value that was
/// put, stays pending for the next hop, so that other work on the main actor has its turn. (`MainActorLaneTests`)
///
/// Safety: all mutable state is behind the lock. Values and the function are used on the main actor only. A value from
/// another thread is given away by that thread. Whether it may be is for the caller to decide.
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
    /// Nothing is pending, so the value is delivered immediately.
    case now(@MainActor (Value) -> Void)
    /// The value is pending on the main actor.
    case inTurn
    /// The value is pending on another thread.
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

  /// Says where a lane ends that was made without: before the first value comes.
  func open(_ apply: @escaping @MainActor (Value) -> Void) {
    state.withLock { $0.apply = apply }
  }

  /// Delivers a value, or leaves it pending.
  package func put(_ value: Value) {
    let isHere = isOnMainActor()
    let arrival = state.withLock { state -> Arrival in
      guard let apply = state.apply else { return .closed }
      if isHere, state.waiting.isEmpty { return .now(apply) }
      state.waiting.append(value)
      return isHere ? .inTurn : .byHop(isToSchedule: state.needsHop())
    }
    switch arrival {
    case .now(let apply): deliver(value, apply)
    case .inTurn: takeTurn()
    case .byHop(let isToSchedule): if isToSchedule { scheduleHop() }
    case .closed: break
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
      if isHop || outer == nil { state.left = ActorTurn.limit }
      return (isHop || outer == nil, outer)
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

  /// The next value of the turn.
  ///
  /// Values are taken one at a time: delivering one may put another, which must be delivered after all of these.
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
