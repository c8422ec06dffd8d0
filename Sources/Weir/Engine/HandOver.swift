import Synchronization

/// Bounds the number of events that one call, one task or one scheduled action delivers for others.
///
/// A thread that delivers takes care of the events that other threads send meanwhile, so none of them waits. If they keep
/// sending, the call would not return: on the main thread the program would freeze. After ``limit`` events it offers its gate. The
/// next thread that sends takes the gate. If there is none, a task does. A lane of the main actor, a hop and the like schedule the
/// rest. (`FairnessTests`)
@usableFromInline
package enum HandOver {
  /// The largest number of events of others that are delivered in one turn.
  ///
  /// Performance: a task costs as much as some 50 deliveries to a simple subscriber. A turn of 200 values takes less than a
  /// millisecond if subscribers are simple. A new turn on the main actor costs some 50 µs if its run loop is idle, so 0.25 µs
  /// for each value of about 1 µs. A yield on another actor costs 1 µs.
  #if WEIR_INTERLEAVE
  @inlinable
  package static var limit: Int { 2 }  // A few events show a hand-over.
  #else
  @inlinable
  package static var limit: Int { 200 }
  #endif

  // Safety: each closure runs once, and first takes the gate that guards what it accesses. (`FairnessTests`)
  /// Each takes a gate that was offered, unless another thread has taken it, and delivers.
  nonisolated(unsafe) private static let waiting = Locked(Fifo<() -> Void>())

  /// The number of closures that have not returned.
  private static let underWay = Atomic<Int>(0)

  /// Runs a closure in a task.
  @usableFromInline
  static func start(_ takeOver: @escaping () -> Void) {
    #if WEIR_INTERLEAVE
    handOverHook(takeOver)
    #else
    underWay.wrappingAdd(1, ordering: .relaxed)
    waiting.withLock { $0.append(takeOver) }
    Task.detached { runNext() }
    #endif
  }

  private static func runNext() {
    guard let takeOver = waiting.withLock({ $0.popFirst() }) else { return }
    takeOver()
    underWay.wrappingSubtract(1, ordering: .releasing)
  }

  /// Returns when all events are delivered that were sent before, except by threads that are still sending.
  ///
  /// It runs the closures itself, so it works also if no thread is free for a task.
  package static func settle() {
    while underWay.load(ordering: .acquiring) > 0 { runNext() }
  }
}
