// The common part of the programs: a table of cases, and a command line that runs one of them. Each case needs its own
// process, because memory that one case damages would change the result of the next.

import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// One case.
public struct Case {
  /// The name, without spaces.
  public let name: String

  /// Whether the main queue runs meanwhile, for what the case sends to the main actor.
  let needsMainQueue: Bool

  let run: () -> String?

  /// Creates a case; `run` returns an unexpected result in one line, or `nil`.
  ///
  /// It is called on the main thread, or on another one if the case needs the main queue.
  public init(_ name: String, needsMainQueue: Bool = false, run: @escaping () -> String?) {
    self.name = name
    self.needsMainQueue = needsMainQueue
    self.run = run
  }

  func end() -> Never {
    // A signal ends a case that hangs.
    alarm(50)
    guard let fault = run() else { exit(0) }
    print(fault)
    exit(1)
  }
}

/// Runs the case that the command line names, or lists the cases, and exits.
public func runCommand(_ cases: [Case]) -> Never {
  let arguments = CommandLine.arguments.dropFirst()
  if arguments.count == 1, let argument = arguments.first {
    if argument == "--list" {
      for entry in cases { print(entry.name) }
      exit(0)
    }
    if let entry = cases.first(where: { $0.name == argument }) {
      guard entry.needsMainQueue else { entry.end() }
      // Safety: no other thread uses it.
      nonisolated(unsafe) let entry = entry
      DispatchQueue(label: "case").async { entry.end() }
      dispatchMain()
    }
    complain("There is no case \(argument).")
  }
  complain("usage: --list | CASE")
  exit(2)
}

private func complain(_ line: String) {
  // Not through `stderr`, a variable that any thread may change.
  let text = Array((line + "\n").utf8)
  _ = write(STDERR_FILENO, text, text.count)
}
