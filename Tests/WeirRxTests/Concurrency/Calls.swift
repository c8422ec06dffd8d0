import Testing

@testable import TestSupport

/// Calls that a test answers, and that are cancelled with their task.
@MainActor
final class Calls {
  /// The calls that have started, been answered and been cancelled, in order.
  private(set) var log: [String] = []

  private var waiting: [Int: CheckedContinuation<Result<Int, TestError>, Never>] = [:]

  private(set) var most = 0

  var running: [Int] { waiting.keys.sorted() }

  /// Starts a call, and returns its answer.
  func make(_ value: Int) async throws(TestError) -> Int {
    log.append("begin \(value)")
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiting[value] = continuation
        most = max(most, waiting.count)
      }
    } onCancel: {
      Task { @MainActor in cancelled(value) }
    }
    return try result.get()
  }

  /// Answers a call with ten times its value.
  func answer(_ value: Int) {
    finish(value, .success(value * 10))
  }

  func fail(_ value: Int) {
    finish(value, .failure(.oops))
  }

  private func finish(_ value: Int, _ result: Result<Int, TestError>) {
    guard let continuation = waiting.removeValue(forKey: value) else {
      Issue.record("There is no call for \(value).")
      return
    }
    log.append("end \(value)")
    continuation.resume(returning: result)
  }

  private func cancelled(_ value: Int) {
    guard let continuation = waiting.removeValue(forKey: value) else { return }
    log.append("cancel \(value)")
    continuation.resume(returning: .success(-value))
  }
}
