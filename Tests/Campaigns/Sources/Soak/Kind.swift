// The pipelines of requests, and the counts for each kind.

import Synchronization

/// The pipeline of a request.
enum Kind: String, CaseIterable, Sendable {
  case map, share, merge, flatMap, flatMapLatest, combineLatest
  /// In front of a slow subscriber.
  case buffer, backpressureLatest
  /// Of futures that another thread fulfills.
  case futures
  /// Awaited by a task.
  case values
  case retry, catching
  case delayOnClock, debounceOnClock, timeoutOnClock, collectOnClock
  case delayOnQueue, debounceOnQueue, timeoutOnQueue, collectOnQueue
}

/// Counts the results of one kind of request.
final class Count: Sendable {
  private let madeCount = Atomic<Int>(0)
  private let deliveredCount = Atomic<Int>(0)
  private let completedCount = Atomic<Int>(0)

  func made() { madeCount.wrappingAdd(1, ordering: .relaxed) }

  func delivered(_ count: Int = 1) { deliveredCount.wrappingAdd(count, ordering: .relaxed) }

  func completed() { completedCount.wrappingAdd(1, ordering: .relaxed) }

  /// Requests, the values that their subscribers received, and completions.
  var all: (made: Int, delivered: Int, completed: Int) {
    (
      madeCount.load(ordering: .relaxed), deliveredCount.load(ordering: .relaxed),
      completedCount.load(ordering: .relaxed)
    )
  }
}

struct Oops: Error {}

/// A value on the heap.
///
/// It has some hundred bytes, so that leaked values show in the resident memory.
final class Payload: Sendable {
  /// The number of live values.
  static let living = Atomic<Int>(0)

  let number: Int
  private let bytes: [UInt8]

  init(_ number: Int) {
    self.number = number
    bytes = Array(repeating: UInt8(truncatingIfNeeded: number), count: 256)
    Payload.living.wrappingAdd(1, ordering: .relaxed)
  }

  deinit { Payload.living.wrappingSubtract(1, ordering: .relaxed) }
}

/// SplitMix64: the same numbers for the same seed.
struct Random: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns `true` once in `count` calls on average.
  mutating func isOne(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
