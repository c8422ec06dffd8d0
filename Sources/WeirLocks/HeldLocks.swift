#if WEIR_HELD_LOCKS
/// The number of Weir's locks that each thread holds; debug builds for the tests stop before user code runs under a
/// lock.
@usableFromInline
package enum HeldLocks {
  private static let number = ThreadLocalWord()

  package static var count: Int { Int(bitPattern: number.value) }

  @usableFromInline
  package static func change(by difference: Int) {
    number.value = UInt(bitPattern: count + difference)
  }

  @usableFromInline
  package static func requireNone() {
    precondition(count == 0, "Weir calls user code while it holds one of its locks. Release the lock before the call.")
  }
}
#endif

/// Called before user code runs; a debug build for the tests stops if this thread holds one of Weir's locks.
@inlinable
@_transparent
package func assertNoLockIsHeld() {
  #if WEIR_HELD_LOCKS
  HeldLocks.requireNone()
  #endif
}
