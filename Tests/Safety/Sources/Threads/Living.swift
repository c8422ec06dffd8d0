// Objects whose release is awaited.

import Synchronization

/// The number of objects that have not been released.
final class Living: Sendable {
  let count = Atomic<Int>(0)

  func wait() -> Bool {
    let end = ContinuousClock.now + .seconds(5)
    while count.load(ordering: .acquiring) > 0 {
      if ContinuousClock.now > end { return false }
    }
    return true
  }
}

final class Counted: Sendable {
  private let living: Living

  init(_ living: Living) {
    self.living = living
    living.count.wrappingAdd(1, ordering: .acquiringAndReleasing)
  }

  deinit { living.count.wrappingSubtract(1, ordering: .acquiringAndReleasing) }
}
