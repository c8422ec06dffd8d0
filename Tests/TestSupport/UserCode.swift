import Testing
import Weir
import WeirTesting

/// Stands for user code: reports an issue if the library holds one of its locks during the call.
///
/// Only a debug build with `WEIR_HELD_LOCKS` counts its locks. A verification re-enters the library in this function.
func userCode(_ what: StaticString) {
  lockCheck(what)
  UserCode.runs(what)
}

/// Stands for the release of a user's object: reports an issue in the same way.
func userRelease(_ what: StaticString) {
  lockCheck(what)
  UserCode.releases(what)
}

/// Only reports an issue if the library holds one of its locks.
func lockCheck(_ what: StaticString) {
  #if WEIR_HELD_LOCKS
  if HeldLocks.count > 0 { Issue.record("Weir calls user code while it holds one of its locks: \(what).") }
  #endif
}

/// A user's value, all of whose code checks that no lock is held.
final class UserValue: Comparable, Hashable, Sendable {
  let number: Int

  init(_ number: Int) { self.number = number }

  deinit { userRelease("the deinit of a value") }

  static func == (lhs: UserValue, rhs: UserValue) -> Bool {
    userCode("the comparison of values")
    return lhs.number == rhs.number
  }

  static func < (lhs: UserValue, rhs: UserValue) -> Bool {
    userCode("the comparison of values")
    return lhs.number < rhs.number
  }

  func hash(into hasher: inout Hasher) {
    userCode("the hash of a value")
    hasher.combine(number)
  }
}
