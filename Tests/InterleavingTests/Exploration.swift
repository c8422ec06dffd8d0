import Foundation
import Testing
import Weir

@testable import TestSupport

/// One run of a scenario, which is set up for each order of its threads.
struct Trial {
  /// The body of each thread.
  var bodies: [() -> Void]

  /// Returns the faults after all threads have ended and pending work has run.
  var check: () -> [String]

  /// An object that must be deallocated with the rest of the trial, while `kept` is still retained.
  weak var released: AnyObject?
  var kept: AnyObject?

  init(bodies: [() -> Void], check: @escaping () -> [String]) {
    self.bodies = bodies
    self.check = check
  }

  func releasing(_ object: AnyObject, keeping kept: AnyObject) -> Trial {
    var trial = self
    trial.released = object
    trial.kept = kept
    return trial
  }
}

enum Campaign {
  /// The maximum number of orders of each scenario: half of them random, half in the exhaustive search.
  static let schedules = Effort.rounds(200)
}

/// Runs a scenario in many orders: at random, by priorities of depth 3, and all orders with at most two preemptions,
/// while these are few.
///
/// Reports the first order that breaks a rule, with the trace that repeats it (``Replay``).
func explore(_ name: String, sourceLocation: SourceLocation = #_sourceLocation, _ make: () -> Trial) {
  Figures.add(1, to: "scenarios")
  var length = 50
  for number in 0..<Campaign.schedules / 2 {
    var random = SplitMix(seed: UInt64(number))
    let threads = 4
    let strategy: any InterleavingStrategy =
      number % 2 == 0
      ? AnyOrder(random: random) : ByPriority(threads: threads, depth: 3, length: length, random: &random)
    let (faults, trace, _) = attempt(strategy, make)
    length = trace.count
    if report(faults, trace, "\(name), seed \(number)", sourceLocation) { return }
  }
  var every = EveryOrder(preemptions: 2)
  for _ in 0..<Campaign.schedules / 2 {
    let (faults, trace, strategy) = attempt(every, make)
    if report(faults, trace, name, sourceLocation) { return }
    guard let used = strategy as? EveryOrder else { return }
    every = used
    if !every.advance() { return Figures.add(1, to: "scenarios of which all schedules were run") }
  }
}

private func report(_ faults: [String], _ trace: [Int], _ name: String, _ location: SourceLocation) -> Bool {
  if faults.isEmpty { return false }
  Issue.record(
    "\(name): \(faults.joined(separator: "; ")). Replay(\"\(trace.map(String.init).joined())\")",
    sourceLocation: location)
  return true
}

func attempt(
  _ strategy: any InterleavingStrategy, _ make: () -> Trial
) -> (faults: [String], trace: [Int], strategy: any InterleavingStrategy) {
  Figures.add(1, to: "schedules")
  weak var released: AnyObject?
  var kept: AnyObject?
  let result = {
    let trial = make()
    (released, kept) = (trial.released, trial.kept)
    let (outcome, trace, used) = Interleaver.run(trial.bodies, by: strategy)
    // Threads that have not ended retain their objects, in any state.
    if outcome != .done { return (faults: ["\(outcome)"], trace: trace, strategy: used) }
    return (trial.check(), trace, used)
  }()
  return withExtendedLifetime(kept) {
    if result.faults.isEmpty, released != nil {
      return (["the subscriber is not released"], result.trace, result.strategy)
    }
    return result
  }
}
