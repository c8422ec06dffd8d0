import Dispatch
import Weir

/// Runs bodies on threads of their own, as much at once as the machine can, and waits for all of them and for what they hand over.
///
/// The bodies share what they capture on purpose: that they may is what such a test shows.
func race(rounds: Int = 1, _ bodies: (() -> Void)...) {
  nonisolated(unsafe) let bodies = bodies
  Figures.add(rounds, to: "races")
  for _ in 0..<rounds {
    DispatchQueue.concurrentPerform(iterations: bodies.count) { bodies[$0]() }
    HandOver.settle()
  }
}
