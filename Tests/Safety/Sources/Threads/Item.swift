// The values of this program, and the check for two threads inside a subscriber.

import Dispatch
import Synchronization
import Weir

struct Oops: Error {}

/// A value on the heap.
///
/// A race on an operator's state damages its reference count, and the program crashes.
final class Item: Sendable {
  let number: Int

  init(_ number: Int) { self.number = number }
}

extension Item: Equatable {
  static func == (lhs: Item, rhs: Item) -> Bool { lhs.number == rhs.number }
}

/// Detects two threads in a subscriber concurrently, and counts the subscriber's values.
final class Watch: Sendable {
  private let isInside = Atomic<Bool>(false)
  private let overlaps = Atomic<Int>(0)
  private let received = Atomic<Int>(0)
  private let ends = Atomic<Int>(0)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Counts `count` values, and runs `body` inside the subscriber.
  func enter(_ count: Int = 1, _ body: () -> Void = {}) {
    if isInside.exchange(true, ordering: .acquiringAndReleasing) {
      overlaps.wrappingAdd(1, ordering: .relaxed)
    }
    received.wrappingAdd(count, ordering: .relaxed)
    body()
    isInside.store(false, ordering: .releasing)
  }

  func complete() {
    enter(0) { ends.wrappingAdd(1, ordering: .relaxed) }
    hasEnded.signal()
  }

  /// The number of completions.
  var completions: Int { ends.load(ordering: .acquiring) }

  /// Describes a delivery that was not serialized.
  var overlap: String? {
    overlaps.load(ordering: .acquiring) > 0 ? "two threads were inside the subscriber at the same time" : nil
  }

  /// Describes a difference from `count` values and one completion with serialized delivery.
  ///
  /// It waits for the completion, because another thread may deliver the last values after the senders have returned.
  func fault(expecting count: Int) -> String? { fault(expecting: count...count) }

  /// As above, for any number of values in a range.
  func fault(expecting counts: ClosedRange<Int>) -> String? {
    _ = hasEnded.wait(timeout: .now() + .seconds(15))
    let received = received.load(ordering: .acquiring)
    if let overlap { return overlap }
    if !counts.contains(received) {
      let expected = counts.count == 1 ? "\(counts.lowerBound)" : "at most \(counts.upperBound)"
      return "received \(received) values instead of \(expected)"
    }
    if completions != 1 { return "received \(completions) completions instead of one" }
    return nil
  }
}

/// Runs a body on two threads that start together.
///
/// Returns false if one of them does not return in time.
func onTwoThreads(_ body: @escaping @Sendable (_ thread: Int) -> Void) -> Bool {
  let group = DispatchGroup()
  let ready = Ready()
  for thread in 0..<2 {
    DispatchQueue(label: "sender").async(group: group) {
      ready.wait()
      body(thread)
    }
  }
  return group.wait(timeout: .now() + .seconds(15)) == .success
}

/// Holds a thread until a second one arrives.
private final class Ready: Sendable {
  private let count = Atomic<Int>(0)

  func wait() {
    count.wrappingAdd(1, ordering: .acquiringAndReleasing)
    while count.load(ordering: .acquiring) < 2 {}
  }
}
