import Synchronization

/// A value that counts the live values of its kind.
final class Counted: Sendable {
  let number: Int
  let count: LiveValues

  init(_ number: Int, _ count: LiveValues) {
    self.number = number
    self.count = count
    count.add(1)
  }

  deinit { count.add(-1) }
}

/// The number of live values, and its maximum.
final class LiveValues: Sendable {
  private let counts = Mutex((now: 0, highest: 0))

  var now: Int { counts.withLock { $0.now } }
  var highest: Int { counts.withLock { $0.highest } }

  func add(_ change: Int) {
    counts.withLock { counts in
      counts.now += change
      counts.highest = max(counts.highest, counts.now)
    }
  }
}
