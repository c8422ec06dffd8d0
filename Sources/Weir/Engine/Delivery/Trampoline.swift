/// Runs work serially: work that is added while other work runs is left to the running loop.
///
/// So work that adds itself again uses constant stack space.
@usableFromInline
package final class Trampoline {
  @usableFromInline
  let gate = Gate()

  @usableFromInline
  let waiting = Locked(CircularBuffer<() -> Void>())

  @inlinable
  package init() {}

  @usableFromInline
  package func run(_ work: @escaping () -> Void) {
    waiting.withLock { $0.append(work) }
    switch gate.enter() {
    case .acquired: break
    case .reentrant, .contended: if !gate.acquireOrRequestDrain() { return }
    }
    repeat {
      while let work = waiting.withLock({ $0.popFirst() }) { work() }
    } while !gate.leave()
  }
}
