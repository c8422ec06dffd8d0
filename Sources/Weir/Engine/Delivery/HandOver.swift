import Synchronization

/// Limits the number of events that one call, one task or one scheduled action delivers for other threads.
///
/// A thread that delivers also delivers the events that other threads send concurrently, so those threads don't block.
/// If they continue to send, the call would not return, and the main thread would freeze. So it offers its gate after
/// ``limit`` events. The next thread that sends takes the gate, or a thread that is started for this purpose. A lane of
/// an actor, a hop and similar mechanisms schedule the remaining events. (`FairnessTests`)
@usableFromInline
package enum HandOver {
  /// The maximum number of events of other threads that are delivered in one turn.
  ///
  /// Performance: a thread takes about 20 µs to start, as long as 500 deliveries to a simple subscriber. A turn of 200
  /// values takes less than a millisecond if subscribers are simple. A new turn on the main actor costs about 50 µs if
  /// its run loop is idle, so 0.25 µs for each value of about 1 µs. A yield on another actor costs 1 µs.
  #if WEIR_INTERLEAVE
  @inlinable
  package static var limit: Int { 2 }  // A few events show a hand-over.
  #else
  @inlinable
  package static var limit: Int { 200 }
  #endif

  // Safety: each closure runs once, and first takes the gate that guards its state. (`FairnessTests`)
  /// Closures that each take an offered gate, unless another thread has taken it, and deliver.
  nonisolated(unsafe) private static let waiting = Locked(CircularBuffer<Work>())

  /// The number of closures that have not returned.
  private static let underWay = Atomic<Int>(0)

  /// Runs a closure on its own thread.
  ///
  /// A subscriber can block its thread, for instance until a task has a result. Tasks share a few threads, so tasks
  /// that deliver could block all of them. (`Threads/waiting-for-tasks`)
  @usableFromInline
  package static func start(_ takeOver: @escaping () -> Void) {
    #if WEIR_INTERLEAVE
    handOverHook(takeOver)
    #else
    underWay.wrappingAdd(1, ordering: .relaxed)
    waiting.withLock { $0.append(Work(run: takeOver)) }
    if !startThread({ runNext() }) { Task.detached { runNext() } }
    #endif
  }

  private static func runNext() {
    guard let takeOver = waiting.withLock({ $0.popFirst() }) else { return }
    takeOver.run()
    underWay.wrappingSubtract(1, ordering: .releasing)
  }

  /// Returns when all earlier events are delivered, except those of threads that are still sending.
  ///
  /// It runs closures itself, so it doesn't wait for a thread to start. No subscriber may block in the meantime.
  package static func settle() {
    while underWay.load(ordering: .acquiring) > 0 { runNext() }
  }
}
