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

/// State behind a lock, which is the only access to it.
///
/// The closure decides, and moves values out. Everything that runs user code (a call, or the release of a value or
/// closure) happens with the closure's result, outside the lock. The lock is not recursive.
///
/// Thread Sanitizer does not understand `Mutex` on Linux. A build for it sets `WEIR_PTHREAD_LOCK`, which uses a lock
/// that the sanitizer understands. `WEIR_INTERLEAVE` makes each access a point where a test may run another thread
/// first. `WEIR_HELD_LOCKS` counts the locks that a thread holds, in a debug build.
///
/// Performance: the methods are transparent, so a debug build specializes them too. Otherwise each call would look up
/// generic metadata six times, 2,200 instructions.
@usableFromInline
package struct Locked<State>: ~Copyable {
  #if WEIR_PTHREAD_LOCK
  @usableFromInline
  let storage: LockedStorage<State>

  @inlinable
  package init(_ state: consuming State) {
    storage = LockedStorage(state)
  }

  @inlinable
  package borrowing func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(storage.mutex)
    #if WEIR_HELD_LOCKS
    HeldLocks.change(by: 1)
    #endif
    defer {
      #if WEIR_HELD_LOCKS
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
  /// Passes the state into the closure, although it need not be `Sendable`.
  @usableFromInline
  struct Content: @unchecked Sendable {
    @usableFromInline
    var state: State

    @inlinable
    @_transparent
    init(_ state: consuming State) {
      self.state = state
    }
  }

  // Performance: `consuming`, since the compiler copies a large state otherwise, 270 instructions for a `receive(on:)`.
  @inlinable
  @_transparent
  package init(_ state: consuming State) {
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
      #if WEIR_HELD_LOCKS
      HeldLocks.change(by: 1)
      defer { HeldLocks.change(by: -1) }
      #endif
      // Safety: the result contains no address of the state. The closure moves out values that only one thread may use.
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
  // Safety: the initializer allocates the mutex, and the deinit frees it. The state is accessed between lock and
  // unlock. (`LockedTests`)
  @usableFromInline
  let mutex: UnsafeMutablePointer<pthread_mutex_t>

  @usableFromInline
  @exclusivity(unchecked)
  var state: State

  @inlinable
  init(_ state: consuming State) {
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
