public import Weir

/// A scheduler whose time advances only by explicit calls.
///
/// Pass it to any operator that takes a scheduler. The test then controls the time and never waits:
///
///     let scheduler = VirtualTimeScheduler()
///     let subject = PassthroughSubject<String, Never>()
///     let subscriber = TestSubscriber<String, Never>(demanding: .unlimited, clock: scheduler)
///     subject.debounce(for: .seconds(1), scheduler: scheduler).subscribe(subscriber)
///
///     subject.send("a")
///     scheduler.advance(by: .milliseconds(999))  // subscriber.values is []
///     scheduler.advance(by: .milliseconds(1))    // subscriber.values is ["a"]
///
/// Work for equal times runs in the order in which it was scheduled, and so does each run of a repeating action. Work
/// that is due immediately runs at the next ``advance(by:)``, which may advance by zero.
///
/// - Threading: any thread may schedule and cancel work. Work runs on the thread that advances the time. Advance it on
///   one thread at a time. Work may advance the time itself.
public final class VirtualTimeScheduler: Scheduler, Sendable {
  /// This scheduler has no options.
  public typealias SchedulerOptions = Never

  /// The time since the scheduler was created.
  public typealias SchedulerTimeType = VirtualTime

  private struct State {
    var now = VirtualTime.zero
    var queue = WorkQueue()
  }

  // No action runs or is released while the lock is held.
  private let state = Shared(State())

  /// Creates a scheduler at time zero.
  public init() {}

  /// The current time.
  public var now: VirtualTime {
    UserCode.runs("now of a scheduler")
    return state.withLock { $0.now }
  }

  /// No tolerance: work runs exactly when it is due.
  public var minimumTolerance: VirtualTime.Stride { 0 }

  /// The number of pending actions; a repeating action counts once.
  public var pendingCount: Int { state.withLock { $0.queue.count } }

  /// The time of the next pending action, or `nil` without one.
  public var nextDue: VirtualTime? { state.withLock { $0.queue.nextDue } }

  // MARK: Advancing time

  /// Advances the time by a stride, and runs all actions that become due; by default, those due now.
  ///
  /// - Precondition: `stride` is not negative.
  public func advance(by stride: VirtualTime.Stride = 0) {
    require(stride >= 0, "advance(by:) requires a stride of zero or more.")
    advance(through: now.advanced(by: stride))
  }

  /// Advances the time to this time, and runs all actions that become due.
  ///
  /// - Precondition: `time` is not in the past.
  public func advance(to time: VirtualTime) {
    require(time >= now, "advance(to:) requires a time that is not before `now`.")
    advance(through: time)
  }

  /// Advances the time until no action is pending.
  ///
  /// - Precondition: `limit` is not negative.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of actions that may run.
  ///   - fileID: The file to report for a failure.
  ///   - line: The line to report for a failure.
  /// - Throws: ``TestFailure`` if actions are still pending after `limit` actions, as with a timer that is never
  ///   cancelled.
  public func run(limit: Int = 100_000, fileID: StaticString = #fileID, line: UInt = #line) throws {
    require(limit >= 0, "run(limit:) requires a limit of zero or more.")
    for _ in 0..<limit where !runNext(until: VirtualTime(nanoseconds: .max)) { return }
    guard let nextDue else { return }
    throw TestFailure(
      "run stopped after \(limit) actions, at \(now). Pending actions: \(pendingCount), the next one due at \(nextDue). "
        + "Cancel repeating actions, use advance(by:) instead of run, or pass a higher limit.",
      fileID: fileID, line: line)
  }

  private func advance(through end: VirtualTime) {
    var instant = now
    var steps = 0
    while runNext(until: end) {
      let now = now
      steps = now == instant ? steps + 1 : 0
      instant = now
      require(
        steps < 10_000_000,
        "Ten million actions ran at the same virtual time. Cancel repeating actions, or add a delay between them.")
    }
    state.withLock { $0.now = max($0.now, end) }
  }

  /// Returns `false` if no action is due by this time.
  private func runNext(until end: VirtualTime) -> Bool {
    let next = state.withLock { state in
      let next = state.queue.takeNext(until: end)
      // An action that was scheduled for the past doesn't turn the time back.
      if let next { state.now = max(state.now, next.place.due) }
      return next
    }
    guard let (place, work) = next else { return false }
    work.action()
    if let interval = work.interval { state.withLock { $0.queue.repeatWork(at: place, after: interval) } }
    return true
  }

  // MARK: Scheduling

  /// Runs the action at the next ``advance(by:)``.
  public func schedule(options: Never?, _ action: @escaping () -> Void) {
    let now = now
    enqueue(at: now, action)
  }

  /// Runs the action at this time, or at the next ``advance(by:)`` if the time is past.
  public func schedule(
    after date: VirtualTime, tolerance: VirtualTime.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    enqueue(at: date, action)
  }

  /// Runs the action at this time and again after each interval, until the result is cancelled.
  ///
  /// With an interval of zero it repeats at the same time, behind other work, so cancel it before the time can advance.
  public func schedule(
    after date: VirtualTime, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    ScheduledWork(scheduler: self, id: enqueue(at: date, repeatingAfter: max(0, interval), action))
  }

  @discardableResult
  func enqueue(
    at due: VirtualTime, turn: WorkQueue.Turn = .inOrder, repeatingAfter interval: VirtualTime.Stride? = nil,
    _ action: @escaping () -> Void
  ) -> Int {
    UserCode.runs("schedule of a scheduler")
    return state.withLock { $0.queue.insert(WorkQueue.Work(action: action, interval: interval), at: due, turn) }
  }

  /// Releases all pending actions.
  func removeAll() {
    let before = state.withLock { state in
      defer { state.queue = WorkQueue() }
      return state.queue
    }
    withExtendedLifetime(before) {}
  }

  func cancel(_ id: Int) {
    // The action is released here, outside the lock.
    _ = state.withLock { $0.queue.remove(id) }
  }
}

/// Cancellable work, which releasing doesn't cancel.
private struct ScheduledWork: Cancellable {
  let scheduler: VirtualTimeScheduler
  let id: Int

  func cancel() {
    scheduler.cancel(id)
  }
}
