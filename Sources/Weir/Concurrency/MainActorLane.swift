import Synchronization

/// The part of a lane without the type of its values.
@usableFromInline
package class MainActorGate {
  /// Whether values are pending.
  ///
  /// Only a holder of the lane's lock changes it.
  fileprivate final let isBusy = Atomic<Bool>(false)

  fileprivate final let isOnMainActor: @Sendable () -> Bool

  fileprivate init(isOnMainActor: @escaping @Sendable () -> Bool) {
    self.isOnMainActor = isOnMainActor
  }

  /// Whether the caller is on the main actor and no value is pending, so that it can deliver a value itself.
  @usableFromInline
  final var isFree: Bool { !isBusy.load(ordering: .relaxed) && isOnMainActor() }
}

// Safety: the lock protects all mutable state. Values and the function are used only on the main actor, and a thread
// that puts a value transfers it. (`MainActorLaneTests`, `BinderTests`, `AssignTests`, `SinkOnMainActorTests`)
/// Delivers values on the main actor, always in the order in which they were put.
///
/// A value that is put on the main actor is delivered before `put(_:)` returns, if no older value is pending. Otherwise
/// the call delivers the older values first, and then this one. A value that is put elsewhere is delivered by a hop to
/// the main actor.
///
/// One turn delivers at most ``HandOver/limit`` pending values, including those of nested calls. The others stay
/// pending for the next hop, with the values behind them, so that other work on the main actor can run.
/// (`MainActorLaneTests`)
@usableFromInline
package final class MainActorLane<Value>: MainActorGate, @unchecked Sendable {
  private struct State {
    var waiting = CircularBuffer<Value>()
    var isHopScheduled = false
    var apply: (@MainActor (Value) -> Void)?

    /// The number of pending values that the current turn can still deliver; `nil` between turns.
    var left: Int?

    /// Returns `true` if the caller must schedule a hop.
    mutating func needsHop() -> Bool {
      if isHopScheduled || apply == nil || waiting.isEmpty { return false }
      isHopScheduled = true
      return true
    }
  }

  private enum Arrival {
    /// On the main actor, with no pending value.
    case immediate(@MainActor (Value) -> Void)
    /// On the main actor, behind pending values.
    case inTurn
    /// On another thread, so the value is pending until a hop.
    case byHop(isToSchedule: Bool)
    case closed
  }

  private let state: Locked<State>

  /// Creates a lane that delivers to a function.
  ///
  /// `isOnMainActor` can be more precise than the core's check, which does not use Dispatch.
  package init(
    isOnMainActor: @escaping @Sendable () -> Bool = { isRunningOnMainActor() },
    _ apply: (@MainActor (Value) -> Void)? = nil
  ) {
    state = Locked(State(apply: apply))
    super.init(isOnMainActor: isOnMainActor)
  }

  /// Sets the function of a lane that was created without one, before the first value.
  func open(_ apply: @escaping @MainActor (Value) -> Void) {
    state.withLock { $0.apply = apply }
  }

  /// Delivers a value, or makes it pending.
  package func put(_ value: Value) {
    let isHere = isOnMainActor()
    let arrival = state.withLock { state -> Arrival in
      guard let apply = state.apply else { return .closed }
      if isHere, state.waiting.isEmpty { return .immediate(apply) }
      state.waiting.append(value)
      isBusy.store(true, ordering: .relaxed)
      return isHere ? .inTurn : .byHop(isToSchedule: state.needsHop())
    }
    switch arrival {
    case .immediate(let apply): deliver(value, apply)
    case .inTurn: takeTurn()
    case .byHop(let isToSchedule): if isToSchedule { scheduleHop() }
    case .closed: break
    }
  }

  /// Closes the lane: no value is delivered afterwards.
  ///
  /// A call outside the main actor does not stop a delivery that is in progress.
  package func close() {
    let released = state.withLock { state in
      let released = (state.waiting, state.apply)
      state.waiting = CircularBuffer()
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

  /// Delivers pending values, in a new turn or as a part of the current turn.
  ///
  /// A hop is always a new turn. It can run inside another turn, if a delivery runs the main run loop.
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

  /// Returns the next pending value, unless the turn has reached its limit.
  ///
  /// Values are taken one at a time, because the delivery of one can put another, which is enqueued behind all pending
  /// values.
  private func next() -> (Value, @MainActor (Value) -> Void)? {
    state.withLock { state in
      guard let left = state.left, left > 0, let apply = state.apply, let value = state.waiting.popFirst() else {
        return nil
      }
      if state.waiting.isEmpty { isBusy.store(false, ordering: .relaxed) }
      state.left = left - 1
      return (value, apply)
    }
  }
}
