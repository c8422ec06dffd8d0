import Synchronization

/// The part of a lane without the type of its values.
@usableFromInline
package class ActorGate {
  /// Whether values are pending.
  ///
  /// Only a holder of the lane's lock changes it.
  fileprivate final let isBusy = Atomic<Bool>(false)

  fileprivate final let isOnActor: @Sendable () -> Bool

  fileprivate init(isOnActor: @escaping @Sendable () -> Bool) {
    self.isOnActor = isOnActor
  }

  /// Whether the caller is on the actor and no value is pending, so that it can deliver a value itself.
  @usableFromInline
  final var isFree: Bool { !isBusy.load(ordering: .relaxed) && isOnActor() }
}

// Safety: the lock protects all mutable state. Values and the function are used only on the actor, and a thread that
// puts a value transfers it. A hop retains the actor. If the actor is gone, no hop is in progress, and values are used
// where they are put: one at a time, because only a subscriber puts into such a lane, behind a turnstile if the
// publisher is a user's. (`ActorLaneTests`, `BinderTests`, `AssignTests`, `SinkOnMainActorTests`, `IsolationTests`)
/// Delivers values on an actor, usually the main actor, always in the order in which they were put.
///
/// A value that is put on the actor is delivered before `put(_:)` returns, if no older value is pending. Otherwise
/// the call delivers the older values first, and then this one. A value that is put elsewhere is delivered by a hop to
/// the actor.
///
/// One turn delivers at most ``HandOver/limit`` pending values, including those of nested calls. The others stay
/// pending for the next hop, with the values behind them, so that other work on the actor can run. (`ActorLaneTests`)
@usableFromInline
package final class ActorLane<Value>: ActorGate, @unchecked Sendable {
  private struct State {
    var waiting = CircularBuffer<Value>()
    var isHopScheduled = false
    var apply: ((Value) -> Void)?

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
    /// On the actor, with no pending value.
    case immediate((Value) -> Void)
    /// On the actor, behind pending values.
    case inTurn
    /// On another thread, so the value is pending until a hop.
    case byHop(isToSchedule: Bool)
    case closed
  }

  private let state = Locked(State())

  /// Delivers pending values on the actor, later.
  private let schedule: @Sendable (ActorLane) -> Void

  /// Creates a lane to the main actor.
  ///
  /// `isOnMainActor` can be more precise than the core's check, which does not use Dispatch.
  package init(isOnMainActor: @escaping @Sendable () -> Bool = { isRunningOnMainActor() }) {
    schedule = { lane in Task { @MainActor in lane.hop() } }
    super.init(isOnActor: isOnMainActor)
  }

  /// Creates a lane to an actor.
  ///
  /// The lane does not retain an actor: an actor that stores the cancellable of a pipeline would retain itself. Where
  /// the actor has been deallocated, its state has too, so values are delivered where they are put.
  convenience init(to actor: any Actor) {
    if actor is MainActor { self.init() } else { self.init(weaklyTo: actor) }
  }

  private init(weaklyTo actor: any Actor) {
    schedule = { [weak actor] lane in
      guard let actor else { return lane.hop() }
      Task { await lane.hop(on: actor) }
    }
    super.init(isOnActor: { [weak actor] in actor.map { isRunning(on: $0) == true } ?? true })
  }

  /// Sets the function that values are delivered to, before the first value.
  ///
  /// It is called on the actor only.
  package func open(_ apply: @escaping (Value) -> Void) {
    state.withLock { $0.apply = apply }
  }

  /// Sets the function of a lane to the main actor.
  package func open(onMainActor apply: @escaping @MainActor (Value) -> Void) {
    open { value in
      // Safety: the caller is on the main actor, and neither the value nor the function leaves it. (`ActorLaneTests`)
      nonisolated(unsafe) let value = value
      MainActor.assumeIsolated { apply(value) }
    }
  }

  /// Delivers a value, or makes it pending.
  package func put(_ value: Value) {
    let isHere = isOnActor()
    let arrival = state.withLock { state -> Arrival in
      guard let apply = state.apply else { return .closed }
      if isHere, state.waiting.isEmpty { return .immediate(apply) }
      state.waiting.append(value)
      isBusy.store(true, ordering: .relaxed)
      return isHere ? .inTurn : .byHop(isToSchedule: state.needsHop())
    }
    switch arrival {
    case .immediate(let apply): apply(value)
    case .inTurn: takeTurn()
    case .byHop(let isToSchedule): if isToSchedule { schedule(self) }
    case .closed: break
    }
  }

  /// Closes the lane: no value is delivered afterwards.
  ///
  /// A call off the actor does not stop a delivery that is in progress.
  package func close() {
    let released = state.withLock { state in
      let released = (state.waiting, state.apply)
      state.waiting = CircularBuffer()
      state.apply = nil
      return released
    }
    withExtendedLifetime(released) {}
  }

  private func hop() {
    state.withLock { $0.isHopScheduled = false }
    takeTurn(isHop: true)
  }

  private func hop(on actor: isolated any Actor) {
    hop()
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
    while let (value, apply) = next() { apply(value) }
    guard isNew else { return }
    let needsHop = state.withLock { state in
      state.left = outer
      return state.needsHop()
    }
    if needsHop { schedule(self) }
  }

  /// Returns the next pending value, unless the turn has reached its limit.
  ///
  /// Values are taken one at a time, because the delivery of one can put another, which is enqueued behind all pending
  /// values.
  private func next() -> (Value, (Value) -> Void)? {
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
