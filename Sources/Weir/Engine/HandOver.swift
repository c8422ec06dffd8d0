import Synchronization

/// Lets another thread go on with what one thread has delivered for others long enough.
///
/// A thread that delivers takes care of what other threads send meanwhile, so none of them waits. If they keep sending, it
/// would never return: an event handler on the main thread, say, would freeze the program. So it stops after ``limit``
/// events of others, and offers its gate. The next thread that sends takes it; if there is none, a task does.
/// (`FairnessTests`)
@usableFromInline
package enum HandOver {
  /// How many events of other threads one call takes care of.
  ///
  /// Performance: a task costs as much as some 50 deliveries to a simple subscriber.
  #if WEIR_INTERLEAVE
  @usableFromInline
  static var limit: Int { @inlinable get { 2 } }  // So that a few events show a hand-over.
  #else
  @usableFromInline
  static var limit: Int { @inlinable get { 200 } }
  #endif

  // Safety: each closure runs once, and takes the gate that guards what it accesses. (`FairnessTests`)
  nonisolated(unsafe) private static let waiting = Locked(Fifo<() -> Void>())

  /// How many gates are offered, or taken and not given up yet.
  private static let underWay = Atomic<Int>(0)

  /// Has a gate taken that is offered, unless another thread comes first; `goOn` does.
  @usableFromInline
  static func start(_ goOn: @escaping () -> Void) {
    #if WEIR_INTERLEAVE
    handOverHook(goOn)
    #else
    underWay.wrappingAdd(1, ordering: .relaxed)
    waiting.withLock { $0.append(goOn) }
    Task.detached { goOnWithOne() }
    #endif
  }

  private static func goOnWithOne() {
    guard let goOn = waiting.withLock({ $0.popFirst() }) else { return }
    goOn()
    underWay.wrappingSubtract(1, ordering: .releasing)
  }

  /// Returns when everything is delivered that was sent before, unless others are in the middle of sending.
  ///
  /// It does what tasks would do, so it doesn't wait for a thread that is free.
  package static func settle() {
    while underWay.load(ordering: .acquiring) > 0 { goOnWithOne() }
  }
}
