import Weir

/// What was reported on the threads of a rule.
///
/// The hook for reports is the whole program's: it is set while a rule needs it, and passes on what is not the rule's.
final class ReportLog: Sendable {
  private struct Hook {
    var users = 0
    var before: (@Sendable (Tracing.Report) -> Void)?
  }

  @TaskLocal static var current: ReportLog?
  private static let hook = Shared(Hook())

  private let reports = Shared<[Tracing.Report]>([])

  /// How many reports there are of a kind.
  func count(of kind: Tracing.Report.Kind) -> Int { reports.withLock { $0.count { $0.kind == kind } } }

  /// Collects what the body leads to.
  static func collecting<Result>(_ body: (ReportLog) -> Result) -> Result {
    let log = ReportLog()
    install()
    defer { remove() }
    return $current.withValue(log) { body(log) }
  }

  private static func install() {
    let before = Tracing.onReport
    let isFirst = hook.withLock { hook in
      hook.users += 1
      if hook.users == 1 { hook.before = before }
      return hook.users == 1
    }
    if !isFirst { return }
    Tracing.onReport = { (report: Tracing.Report) in
      if let log = current { log.reports.withLock { $0.append(report) } } else { before?(report) }
    }
  }

  private static func remove() {
    let last = hook.withLock { hook -> Hook? in
      hook.users -= 1
      return hook.users == 0 ? hook : nil
    }
    if let last { Tracing.onReport = last.before }
  }
}
