#if DEBUG
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// The number of Weir's locks that each thread holds; debug builds stop before user code runs under a lock.
@usableFromInline
package enum HeldLocks {
  #if canImport(WinSDK)
  // Locks are not counted on Windows.
  @usableFromInline
  package static func change(by difference: Int) {}

  package static var count: Int { 0 }
  #else
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let status = pthread_key_create(&key, nil)
    precondition(status == 0, "The check of held locks requires a thread-specific key, but the process has none left.")
    return key
  }()

  /// The count is stored in place of a pointer.
  package static var count: Int { Int(bitPattern: pthread_getspecific(key)) }

  @usableFromInline
  package static func change(by difference: Int) {
    // Safety: the pointer is a number that no code dereferences. (`LockedTests`)
    pthread_setspecific(key, UnsafeRawPointer(bitPattern: count + difference))
  }
  #endif

  @usableFromInline
  package static func requireNone() {
    precondition(count == 0, "Weir calls user code while it holds one of its locks. Release the lock before the call.")
  }
}
#endif

/// Called before user code runs; a debug build stops if this thread holds one of Weir's locks.
@inlinable
@_transparent
package func assertNoLockIsHeld() {
  #if DEBUG
  HeldLocks.requireNone()
  #endif
}
