import Foundation
import Synchronization
import Weir

/// The output of `--trace`.
enum Trace {
  /// Messages that are printed after the screen has been restored.
  private static let held = Mutex<[String]>([])

  /// Starts tracing, and reports the live pipelines at the end.
  static func begin() {
    Weir.tracing = .assembly
    let hasPicture = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].allSatisfy { isatty($0) == 1 }
    if hasPicture { Tracing.onReport = { report in held.withLock { $0.append("\(report)") } } }
    atexit { Trace.end() }
  }

  private static func end() {
    let live = Subscriptions.live()
    let summary = ["\(live.count) subscriptions are alive:"] + live.map { "\($0)".indented }
    for text in held.withLock({ $0 }) + [summary.joined(separator: "\n\n")] { report(text) }
  }
}

extension String {
  fileprivate var indented: String {
    split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
  }
}
