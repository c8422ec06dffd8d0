public import Weir

/// A scheduler whose time moves only when it is told to.
///
/// Any operator that takes a scheduler takes this one; a test then says when time passes, and nothing waits:
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
/// Work of equal times runs in the order in which it was scheduled. Work that is due at once waits for the next
/// ``advance(by:)``, which may be one by nothing at all.
///
/// - Threading: work may be scheduled and cancelled on any thread. It runs on the thread that advances the time; advance
///   it on one thread at a time. Work may advance the time itself.
public final class VirtualTimeScheduler: Scheduler, Sendable {
  /// There is nothing to choose for a piece of work.
  public typealias SchedulerOptions = Never

  /// The time since the scheduler was made.
  public typealias SchedulerTimeType = VirtualTime

  private struct State {
    var now = VirtualTime.zero
    var queue = WorkQueue()
  }

  // No action runs or is released while the lock is held.
  private let state = Shared(State())

  /// Makes a scheduler at time zero.
  public init() {}

  /// The present time.
  public var now: VirtualTime {
    UserCode.runs("now of a scheduler")
    return state.withLock { $0.now }
  }

  /// None: work runs exactly when it is due.
  public var minimumTolerance: VirtualTime.Stride { 0 }

  /// How many pieces of work wait; work that repeats counts as one.
  public var pendingCount: Int { state.withLock { $0.queue.count } }

  /// When the next work is due, `nil` if none waits.
  public var nextDue: VirtualTime? { state.withLock { $0.queue.nextDue } }

  // MARK: Moving time

  /// Lets so much time pass, and runs what is due meanwhile; without an argument, what is due now.
  ///
  /// - Precondition: `stride` is not negative.
  public func advance(by stride: VirtualTime.Stride = 0) {
    require(stride >= 0, "Virtual time can't go back: advance by zero or more.")
    advance(through: now.advanced(by: stride))
  }

  /// Lets time pass until then, and runs what is due meanwhile.
  ///
  /// - Precondition: `time` is not in the past.
  public func advance(to time: VirtualTime) {
    require(time >= now, "Virtual time can't go back: advance to a time that is not before `now`.")
    advance(through: time)
  }

  /// Lets time pass until no work waits.
  ///
  /// - Parameters:
  ///   - limit: how many pieces of work may run.
  ///   - fileID: the file that a failure names: the caller's.
  ///   - line: the line that it names.
  /// - Throws: ``TestFailure`` if work still waits after so many pieces, as with a timer that nobody cancels.
  public func run(limit: Int = 100_000, fileID: StaticString = #fileID, line: UInt = #line) throws {
    for _ in 0..<limit where !runNext(until: VirtualTime(nanoseconds: .max)) { return }
    guard let nextDue else { return }
    throw TestFailure(
      "After \(limit) pieces of work, at \(now), more waits: \(pendingCount), the next one due at \(nextDue). "
        + "Cancel what repeats, use advance(by:) to say how long, or give run a higher limit.",
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
        "Ten million pieces of work ran and virtual time stood still: cancel what repeats, or let time pass between.")
    }
    state.withLock { $0.now = max($0.now, end) }
  }

  /// False if nothing is due by this time.
  private func runNext(until end: VirtualTime) -> Bool {
    let next = state.withLock { state in
      let next = state.queue.takeNext(until: end)
      // What was scheduled for the past doesn't turn time back.
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

  /// Runs the action at that time, or at the next ``advance(by:)`` if it is past.
  public func schedule(
    after date: VirtualTime, tolerance: VirtualTime.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    enqueue(at: date, action)
  }

  /// Runs the action at that time and again after each interval, until the result is cancelled.
  ///
  /// Without time between it repeats at once, so it has to be cancelled before the time can move on.
  public func schedule(
    after date: VirtualTime, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    ScheduledWork(scheduler: self, id: enqueue(at: date, repeatingAfter: max(0, interval), action))
  }

  @discardableResult
  func enqueue(
    at due: VirtualTime, repeatingAfter interval: VirtualTime.Stride? = nil, _ action: @escaping () -> Void
  ) -> Int {
    UserCode.runs("schedule of a scheduler")
    return state.withLock { $0.queue.insert(WorkQueue.Work(action: action, interval: interval), at: due) }
  }

  func cancel(_ id: Int) {
    // The action is released here, when the lock is free.
    _ = state.withLock { $0.queue.remove(id) }
  }
}

/// Work that can be cancelled, and is not by being dropped.
private struct ScheduledWork: Cancellable {
  let scheduler: VirtualTimeScheduler
  let id: Int

  func cancel() {
    scheduler.cancel(id)
  }
}
