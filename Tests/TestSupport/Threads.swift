import Dispatch
import Weir

/// Runs bodies on separate threads, as concurrently as the machine allows, and waits for them and their hand-overs.
///
/// The bodies share their captures on purpose, because the test checks that this is safe.
func race(rounds: Int = 1, _ bodies: (() -> Void)...) {
  Figures.add(rounds, to: "races")
  for _ in 0..<rounds {
    runConcurrently(bodies)
    HandOver.settle()
  }
}

/// Runs bodies on separate threads, and waits for them.
func runConcurrently(_ bodies: [() -> Void]) {
  nonisolated(unsafe) let bodies = bodies
  DispatchQueue.concurrentPerform(iterations: bodies.count) { bodies[$0]() }
}
