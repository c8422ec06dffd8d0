public import Synchronization

#if canImport(Glibc)
public import Glibc
#elseif canImport(Musl)
public import Musl
#elseif canImport(Android)
public import Android
#elseif canImport(Darwin)
public import Darwin
#elseif canImport(WinSDK)
public import WinSDK
#endif

/// Ownership of a delivery: one thread at a time, and nobody waits for it.
///
///     enter ──.entered──▶ act ──▶ leave ──true──▶ done
///       │                  ▲        │
///       │                  └─ drain ┴false: something was left meanwhile
///       ├─.nested──▶ this thread owns it already, further up its stack
///       └─.busy────▶ put the event where the owner finds it, then `knock`
///
/// What is done while owning may call user code: no lock is held, and whoever comes meanwhile leaves its event and goes.
///
/// An owner that has delivered enough events of other threads offers the gate. The next thread that comes takes it,
/// or a thread that is started for that.
@usableFromInline
struct Gate: ~Copyable {
  /// Zero when free, ``offered``, or the owner's thread, with the lowest bit set when something was left for it.
  @usableFromInline
  let owner = Atomic<UInt>(0)

  @usableFromInline
  enum Entry {
    case entered, nested, busy
  }

  /// The value in place of an owner's thread when something was left and the gate has no owner.
  @usableFromInline
  static var offered: UInt { @inlinable get { 2 } }

  @inlinable
  init() {}

  @inlinable
  @inline(__always)
  borrowing func enter() -> Entry {
    let me = currentThread()
    let (entered, found) = owner.compareExchange(expected: 0, desired: me, ordering: .acquiringAndReleasing)
    if entered { return .entered }
    return found & ~1 == me ? .nested : .busy
  }

  @inlinable
  func isOwned(by thread: UInt) -> Bool {
    owner.load(ordering: .relaxed) & ~1 == thread
  }

  /// Whether something was left for the owner, who alone may ask.
  @inlinable
  @inline(__always)
  var isKnocked: Bool {
    owner.load(ordering: .acquiring) & 1 != 0
  }

  /// Tells the owner that something was left for it.
  ///
  /// True if there is none: then the caller owns the gate now.
  @inlinable
  borrowing func knock() -> Bool {
    var found = owner.load(ordering: .relaxed)
    while true {
      let isFree = found == 0 || found == Self.offered
      let (done, now) = owner.compareExchange(
        expected: found, desired: isFree ? currentThread() : found | 1, ordering: .acquiringAndReleasing)
      if done { return isFree }
      found = now
    }
  }

  /// Gives the gate up.
  ///
  /// False if something was left: then the caller still owns it, and takes care of what was left.
  @inlinable
  @inline(__always)
  borrowing func leave() -> Bool {
    let me = currentThread()
    if owner.compareExchange(expected: me, desired: 0, ordering: .acquiringAndReleasing).exchanged { return true }
    _ = owner.exchange(me, ordering: .acquiringAndReleasing)
    return false
  }

  /// Clears the mark that something was left, for an owner that is about to look for it.
  @inlinable
  borrowing func forgetKnocks() {
    _ = owner.exchange(currentThread(), ordering: .acquiringAndReleasing)
  }

  /// Gives the gate up although something was left: the thread that takes it delivers that.
  @inlinable
  borrowing func offer() {
    _ = owner.exchange(Self.offered, ordering: .acquiringAndReleasing)
  }

  /// Takes the gate if it is offered.
  @inlinable
  borrowing func takeOffer() -> Bool {
    owner.compareExchange(expected: Self.offered, desired: currentThread(), ordering: .acquiringAndReleasing).exchanged
  }
}

/// The thread that calls: even, greater than 2, and no other living thread's.
@inlinable
@inline(__always)
package func currentThread() -> UInt {
  #if canImport(WinSDK)
  return UInt(GetCurrentThreadId()) << 2  // It isn't 0.
  #elseif canImport(Glibc)
  return UInt(pthread_self())  // an address, so even
  #elseif canImport(Musl) || canImport(Android) || canImport(Darwin)
  return UInt(bitPattern: pthread_self())
  #else
  return 4  // a platform with a single thread
  #endif
}
