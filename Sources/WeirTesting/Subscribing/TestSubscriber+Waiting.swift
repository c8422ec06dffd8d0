import Weir

#if !WEIR_BARE
import Dispatch
#endif

/// An event that a test awaits when it uses a real scheduler.
public enum Milestone: Hashable, Sendable, CustomStringConvertible {
  /// This many values have arrived.
  case values(Int)

  /// The completion has arrived.
  case completion

  /// The milestone in words.
  public var description: String {
    switch self {
    case .values(let count): "\(count) value\(count == 1 ? "" : "s")"
    case .completion: "the completion"
    }
  }
}

/// The closures that wake waiting threads or tasks.
struct Waiters {
  private var waiting: [Int: (milestone: Milestone, wake: () -> Void)] = [:]
  private var lastID = 0

  mutating func insert(_ milestone: Milestone, wake: @escaping () -> Void) -> Int {
    lastID += 1
    waiting[lastID] = (milestone, wake)
    return lastID
  }

  mutating func remove(_ id: Int) -> (() -> Void)? {
    waiting.removeValue(forKey: id)?.wake
  }

  mutating func take(where isDue: (Milestone) -> Bool) -> [() -> Void] {
    if waiting.isEmpty { return [] }
    let due = waiting.filter { isDue($0.value.milestone) }
    for id in due.keys { waiting[id] = nil }
    return due.values.map(\.wake)
  }
}

extension SubscriberLog {
  func isReached(_ milestone: Milestone) -> Bool {
    switch milestone {
    case .values(let count): values.count >= count
    case .completion: completion != nil
    }
  }
}

extension TestSubscriber.State {
  /// Removes the waiters whose milestone is reached or can't be reached; the caller wakes them outside the lock.
  mutating func takeReached() -> [() -> Void] {
    waiters.take { [log] milestone in log.isReached(milestone) || log.completion != nil }
  }

  /// Returns `nil` if the milestone is already reached or can't be reached.
  mutating func wait(for milestone: Milestone, wake: @escaping () -> Void) -> Int? {
    log.isReached(milestone) || log.completion != nil ? nil : waiters.insert(milestone, wake: wake)
  }
}

extension TestSubscriber {
  #if !WEIR_BARE
  /// Blocks this thread until the milestone is reached; asynchronous code suspends the task instead.
  ///
  /// - Throws: ``TestFailure`` if the publisher completes before that, or after a timeout.
  public func wait(
    for milestone: Milestone, timeout: Duration = .seconds(1), fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    let semaphore = DispatchSemaphore(value: 0)
    if let id = state.withLock({ $0.wait(for: milestone) { semaphore.signal() } }) {
      if semaphore.wait(timeout: .now() + (timeout / .seconds(1))) == .timedOut {
        _ = state.withLock { $0.waiters.remove(id) }
      }
    }
    try check(milestone, after: timeout, fileID: fileID, line: line)
  }
  #endif

  private func check(_ milestone: Milestone, after timeout: Duration, fileID: StaticString, line: UInt) throws {
    if state.withLock({ $0.log.isReached(milestone) }) { return }
    let end = completion.map { "The publisher completed (\(TestEvent<Input, Failure>.completion($0)))" }
    throw TestFailure(
      "Waited for \(milestone). \(end ?? "There was no completion after \(timeout)"), and the values are \(values).",
      fileID: fileID, line: line)
  }
}

extension TestSubscriber where Input: Sendable {
  /// Suspends the task until the milestone is reached.
  ///
  /// - Throws: ``TestFailure`` if the publisher completes before that, or after a timeout; `CancellationError` if the
  ///   task is cancelled before that.
  public func wait(
    for milestone: Milestone, timeout: Duration = .seconds(1), fileID: StaticString = #fileID, line: UInt = #line
  ) async throws {
    let timer = Shared<Task<Void, Never>?>(nil)
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard let id = state.withLock({ $0.wait(for: milestone) { continuation.resume() } }) else {
          return continuation.resume()
        }
        let task = Task { [state] in
          // The clock can't represent every duration; a century is long enough. A cancelled sleep ends immediately.
          try? await Task.sleep(for: min(timeout, .seconds(3_000_000_000)))
          // Each waiter is woken once: by the code that removes it.
          state.withLock { $0.waiters.remove(id) }?()
        }
        timer.withLock { $0 = task }
        if Task.isCancelled { task.cancel() }
      }
    } onCancel: {
      timer.withLock { $0 }?.cancel()
    }
    timer.withLock { $0 }?.cancel()
    if !state.withLock({ $0.log.isReached(milestone) || $0.log.completion != nil }) { try Task.checkCancellation() }
    try check(milestone, after: timeout, fileID: fileID, line: line)
  }

  /// Suspends the task until this many values have arrived, and returns all values.
  ///
  /// - Throws: ``TestFailure`` if the publisher completes before that, or after a timeout.
  public func values(
    count: Int, timeout: Duration = .seconds(1), fileID: StaticString = #fileID, line: UInt = #line
  ) async throws -> [Input] {
    try await wait(for: .values(count), timeout: timeout, fileID: fileID, line: line)
    return values
  }
}
