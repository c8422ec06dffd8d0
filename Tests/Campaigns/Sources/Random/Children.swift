// Programs run in child processes, because a failing program may crash.

import Foundation

/// The failure of a process, in two words or a line.
struct Failure {
  /// Equal for all programs that fail in the same way.
  let kind: String
  /// The output of the process.
  let text: String
}

enum Child {
  /// Runs this executable again, and returns its failure.
  static func run(_ arguments: [String]) -> Failure? {
    let folder = FileManager.default.temporaryDirectory
    let log = folder.appendingPathComponent("random-\(getpid()).log")
    _ = FileManager.default.createFile(atPath: log.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: log) }
    guard let handle = try? FileHandle(forWritingTo: log) else {
      return Failure(kind: "log", text: "can't write \(log.path)")
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = arguments
    process.standardOutput = handle
    process.standardError = handle
    do { try process.run() } catch { return Failure(kind: "start", text: "\(error)") }
    process.waitUntilExit()
    let output = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
    let status = process.terminationStatus
    if let summary = output.split(separator: "\n").first(where: { $0.hasPrefix("SUMMARY: ") }) {
      // The location of a memory fault depends on the memory layout.
      return Failure(kind: "sanitizer", text: String(summary.dropFirst("SUMMARY: ".count).prefix(300)))
    }
    if process.terminationReason == .uncaughtSignal {
      if status == SIGALRM { return Failure(kind: "hang", text: "hangs") }
      return Failure(kind: "signal", text: "ended by signal \(status)")
    }
    if status == 0 { return nil }
    let text = output.split(separator: "\n").first.map(String.init) ?? "ended with status \(status)"
    // The text up to a colon, without numbers.
    let kind = text.prefix { $0 != ":" }.filter { !$0.isNumber }
    return Failure(kind: kind, text: text)
  }
}
