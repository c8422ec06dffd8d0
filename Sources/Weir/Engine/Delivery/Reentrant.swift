/// An operator that changes its state in steps that may run user code.
///
///     receive ──idle──▶ step ──idle──▶ deliver ──▶ drain what is pending
///        │               │ user code runs, and sends
///        │               ▼
///        └──busy──▶ enqueue
///
/// A step can run a closure, an `==`, or the `deinit` of a value that is replaced. Events that this code sends on the
/// same thread are enqueued until the step has returned and its result is delivered. A delivery is not part of a step.
/// Nested events from a delivery are delivered immediately, unless events are pending.
///
/// Invariant: between `beginStep` and `endStep` only the caller of `beginStep` accesses the state. (`ReentrancyTests`)
///
/// Performance: it has no type parameters, so a debug build looks up no metadata for it. Pending events are stored as
/// functions.
@usableFromInline
package class Reentrant {
  // Safety: only the one thread that delivers accesses the two properties below. A gate admits that thread: the
  // `Border`'s for a publisher outside of Weir, otherwise the source's own. No access lasts while user code runs.
  // (`ReentrancyTests`, `Threads/careless`)

  /// The bits `inStep` and `hasPending`.
  // Performance: bits instead of an enumeration, so that a step ends without a branch.
  @usableFromInline
  @exclusivity(unchecked)
  final var phase: UInt8 = 0

  /// The events that arrived during a step.
  @exclusivity(unchecked)
  private final var pending: [WaitingEvent] = []

  @usableFromInline
  static var inStep: UInt8 { @inlinable get { 1 } }

  @usableFromInline
  static var hasPending: UInt8 { @inlinable get { 2 } }

  @usableFromInline
  package init() {}

  /// Begins a step; returns `false` if the caller must enqueue its event.
  @inlinable
  @inline(__always)
  package final func beginStep() -> Bool {
    if phase != 0 { return false }
    phase = Self.inStep
    return true
  }

  @inlinable
  @inline(__always)
  package final func endStep() {
    phase &= Self.hasPending
  }

  /// Whether events are pending, to be drained when the step's result has been delivered.
  @inlinable
  @inline(__always)
  package final var isPending: Bool { phase != 0 }

  @usableFromInline
  package final func enqueue(_ event: @escaping () -> Subscribers.Demand) {
    pending.append(WaitingEvent(handle: event))
    phase |= Self.hasPending
  }

  /// Enqueues an event that brings no demand.
  @usableFromInline
  package final func enqueueAction(_ event: @escaping () -> Void) {
    enqueue {
      event()
      return .none
    }
  }

  /// Handles the pending events, and returns the demand that they brought, added to `demand`.
  @usableFromInline
  package final func drain(answering demand: Subscribers.Demand = .none) -> Subscribers.Demand {
    var more = demand
    while !pending.isEmpty {
      var events: [WaitingEvent] = []
      swap(&events, &pending)
      for event in events { more += event.handle() }
    }
    phase = 0
    return more
  }
}
