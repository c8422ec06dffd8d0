/// Runs work one piece after the other: what is asked for while a piece runs is left to the loop that is running.
///
/// So what leads to its own repetition takes no stack.
@usableFromInline
package final class Trampoline {
  @usableFromInline
  let gate = Gate()

  @usableFromInline
  let waiting = Locked(Fifo<() -> Void>())

  @inlinable
  package init() {}

  @usableFromInline
  package func run(_ work: @escaping () -> Void) {
    waiting.withLock { $0.append(work) }
    switch gate.enter() {
    case .entered: break
    case .nested, .busy: if !gate.knock() { return }
    }
    repeat {
      while let work = waiting.withLock({ $0.popFirst() }) { work() }
    } while !gate.leave()
  }
}
