import Foundation
import Synchronization
import Weir

/// What `--trace` tells.
enum Trace {
  /// What would spoil the picture on the screen, for when it has gone.
  private static let held = Mutex<[String]>([])

  /// Remembers everything from now on, and tells at the end what is alive then.
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
