import Weir

#if canImport(Dispatch)
import Dispatch
#endif

/// What a test waits for, where a real scheduler is at work.
public enum Milestone: Hashable, Sendable, CustomStringConvertible {
  /// So many values have come.
  case values(Int)

  /// The end has come.
  case completion

  /// The milestone in words.
  public var description: String {
    switch self {
    case .values(let count): "\(count) value\(count == 1 ? "" : "s")"
    case .completion: "the completion"
    }
  }
}

/// Whoever waits, until it is woken or gives up.
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

  mutating func take(where isOver: (Milestone) -> Bool) -> [() -> Void] {
    if waiting.isEmpty { return [] }
    let over = waiting.filter { isOver($0.value.milestone) }
    for id in over.keys { waiting[id] = nil }
    return over.values.map(\.wake)
  }
}

extension SubscriberLog {
  func isReached(_ milestone: Milestone) -> Bool {
    switch milestone {
    case .values(let count): valueCount >= count
    case .completion: completion != nil
    }
  }
}

extension TestSubscriber.State {
  /// Those whose milestone is reached, or can't be any more; they are woken when the lock is free.
  mutating func takeReached() -> [() -> Void] {
    waiters.take { [log] milestone in log.isReached(milestone) || log.completion != nil }
  }

  /// `nil` if there is nothing to wait for.
  mutating func wait(for milestone: Milestone, wake: @escaping () -> Void) -> Int? {
    log.isReached(milestone) || log.completion != nil ? nil : waiters.insert(milestone, wake: wake)
  }
}

extension TestSubscriber {
  #if canImport(Dispatch)
  /// Blocks this thread until the milestone is reached; in asynchronous code it suspends the task instead.
  ///
  /// - Throws: ``TestFailure`` if the publisher ends before that, or when the time is over.
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
    let end = completion.map { "The publisher ended (\(TestEvent<Input, Failure>.completion($0)))" }
    throw TestFailure(
      "Waited for \(milestone). \(end ?? "After \(timeout) there is no end") and the values are \(values).",
      fileID: fileID, line: line)
  }
}

extension TestSubscriber where Input: Sendable {
  /// Suspends the task until the milestone is reached.
  ///
  /// - Throws: ``TestFailure`` if the publisher ends before that, or when the time is over.
  public func wait(
    for milestone: Milestone, timeout: Duration = .seconds(1), fileID: StaticString = #fileID, line: UInt = #line
  ) async throws {
    var timer: Task<Void, Never>?
    await withCheckedContinuation { continuation in
      guard let id = state.withLock({ $0.wait(for: milestone) { continuation.resume() } }) else {
        return continuation.resume()
      }
      timer = Task { [state] in
        try? await Task.sleep(for: timeout)
        // Whoever takes it out wakes it, so it is woken once.
        state.withLock { $0.waiters.remove(id) }?()
      }
    }
    timer?.cancel()
    try check(milestone, after: timeout, fileID: fileID, line: line)
  }

  /// Suspends the task until so many values have come, and returns all there are then.
  ///
  /// - Throws: ``TestFailure`` if the publisher ends before that, or when the time is over.
  public func values(
    count: Int, timeout: Duration = .seconds(1), fileID: StaticString = #fileID, line: UInt = #line
  ) async throws -> [Input] {
    try await wait(for: .values(count), timeout: timeout, fileID: fileID, line: line)
    return values
  }
}
