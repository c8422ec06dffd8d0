/// Runs work serially: work that is added while other work runs is left to the running loop.
///
/// So work that adds itself again uses constant stack space.
@usableFromInline
package final class Trampoline {
  @usableFromInline
  let gate = Gate()

  @usableFromInline
  let waiting = Locked(CircularBuffer<Work>())

  @inlinable
  package init() {}

  @usableFromInline
  package func run(_ work: @escaping () -> Void) {
    if case .acquired = gate.enter() {
      work()
    } else {
      waiting.withLock { $0.append(Work(run: work)) }
      guard gate.acquireOrRequestDrain() else { return }
      runAll()
    }
    while !gate.leave() { runAll() }
  }

  private func runAll() {
    while let work = waiting.withLock({ $0.popFirst() }) { work.run() }
  }
}
