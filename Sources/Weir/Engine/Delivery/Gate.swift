public import Synchronization

/// Serializes deliveries without blocking: one thread at a time owns the gate.
///
///     enter ──.acquired──▶ act ──▶ leave ──true──▶ done
///       │                   ▲        │
///       │                   └─ drain ┴false: events were enqueued meanwhile
///       ├─.reentrant──▶ this thread owns it already, further up its stack
///       └─.contended──▶ enqueue the event, and then call `acquireOrRequestDrain`
///
/// The owner may call user code, because no lock is held. A thread that finds the gate taken enqueues its event and
/// returns. The time in which a thread owns the gate is its turn.
///
/// An owner that has delivered enough events of other threads offers the gate. The next thread that enters takes it, or
/// a thread that is started for this purpose.
@usableFromInline
struct Gate: ~Copyable {
  /// Zero when free, ``offered``, or the owner's thread, with the lowest bit set while events are pending for it.
  ///
  /// If the lowest bit of an offered gate is set, a thread has been started that takes it.
  @usableFromInline
  let owner = Atomic<UInt>(0)

  @usableFromInline
  enum Entry {
    case acquired, reentrant, contended
  }

  /// What a thread finds that enters without delivering what is pending.
  enum QuietEntry {
    case acquired
    /// The owner is notified.
    case contended
    /// The gate has no owner, and the caller starts a thread that takes it.
    case offered
  }

  /// The value while events are pending and the gate has no owner.
  @usableFromInline
  static var offered: UInt { @inlinable get { 2 } }

  @inlinable
  init() {}

  @inlinable
  @inline(__always)
  borrowing func enter() -> Entry {
    let me = currentThread()
    let (entered, found) = owner.compareExchange(expected: 0, desired: me, ordering: .acquiringAndReleasing)
    if entered { return .acquired }
    return found & ~1 == me ? .reentrant : .contended
  }

  @inlinable
  func isOwned(by thread: UInt) -> Bool {
    owner.load(ordering: .relaxed) & ~1 == thread
  }

  /// Whether events are pending; only the owner may call this.
  @inlinable
  @inline(__always)
  var isDrainRequested: Bool {
    owner.load(ordering: .acquiring) & 1 != 0
  }

  /// Takes the gate if it has no owner; otherwise notifies the owner that an event is pending.
  ///
  /// Returns `true` if the caller owns the gate now.
  @inlinable
  borrowing func acquireOrRequestDrain() -> Bool {
    var found = owner.load(ordering: .relaxed)
    while true {
      let isFree = found == 0 || found & ~1 == Self.offered
      let (done, now) = owner.compareExchange(
        expected: found, desired: isFree ? currentThread() : found | 1, ordering: .acquiringAndReleasing)
      if done { return isFree }
      found = now
    }
  }

  /// Enters the gate if it is free; otherwise makes sure that its owner, or a thread that takes it, delivers what is
  /// pending.
  borrowing func enterOrRequestDrain() -> QuietEntry {
    var found: UInt = 0
    while true {
      let (done, now) = owner.compareExchange(
        expected: found, desired: found == 0 ? currentThread() : found | 1, ordering: .acquiringAndReleasing)
      if done { return found == 0 ? .acquired : found == Self.offered ? .offered : .contended }
      found = now
    }
  }

  /// Releases the gate.
  ///
  /// Returns `false` if events are pending: then the caller still owns the gate, and drains them.
  @inlinable
  @inline(__always)
  borrowing func leave() -> Bool {
    let me = currentThread()
    if owner.compareExchange(expected: me, desired: 0, ordering: .acquiringAndReleasing).exchanged { return true }
    _ = owner.exchange(me, ordering: .acquiringAndReleasing)
    return false
  }

  /// Clears the mark for pending events, before the owner drains them.
  @inlinable
  borrowing func clearDrainRequest() {
    _ = owner.exchange(currentThread(), ordering: .acquiringAndReleasing)
  }

  /// Releases the gate although events are pending; the thread that takes it drains them.
  @inlinable
  borrowing func offer() {
    _ = owner.exchange(Self.offered, ordering: .acquiringAndReleasing)
  }

  /// The same, for a caller that starts a thread that takes the gate.
  borrowing func offerToNewThread() {
    _ = owner.exchange(Self.offered | 1, ordering: .acquiringAndReleasing)
  }

  /// Takes the gate if it is offered.
  @inlinable
  borrowing func takeOffer() -> Bool {
    var found = owner.load(ordering: .relaxed)
    while found & ~1 == Self.offered {
      let (done, now) = owner.compareExchange(
        expected: found, desired: currentThread(), ordering: .acquiringAndReleasing)
      if done { return true }
      found = now
    }
    return false
  }
}
