// The creation of a program from a seed.

import Weir

/// Random numbers that are the same for the same seed.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

  mutating func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }
}

extension RandomProgram {
  /// Creates the program of a seed.
  ///
  /// Of sixteen programs, six have one thread and match the models. One has several threads, and operators that ignore
  /// the order of values. In nine user code acts, and three of these have several threads.
  init(seed: UInt64) {
    self.init()
    var random = SplitMix(seed: seed)
    let kind = random.below(8)
    numbers = random.below(7)
    switch kind {
    case 0: build(from: Operation.cold, [.sequence], &random)
    case 1, 2: build(from: Operation.modeled, [.first, .second, .sequence], &random)
    case 7 where random.below(2) == 0:
      build(from: Operation.unordered, [.first, .second, .sequence], &random)
      // Large enough that a thread that delivers for the others hands over.
      let count = random.below(50) == 0 ? 400 : 4 + random.below(9)
      scripts = (0..<2 + random.below(2)).map { _ in
        (0..<count).map { _ in .send(random.one(of: [.first, .second]), random.below(6)) }
      }
      return
    default:
      let hasRogue = random.below(2) == 0
      let operations = random.below(2) == 0 ? Operation.all : Operation.flowing
      build(from: operations, hasRogue ? Source.allCases : [.first, .second, .sequence], &random)
    }
    if kind == 0 || kind > 2 { demand = random.one(of: [.none, .max(1), .max(3), .unlimited]) }
    guard kind > 2 else {
      scripts = [(0..<4 + random.below(9)).map { _ in Step(&random, isPlain: true, isRogue: false) }]
      return
    }
    tickets = random.one(of: [0, 1, 1, 2])
    answers = random.below(2) == 0
    var call = 0
    for _ in 0..<random.below(13) {
      acts[call] = Step(&random, isPlain: false, isRogue: isRogue)
      // One call in six acts.
      repeat { call += 1 } while random.below(6) > 0
    }
    let threads = kind > 5 ? 2 + random.below(2) : 1
    scripts = (0..<threads).map { _ in
      (0..<4 + random.below(7)).map { _ in
        Step(&random, isPlain: false, isRogue: isRogue, last: threads > 1 ? 18 : 6)
      }
    }
    // Only one thread advances the virtual time.
    for thread in scripts.indices.dropFirst() { scripts[thread].removeAll { $0 == .advance } }
  }

  private mutating func build(from operations: [Operation], _ sources: [Source], _ random: inout SplitMix) {
    source = random.one(of: sources)
    for _ in 0..<3 + random.below(6) {
      stages.append(Stage(operation: random.one(of: operations), other: random.one(of: sources)))
    }
  }
}

extension RandomProgram.Step {
  /// Creates a step.
  ///
  /// One in `last` steps completes a source, or cancels.
  fileprivate init(_ random: inout SplitMix, isPlain: Bool, isRogue: Bool, last: Int = 6) {
    let source = random.one(of: isRogue ? [.first, .second, .rogue] : [RandomProgram.Source.first, .second])
    let number = random.below(6)
    self =
      switch random.below(15) {
      case _ where random.below(last) == 0: random.one(of: [.finish(source), .fail(source), .cancel])
      case 0...1: .request(1)
      case 2: .requestUnlimited
      case 3 where !isPlain: .subscribe
      case 4...5 where !isPlain: .advance
      default: .send(source, number)
      }
  }
}
