// A failing program is shrunk as far as possible.

import Foundation

extension RandomProgram {
  /// The program without the parts that the failure doesn't need.
  ///
  /// `fails` runs a program and returns whether it fails in the same way.
  func shrunk(until limit: ContinuousClock.Instant, while fails: (RandomProgram) -> Bool) -> RandomProgram {
    var best = self
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      var index = 0
      while let candidates = Optional(best.shorter), index < candidates.count {
        if ContinuousClock.now > limit { return best }
        if candidates[index] != best, fails(candidates[index]) {
          best = candidates[index]
          hasChanged = true
        } else {
          index += 1
        }
      }
    }
    return best
  }

  /// Slightly shorter or simpler programs.
  private var shorter: [RandomProgram] {
    var all: [RandomProgram] = []
    func add(_ change: (inout RandomProgram) -> Void) {
      var copy = self
      change(&copy)
      if copy != self { all.append(copy) }
    }
    for index in stages.indices { add { $0.stages.remove(at: index) } }
    for thread in scripts.indices where scripts[thread].count > 8 {
      add { $0.scripts[thread].removeFirst($0.scripts[thread].count / 2) }
      add { $0.scripts[thread].removeLast($0.scripts[thread].count / 2) }
    }
    if isThreaded { for index in scripts.indices { add { $0.scripts.remove(at: index) } } }
    for thread in scripts.indices {
      for index in scripts[thread].indices { add { $0.scripts[thread].remove(at: index) } }
    }
    for call in acts.keys.sorted() {
      add { $0.acts[call] = nil }
      if call > 0, acts[call - 1] == nil {
        add {
          $0.acts[call - 1] = $0.acts[call]
          $0.acts[call] = nil
        }
      }
    }
    if source == .rogue || source == .second { add { $0.source = .first } }
    for index in stages.indices where stages[index].other != .first { add { $0.stages[index].other = .first } }
    if numbers > 0 { add { $0.numbers -= 1 } }
    add { $0.tickets = 1 }
    add { $0.answers = false }
    add { $0.demand = .unlimited }
    return all
  }
}
