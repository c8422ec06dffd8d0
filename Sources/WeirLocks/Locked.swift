#if WEIR_PTHREAD_LOCK
#if canImport(Glibc)
public import Glibc
#elseif canImport(Musl)
public import Musl
#else
public import Darwin
#endif
#else
public import Synchronization
#endif

/// State behind a lock, reachable in no other way.
///
/// The closure decides and moves things out; whatever runs a user's code (a call, the release of a value or closure)
/// is done with its result, after the lock is gone. The lock is not recursive.
///
/// Thread Sanitizer does not see through `Mutex` on Linux, so a build for it sets `WEIR_PTHREAD_LOCK`, which puts a lock
/// in its place that the sanitizer knows. `WEIR_INTERLEAVE` makes it a point where a test lets another thread go first, and a
/// debug build counts the locks that a thread holds.
///
/// Performance: the methods are transparent, so a debug build specializes them, too. Otherwise each call would look up generic
/// metadata six times, 2,200 instructions.
@usableFromInline
package struct Locked<State>: ~Copyable {
  #if WEIR_PTHREAD_LOCK
  @usableFromInline
  let storage: LockedStorage<State>

  @inlinable
  package init(_ state: State) {
    storage = LockedStorage(state)
  }

  @inlinable
  package borrowing func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(storage.mutex)
    #if DEBUG
    HeldLocks.change(by: 1)
    #endif
    defer {
      #if DEBUG
      HeldLocks.change(by: -1)
      #endif
      pthread_mutex_unlock(storage.mutex)
    }
    return try body(&storage.state)
  }
  #else
  @usableFromInline
  let mutex: Mutex<Content>

  #if WEIR_INTERLEAVE
  @usableFromInline
  let identity = LockIdentity()
  #endif

  // Safety: the lock is the only way to the state. (`LockedTests`)
  /// Lets the state cross into the closure although it need not be `Sendable`.
  @usableFromInline
  struct Content: @unchecked Sendable {
    @usableFromInline
    var state: State

    @inlinable
    @_transparent
    init(_ state: State) {
      self.state = state
    }
  }

  @inlinable
  @_transparent
  package init(_ state: State) {
    mutex = Mutex(Content(state))
  }

  @inlinable
  @_transparent
  package borrowing func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    #if WEIR_INTERLEAVE
    reach(.acquire(ObjectIdentifier(identity)))
    defer { reach(.release(ObjectIdentifier(identity))) }
    #endif
    return try mutex.withLock { content in
      #if DEBUG
      HeldLocks.change(by: 1)
      defer { HeldLocks.change(by: -1) }
      #endif
      // Safety: the result holds no address inside of the state. The closure moves out what only one thread may use.
      // (`LockedTests`)
      nonisolated(unsafe) let result = try body(&content.state)
      return result
    }
  }
  #endif
}

#if WEIR_PTHREAD_LOCK
/// The state and the mutex, on the heap because a pthread mutex must not move.
@usableFromInline
final class LockedStorage<State> {
  // Safety: the initializer allocates the mutex, and the deinit frees it. The state is accessed between its lock and unlock.
  // (`LockedTests`)
  @usableFromInline
  let mutex: UnsafeMutablePointer<pthread_mutex_t>

  @usableFromInline
  @exclusivity(unchecked)
  var state: State

  @inlinable
  init(_ state: State) {
    self.state = state
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }
}
#endif
