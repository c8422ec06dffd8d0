import Synchronization

/// A number that several threads change.
final class LiveCount: Sendable {
  private let count = Atomic<Int>(0)

  var value: Int { count.load(ordering: .acquiring) }

  func add(_ change: Int) {
    count.wrappingAdd(change, ordering: .acquiringAndReleasing)
  }
}
