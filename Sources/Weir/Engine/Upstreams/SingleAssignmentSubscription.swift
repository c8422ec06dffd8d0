/// The subscription of a final subscriber, from its arrival to the termination.
///
/// Performance: a value checks only one flag. A lock protects the subscription itself, because any thread can cancel.
@usableFromInline
struct SingleAssignmentSubscription: ~Copyable {
  @usableFromInline
  enum Phase: UInt8 {
    /// The subscription has not arrived.
    case waiting
    /// The subscription has arrived, and values can follow.
    case open
    /// The same, and the owner does more for each value.
    case marked
    /// Completed or cancelled.
    case terminated
  }

  @usableFromInline
  let subscription = Locked(OptionalSubscription())

  // Performance: it is last, so that a smaller property of the owner can share its word.
  @usableFromInline
  let phase = AtomicPhase(Phase.waiting)

  @usableFromInline
  init() {}

  @inlinable
  @_transparent
  var isTerminated: Bool {
    phase.isNow(.terminated)
  }

  @inlinable
  @_transparent
  var isOpen: Bool {
    phase.isNow(.open)
  }

  @inlinable
  var isMarked: Bool { phase.isNow(.marked) }

  /// Makes the owner do more for each value, without a check of its own where it doesn't.
  borrowing func mark() {
    subscription.withLock { _ in
      if isOpen { phase.move(to: .marked) }
    }
  }

  /// Stores the first subscription; cancels any other, and one that arrives after the termination.
  @usableFromInline
  borrowing func attach(_ new: any Subscription) -> Bool {
    let object = new._object
    let isKept = subscription.withLock { kept in
      guard !kept.isFull, !isTerminated else { return false }
      kept = OptionalSubscription(object)
      phase.move(to: .open)
      return true
    }
    if !isKept { new.cancel() }
    return isKept
  }

  /// Returns the outermost gate that this thread has entered to deliver values.
  @usableFromInline
  borrowing func outermostGate(of thread: UInt) -> _Gated? {
    subscription.withLock { $0.outermostGate(of: thread) }
  }

  /// Records the publisher's completion.
  ///
  /// Returns `false` if the subscription had terminated before.
  @usableFromInline
  borrowing func finish() -> Bool {
    let (isFirst, released) = subscription.withLock { kept in
      let isFirst = !isTerminated
      phase.move(to: .terminated)
      return (isFirst, kept.take())
    }
    return withExtendedLifetime(released) { isFirst }
  }

  @usableFromInline
  borrowing func cancel() {
    if !isTerminated { close().cancel() }
  }

  /// Terminates without a cancellation, and returns the subscription to the caller.
  @usableFromInline
  borrowing func close() -> OptionalSubscription {
    subscription.withLock { kept in
      phase.move(to: .terminated)
      return kept.take()
    }
  }
}
