/// The subscription that a final subscriber holds, from its arrival to the end.
///
/// Values look at one flag only. The subscription itself is behind a lock, because a cancel may come from any thread.
@usableFromInline
struct Intake: ~Copyable {
  @usableFromInline
  enum Phase: UInt8 {
    /// No subscription has come yet.
    case waiting
    /// Values may come.
    case open
    /// Completed or cancelled.
    case over
  }

  @usableFromInline
  let phase = AtomicPhase(Phase.waiting)

  @usableFromInline
  let subscription = Locked(SubscriptionSlot())

  @usableFromInline
  init() {}

  @inlinable
  @inline(__always)
  var isOver: Bool {
    phase.isNow(.over)
  }

  @inlinable
  @inline(__always)
  var isOpen: Bool {
    phase.isNow(.open)
  }

  /// Keeps the first subscription; any other, and one that comes after the end, is cancelled.
  @usableFromInline
  borrowing func attach(_ new: any Subscription) -> Bool {
    let isKept = subscription.withLock { kept in
      guard !kept.isFull, !isOver else { return false }
      kept = SubscriptionSlot(new)
      phase.move(to: .open)
      return true
    }
    if !isKept { new.cancel() }
    return isKept
  }

  /// The outermost gate that this thread has entered on the way of the values.
  @usableFromInline
  borrowing func outermostGate(of thread: UInt) -> _Gated? {
    subscription.withLock { $0.outermostGate(of: thread) }
  }

  /// The publisher has ended.
  ///
  /// False if this was over before.
  @usableFromInline
  borrowing func finish() -> Bool {
    let (isFirst, released) = subscription.withLock { kept in
      let isFirst = !isOver
      phase.move(to: .over)
      return (isFirst, kept.take())
    }
    return withExtendedLifetime(released) { isFirst }
  }

  @usableFromInline
  borrowing func cancel() {
    if !isOver { close().cancel() }
  }

  /// Ends without cancelling the subscription, which is the caller's now.
  @usableFromInline
  borrowing func close() -> SubscriptionSlot {
    subscription.withLock { kept in
      phase.move(to: .over)
      return kept.take()
    }
  }
}
