@testable import TestSupport

/// Decides which thread continues.
protocol InterleavingStrategy {
  /// `current` is the thread that has reached this point, unless it must wait or has ended.
  mutating func choose(among ready: [Int], current: Int?) -> Int
}

/// Any thread, at every point.
struct AnyOrder: InterleavingStrategy {
  var random: SplitMix

  mutating func choose(among ready: [Int], current: Int?) -> Int {
    ready[Int.random(in: 0..<ready.count, using: &random)]
  }
}

/// Random priorities, which change at a number of random points.
///
/// Finds faults that need few preemptions (PCT, Burckhardt and others 2010).
struct ByPriority: InterleavingStrategy {
  private var priorities: [Int]
  private var changes: [Int]
  private var count = 0

  init(threads: Int, depth: Int, length: Int, random: inout SplitMix) {
    priorities = (0..<threads).map { $0 + depth }.shuffled(using: &random)
    changes = (0..<depth - 1).map { _ in Int.random(in: 0..<max(length, 1), using: &random) }
  }

  mutating func choose(among ready: [Int], current: Int?) -> Int {
    if let current, let change = changes.firstIndex(of: count) { priorities[current] = change }
    count += 1
    return ready.max { priorities[$0] < priorities[$1] } ?? ready[0]
  }
}

/// All orders with a limited number of preemptions, one after the other.
struct EveryOrder: InterleavingStrategy {
  let preemptions: Int
  private var path: [(options: [Int], index: Int)] = []
  private var depth = 0
  private var used = 0

  init(preemptions: Int) {
    self.preemptions = preemptions
  }

  mutating func choose(among ready: [Int], current: Int?) -> Int {
    if depth == path.count {
      let others = ready.filter { $0 != current }
      path.append((current.map { [$0] + (used < preemptions ? others : []) } ?? others, 0))
    }
    let choice = path[depth].options[path[depth].index]
    depth += 1
    if let current, choice != current { used += 1 }
    return choice
  }

  /// Advances to the next order; returns `false` after the last one.
  mutating func advance() -> Bool {
    (depth, used) = (0, 0)
    while let last = path.popLast() {
      if last.index + 1 < last.options.count {
        path.append((last.options, last.index + 1))
        return true
      }
    }
    return false
  }
}

/// The order of a trace.
struct Replay: InterleavingStrategy {
  private var choices: [Int]

  init(_ trace: String) {
    choices = trace.reversed().compactMap(\.wholeNumberValue)
  }

  mutating func choose(among ready: [Int], current: Int?) -> Int {
    choices.popLast() ?? current ?? ready[0]
  }
}
