// A campaign of random programs: pipelines of three to eight operators on two subjects, a sequence and a nonconforming
// publisher. User code acts during deliveries, threads send concurrently, and subscribers cancel.
//
//     Random                  runs WEIR_PROGRAMS programs, or 20,000, from the seed WEIR_SEED, or 0
//     Random COUNT            runs COUNT programs, and stops at the first failure
//     Random --play PROGRAM   runs one program from its text
//     Random --show SEED      prints the program of a seed

import Foundation

@main
struct Random {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let environment = ProcessInfo.processInfo.environment
    switch (arguments.first, arguments.count) {
    case ("--worker", 4):
      guard let first = UInt64(arguments[1]), let end = UInt64(arguments[2]), let board = Board(arguments[3]) else {
        complain()
      }
      Campaign.work(from: first, to: end, board)
    case ("--play", 2):
      guard let program = RandomProgram(arguments[1]) else { complain() }
      Campaign.play(program)
    case ("--show", 2):
      guard let seed = UInt64(arguments[1]) else { complain() }
      print(RandomProgram(seed: seed))
    case (nil, 0), (_, 1):
      guard let count = Int(arguments.first ?? environment["WEIR_PROGRAMS"] ?? "20000"),
        let first = UInt64(environment["WEIR_SEED"] ?? "0")
      else { complain() }
      exit(Campaign.run(from: first, count: count, shrinks: arguments.isEmpty) ? 0 : 1)
    default: complain()
    }
  }

  private static func complain() -> Never {
    print("usage: [COUNT] | --play PROGRAM | --show SEED")
    exit(2)
  }
}
