import Synchronization

/// The part of a lane without the type of its values.
///
/// Performance: unspecialized code would look up each type that depends on it.
@usableFromInline
package class AnyActorLane {
  /// Whether an event is pending.
  ///
  /// Only a holder of the lane's lock changes it.
  fileprivate final let isBusy = Atomic<Bool>(false)

  /// Returns whether the caller is known to run on the actor.
  package final let isOnActor: @Sendable () -> Bool

  fileprivate struct State {
    var isHopScheduled = false

    /// The number of pending values.
    ///
    /// Performance: here too, because unspecialized code would look up the type of the queue to read it there.
    var count = 0

    /// What follows the pending values.
    var ending: Work?

    /// The number of pending values that the current turn can still deliver; `nil` between turns.
    var left: Int?

    /// Whether no event is pending.
    var isIdle: Bool { count == 0 && ending == nil }

    /// Counts a hop as scheduled; returns `false` if one is already.
    mutating func startHop() -> Bool {
      defer { isHopScheduled = true }
      return !isHopScheduled
    }
  }

  fileprivate enum Arrival {
    /// On the actor, with no pending event.
    case immediate
    /// On the actor, behind pending events.
    case inTurn
    /// On another thread, so the event is pending until a hop.
    case byHop(isToSchedule: Bool)
    case closed
  }

  fileprivate final let state = Locked(State())

  fileprivate init(isOnActor: @escaping @Sendable () -> Bool) {
    self.isOnActor = isOnActor
  }

  /// Whether the caller is on the actor and no value is pending, so that it can deliver a value itself.
  @usableFromInline
  package final var isFree: Bool { !isBusy.load(ordering: .relaxed) && isOnActor() }
}

// Safety: the lock protects all mutable state. Values and the function are used only on the actor, and a thread that
// puts a value transfers it. A hop retains the actor. If the actor is gone, no hop is in progress, and values are used
// on the one that replaces all such actors. (`ActorLaneTests`, `BinderTests`, `AssignTests`, `SinkOnMainActorTests`,
// `IsolationTests`)
/// Delivers values on an actor, usually the main actor, always in the order in which they were put.
///
/// A value that is put on the actor is delivered before `put(_:)` returns, if no older value is pending. Otherwise
/// the call delivers the older values first, and then this one. A value that is put elsewhere is delivered by a hop to
/// the actor.
///
/// One turn delivers at most ``HandOver/limit`` pending values, including those of nested calls. The others stay
/// pending for the next hop, with the values behind them, so that other work on the actor can run. (`ActorLaneTests`)
@usableFromInline
package final class ActorLane<Value>: AnyActorLane, @unchecked Sendable {
  // Performance: beside the lock, because unspecialized code would look up the type of a lock that contains them.

  // Safety: a thread accesses the two properties below only while it has the lock. (`ActorLaneTests`,
  // `Threads/main-actor/sink`)

  @exclusivity(unchecked)
  private var waiting = CircularBuffer<Value>()

  /// The function that values are delivered to; `nil` when the lane is closed.
  @exclusivity(unchecked)
  private var apply: ((Value) -> Void)?

  /// Delivers pending values on the actor, later.
  private let schedule: @Sendable (ActorLane) -> Void

  /// Creates a lane to the main actor.
  ///
  /// `isOnMainActor` can be more precise than the core's check, which does not use Dispatch.
  package init(isOnMainActor: @escaping @Sendable () -> Bool = { isRunningOnMainActor() }) {
    // Detached, so that a delivery doesn't inherit the task-local values of another sender.
    schedule = { lane in Task.detached { @MainActor in lane.hop() } }
    super.init(isOnActor: isOnMainActor)
  }

  /// Creates a lane to an actor.
  ///
  /// The lane does not retain an actor: an actor that stores the cancellable of a pipeline would retain itself. Where
  /// the actor has been deallocated, another one replaces it: objects that it shared among pipelines may still exist.
  package convenience init(to actor: any Actor) {
    if actor is MainActor { self.init() } else { self.init(weaklyTo: actor) }
  }

  private init(weaklyTo actor: any Actor) {
    let unretained = UnretainedActor(actor)
    schedule = { lane in
      let place = unretained.orFallback
      Task.detached { await lane.hop(on: place) }
    }
    super.init(isOnActor: { isRunning(on: unretained.orFallback) == true })
  }

  /// Sets the function that values are delivered to, before the first value.
  ///
  /// It is called on the actor only.
  package func open(_ apply: @escaping (Value) -> Void) {
    state.withLock { _ in self.apply = apply }
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
    var function: ((Value) -> Void)?
    let arrival = state.withLock { state in
      let arrival = arrive(isHere, &state)
      switch arrival {
      case .immediate: function = apply
      case .inTurn, .byHop:
        waiting.append(value)
        state.count += 1
      case .closed: break
      }
      return arrival
    }
    if let function { function(value) } else { follow(arrival) }
  }

  /// Runs a closure on the actor behind the pending values, which are the last ones.
  package func end(_ action: @escaping () -> Void) {
    let isHere = isOnActor()
    let arrival = state.withLock { state in
      let arrival = arrive(isHere, &state)
      switch arrival {
      case .inTurn, .byHop: state.ending = Work(run: action)
      case .immediate, .closed: break
      }
      return arrival
    }
    if case .immediate = arrival { action() } else { follow(arrival) }
  }

  /// Decides with the lock when an event is delivered; the caller then stores one that is pending.
  private func arrive(_ isHere: Bool, _ state: inout State) -> Arrival {
    if apply == nil { return .closed }
    if isHere, state.isIdle { return .immediate }
    isBusy.store(true, ordering: .relaxed)
    return isHere ? .inTurn : .byHop(isToSchedule: state.startHop())
  }

  private func follow(_ arrival: Arrival) {
    switch arrival {
    case .inTurn: takeTurn()
    case .byHop(let isToSchedule): if isToSchedule { schedule(self) }
    case .immediate, .closed: break
    }
  }

  /// Returns with the lock `true` if the caller must schedule a hop for the rest.
  private func needsHop(_ state: inout State) -> Bool {
    apply != nil && !state.isIdle && state.startHop()
  }

  /// Closes the lane: no event is delivered afterwards.
  ///
  /// A call off the actor does not stop a delivery that is in progress.
  package func close() {
    let released = state.withLock { state in
      let released = (waiting, apply, state.ending)
      waiting = CircularBuffer()
      apply = nil
      (state.count, state.ending) = (0, nil)
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
    while deliverNext() {}
    guard isNew else { return }
    let isToSchedule = state.withLock { state in
      state.left = outer
      return needsHop(&state)
    }
    if isToSchedule { schedule(self) }
  }

  /// Delivers the next pending event; returns `false` if there is none, or the turn has reached its limit.
  ///
  /// Events are taken one at a time, because the delivery of one can put another, which is enqueued behind all pending
  /// ones.
  private func deliverNext() -> Bool {
    var value: Value?
    let (function, ending) = state.withLock { state -> (((Value) -> Void)?, Work?) in
      guard let left = state.left, left > 0, apply != nil, !state.isIdle else { return (nil, nil) }
      state.left = left - 1
      var ending: Work?
      if state.count > 0 {
        state.count -= 1
        value = waiting.popFirst()
      } else {
        ending = state.ending.take()
      }
      if state.isIdle { isBusy.store(false, ordering: .relaxed) }
      return (apply, ending)
    }
    if let value, let function { function(value) } else { ending?.run() }
    return function != nil
  }
}
