// A second thread that is started once, so that a case can have thousands of rounds on two threads.

import Dispatch
import Synchronization

/// A thread that immediately runs the work that it is given.
final class Helper: @unchecked Sendable {
  private enum Phase {
    static let idle = 0
    static let given = 1
    static let running = 2
    static let terminated = 3
  }

  private let phase = Atomic<Int>(Phase.idle)

  // Safety: written while the phase is `idle`, and read by the helper after it has become `given`.
  private var work: () -> Void = {}

  init() {
    DispatchQueue(label: "helper").async { self.serve() }
  }

  /// Returns when the helper has started.
  func run(_ work: @escaping () -> Void) {
    self.work = work
    phase.store(Phase.given, ordering: .releasing)
    while phase.load(ordering: .acquiring) == Phase.given {}
  }

  func wait() {
    while phase.load(ordering: .acquiring) != Phase.idle {}
  }

  func end() { phase.store(Phase.terminated, ordering: .releasing) }

  private func serve() {
    while true {
      switch phase.load(ordering: .acquiring) {
      case Phase.terminated: return
      case Phase.given:
        let work = work
        phase.store(Phase.running, ordering: .releasing)
        work()
        phase.store(Phase.idle, ordering: .releasing)
      default: break
      }
    }
  }
}

/// Lets this thread be late by a number of calls.
func pause(_ delay: Int) {
  for _ in 0..<delay { pause() }
}

@inline(never)
private func pause() {}

/// Describes the first fault of rounds on two threads, for half a second.
///
/// From round to round this thread is to be late by another number of calls.
func fault(_ round: (_ helper: Helper, _ delay: Int) -> String?) -> String? {
  let helper = Helper()
  defer { helper.end() }
  let clock = ContinuousClock()
  let end = clock.now + .milliseconds(500)
  var number = 0
  while clock.now < end {
    number += 1
    if let fault = round(helper, number % 2_000) { return "round \(number): \(fault)" }
  }
  return nil
}
