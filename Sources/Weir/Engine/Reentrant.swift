/// An operator that changes its state in steps which may run user code.
///
///     receive ──idle──▶ step ──idle──▶ deliver ──▶ drain what is pending
///        │               │ user code runs, and sends
///        │               ▼
///        └──busy──▶ enqueue
///
/// A step may run a closure, an `==`, or the `deinit` of a value that is replaced. What that code sends arrives here on the same
/// thread, and waits until the step has returned and its result is delivered. What a subscriber sends from inside a delivery
/// is no part of a step: it goes out nested, unless something waits.
///
/// Invariant: between `beginStep` and `endStep` only the caller of `beginStep` accesses the state. (`ReentrancyTests`)
///
/// Performance: it knows no types, so a debug build looks no metadata up for it. What waits is kept as functions.
@usableFromInline
package class Reentrant {
  // Safety: only the one thread that delivers accesses the two properties below. A gate admits it: the `Border`'s for a publisher
  // that isn't Weir's, else the source's own. No access lasts while user code runs. (`ReentrancyTests`, `Threads/careless`)

  /// `inStep`, `hasPending`, or neither.
  // Performance: bits in place of an enumeration, so that a step ends without a branch.
  @usableFromInline
  @exclusivity(unchecked)
  final var phase: UInt8 = 0

  /// What arrived during a step: each function handles one event, and returns the demand that it brought.
  @exclusivity(unchecked)
  private final var pending: [() -> Subscribers.Demand] = []

  @usableFromInline
  static var inStep: UInt8 { @inlinable get { 1 } }

  @usableFromInline
  static var hasPending: UInt8 { @inlinable get { 2 } }

  @usableFromInline
  package init() {}

  /// Begins a step; false if what arrives now has to wait.
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

  /// Whether something waits, which is to be drained once the step's result is delivered.
  @inlinable
  @inline(__always)
  package final var isPending: Bool { phase != 0 }

  @usableFromInline
  package final func enqueue(_ event: @escaping () -> Subscribers.Demand) {
    pending.append(event)
    phase |= Self.hasPending
  }

  /// The same for an event that brings no demand.
  @usableFromInline
  package final func enqueueAction(_ event: @escaping () -> Void) {
    enqueue {
      event()
      return .none
    }
  }

  /// Handles what waits; the result is the demand that it brought, added to `demand`.
  @usableFromInline
  package final func drain(answering demand: Subscribers.Demand = .none) -> Subscribers.Demand {
    var more = demand
    while !pending.isEmpty {
      var events: [() -> Subscribers.Demand] = []
      swap(&events, &pending)
      for event in events { more += event() }
    }
    phase = 0
    return more
  }
}
