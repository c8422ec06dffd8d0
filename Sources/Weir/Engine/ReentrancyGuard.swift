/// Keeps calls that re-enter an operator, while it changes its state, until the change is done.
///
///     receive ──idle──▶ change the state ──idle──▶ deliver
///        │                   │ user code runs, and sends
///        │                   ▼
///        └──busy──▶ enqueue …… drained when the delivery has returned
///
/// A change of state may run user code: a closure, `==`, the `deinit` of a value that is replaced. What that code sends
/// arrives at the same operator on the same thread.
///
/// Invariant: between `begin` and `end` nobody but the caller of `begin` touches the operator's state. The guard itself is
/// touched by one thread at a time, because upstreams that aren't this library's are serialized by a `StrictSubscriber`.
/// (`ReentrancyTests`)
@usableFromInline
struct ReentrancyGuard<Input, Failure: Error> {
  @usableFromInline
  enum Event {
    case value(Input)
    case completion(Subscribers.Completion<Failure>)
  }

  /// `changing`, `pending`, or neither.
  ///
  /// Performance: bits in place of an enumeration, so that a change ends without a branch.
  @usableFromInline
  var phase: UInt8 = 0

  @usableFromInline
  var pending: [Event] = []

  @inlinable
  init() {}

  /// The state is being changed.
  @usableFromInline
  static var changing: UInt8 { @inlinable get { 1 } }

  /// Events are enqueued; later ones go behind them.
  @usableFromInline
  static var pending: UInt8 { @inlinable get { 2 } }

  /// Begins a change of the state; false if an event that arrives now has to be enqueued.
  @inlinable
  @inline(__always)
  mutating func begin() -> Bool {
    if phase != 0 { return false }
    phase = Self.changing
    return true
  }

  /// Ends a change of the state.
  @inlinable
  @inline(__always)
  mutating func end() {
    phase &= Self.pending
  }

  /// Whether events are enqueued, which are to be drained.
  @inlinable
  @inline(__always)
  var isPending: Bool { phase != 0 }

  @usableFromInline
  mutating func enqueue(_ event: Event) {
    pending.append(event)
    phase |= Self.pending
  }

  /// The events that are enqueued, or `nil` if there are none: then the guard is idle.
  @usableFromInline
  mutating func takePending() -> [Event]? {
    if pending.isEmpty {
      phase = 0
      return nil
    }
    var events: [Event] = []
    swap(&events, &pending)
    return events
  }
}
