// A model of a server: a thousand short-lived pipelines on four threads for ten minutes. Reports whether the resident
// memory is stable, and how late timers are.
//
//     Soak                  prints the results; status 1 if memory grows, or if a kind of request delivers no value
//     Soak --plot FILE.svg  draws the resident memory too
//
// WEIR_SOAK is the number of seconds, WEIR_SOAK_SEED the seed, and WEIR_SOAK_KINDS the kinds of requests, separated by
// commas. Bisecting the kinds finds one whose memory grows. Figures are appended to the file in WEIR_FIGURES.

import CHeap
import Foundation
import Synchronization
import Weir

@main
enum Soak {
  static func main() {
    let settings = Settings()
    let (seconds, kinds) = (settings.seconds, settings.kinds)
    print("\(seconds) s, \(Server.threads) threads, \(kinds.count) kinds of requests, seed \(settings.seed)")
    let server = Server(kinds)
    let timers = Timers(seconds: seconds)
    var (memory, heap) = (Memory(seconds: seconds), Memory(seconds: seconds))
    var living = 0
    server.start(seed: settings.seed)
    let firing = timers.start(sharing: server.shared)
    let start = ContinuousClock.now
    for second in 1...seconds {
      pause(ContinuousClock.now.duration(to: start + .seconds(second)))
      guard let sample = residentMemory() else { fail("the resident memory can't be read") }
      memory.add(sample)
      heap.add(Double(allocated_bytes()) / 1_000_000)
      living += Request.living.load(ordering: .relaxed)
    }
    for each in firing { each.cancel() }
    var faults = server.end() ? [] : ["a thread does not return"]
    faults += leftovers()

    let report = Report(server: server, timers: timers, memory: memory, heap: heap, living: living / max(seconds, 1))
    report.print()
    faults += report.faults
    do {
      if let file = settings.plot {
        try Plot(memory, seed: settings.seed).svg.write(toFile: file, atomically: true, encoding: .utf8)
      }
      if let file = settings.figures { try report.addFigures(to: file) }
    } catch {
      fail("\(error)")
    }
    for fault in faults { print("FAILED: \(fault)") }
    exit(faults.isEmpty ? 0 : 1)
  }

  /// The objects that remain after all requests have terminated.
  ///
  /// Cancelled timers may take a moment.
  private static func leftovers() -> [String] {
    for _ in 0..<300 {
      if Request.living.load(ordering: .relaxed) == 0, Payload.living.load(ordering: .relaxed) == 0 { return [] }
      pause(.milliseconds(100))
    }
    let (requests, values) = (Request.living.load(ordering: .relaxed), Payload.living.load(ordering: .relaxed))
    return ["\(requests) requests and \(values) values are left after all have completed"]
  }
}

func fail(_ message: String) -> Never {
  print("FAILED: \(message)")
  exit(1)
}

private struct Settings {
  var seconds = 600
  var seed: UInt64 = 1
  var kinds = Kind.allCases
  var plot: String?
  var figures: String?

  init() {
    let environment = ProcessInfo.processInfo.environment
    if let text = environment["WEIR_SOAK"] {
      guard let number = Int(text), number > 0 else { fail("WEIR_SOAK is a number of seconds, not \(text)") }
      seconds = number
    }
    if let text = environment["WEIR_SOAK_SEED"] {
      guard let number = UInt64(text) else { fail("WEIR_SOAK_SEED is a number, not \(text)") }
      seed = number
    }
    if let text = environment["WEIR_SOAK_KINDS"] {
      kinds = text.split(separator: ",").map { name in
        guard let kind = Kind(rawValue: String(name)) else {
          fail("there is no kind \(name); the kinds are \(Kind.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return kind
      }
    }
    figures = environment["WEIR_FIGURES"]
    var arguments = CommandLine.arguments.dropFirst()
    while let argument = arguments.popFirst() {
      guard argument == "--plot", let file = arguments.popFirst() else { fail("usage: Soak [--plot FILE.svg]") }
      plot = file
    }
  }
}
