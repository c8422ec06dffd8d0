// A campaign: a child process runs programs, and its parent reports which of them failed, and why.

import Foundation

enum Campaign {
  /// The timeout of a program in seconds.
  private static let patience: UInt32 = 30

  // MARK: The parent

  /// Runs the kept programs, and then `count` others; returns whether all succeeded.
  ///
  /// Unless `shrinks` is set, it stops at the first failure.
  static func run(from first: UInt64, count: Int, shrinks: Bool) -> Bool {
    var failures = 0
    for (fault, text) in kept {
      guard let program = RandomProgram(text) else {
        print("A stored program can't be parsed: \(text)")
        failures += 1
        continue
      }
      guard let failure = Child.run(["--play", "\(program)"]) else { continue }
      print("A stored program (\(fault)) fails again: \(failure.text)\n  \(text)")
      failures += 1
    }
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("random-\(getpid()).board").path
    guard let board = Board(path) else {
      print("can't map \(path)")
      return false
    }
    defer {
      board.unmap()
      unlink(path)
    }
    let end = first + UInt64(count)
    var next = first
    // If more than a few programs fail, they have a common cause.
    while next < end, failures < 5 {
      guard let failure = Child.run(["--worker", "\(next)", "\(end)", path]) else { break }
      let seed = UInt64(board[.seed])
      failures += 1
      print("WEIR_SEED=\(seed): \(failure.text)\n  \(RandomProgram(seed: seed))")
      fflush(nil)
      if !shrinks { return false }
      shrink(RandomProgram(seed: seed), failure)
      next = seed + 1
    }
    for tally in Tally.allCases where tally != .seed { print("\(tally.label)\t\(board[tally])") }
    return failures == 0
  }

  private static func shrink(_ program: RandomProgram, _ failure: Failure) {
    defer { fflush(nil) }
    var last = failure
    func fails(_ candidate: RandomProgram) -> Bool {
      guard let failure = Child.run(["--play", "\(candidate)"]), failure.kind == last.kind else { return false }
      last = failure
      return true
    }
    guard fails(program) else { return print("  The second run doesn't fail.") }
    let short = program.shrunk(until: .now + .seconds(90), while: fails)
    print("  shortened: \(short)\n  its failure: \(last.text)")
  }

  // MARK: The children

  /// Runs the programs of seeds until one fails.
  static func work(from first: UInt64, to end: UInt64, _ board: Board) -> Never {
    for seed in first..<end {
      board[.seed] = Int(seed)
      alarm(patience)
      let outcome = RandomProgram(seed: seed).play()
      board.count(outcome)
      if let fault = outcome.fault { fail(fault) }
    }
    exit(0)
  }

  /// Runs a program; one with several threads many times.
  static func play(_ program: RandomProgram) -> Never {
    alarm(10)
    for _ in 0..<(program.isThreaded ? 300 : 1) {
      if let fault = program.play().fault { fail(fault) }
    }
    exit(0)
  }

  private static func fail(_ fault: String) -> Never {
    print(fault)
    fflush(nil)
    exit(3)
  }
}
