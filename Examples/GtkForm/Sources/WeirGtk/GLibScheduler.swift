import CGtk4
import Synchronization
public import Weir

// Sendable because its state is behind the lock; GLib guards the source itself. Of the actions see `Action`.
/// A main loop of GLib's, such as GTK's, as a scheduler.
///
///     entry.rx.text.debounce(for: .milliseconds(300), scheduler: GLibScheduler.main)
///
/// - Threading: actions run in the thread that runs the loop, one at a time, in the order of their dates; those of one date,
///   and those that are to run at once, in the order in which they were scheduled. An action that is scheduled by another
///   waits for the next pass of the loop. Actions may be scheduled from any thread.
/// - Time: GLib's monotonic clock, which is Swift's suspending one. With a tolerance an action waits, as long as that
///   allows, for another one to wake the loop.
/// - Cancellation: idempotent, from any thread. No action begins after a cancel in the loop's thread.
public final class GLibScheduler: Scheduler, @unchecked Sendable {
  /// A moment of the suspending clock.
  public typealias SchedulerTimeType = ClockScheduler<SuspendingClock>.SchedulerTimeType

  /// There is nothing to choose.
  public typealias SchedulerOptions = Never

  /// The default main loop, which is GTK's.
  public static let main = GLibScheduler(context: nil)

  private let timers = Mutex(Timers())
  private let source: UnsafeMutablePointer<GSource>

  /// Makes a scheduler for the loop of a context, or of the default one; it lives as long as the context does.
  public init(context: OpaquePointer?) {
    guard let source = g_source_new(Self.functions, UInt32(MemoryLayout<GSource>.size)) else {
      fatalError("GLib makes no source of the size that it has itself.")
    }
    self.source = source
    g_source_set_can_recurse(source, 1)
    g_source_set_callback(
      source,
      { scheduler in
        if let scheduler { Unmanaged<GLibScheduler>.fromOpaque(scheduler).takeUnretainedValue().runDue() }
        return 1
      }, Unmanaged.passRetained(self).toOpaque(),
      { scheduler in
        if let scheduler { Unmanaged<GLibScheduler>.fromOpaque(scheduler).release() }
      })
    g_source_attach(source, context)
  }

  deinit {
    g_source_unref(source)
  }

  /// What GLib calls: it looks at the source's time by itself.
  private nonisolated(unsafe) static let functions = {
    let functions = UnsafeMutablePointer<GSourceFuncs>.allocate(capacity: 1)
    functions.initialize(to: GSourceFuncs())
    functions.pointee.dispatch = { _, callback, data in callback?(data) ?? 0 }
    return functions
  }()

  /// The time at present.
  public var now: SchedulerTimeType { SchedulerTimeType(.now) }

  /// None: an action may be asked for at an exact time.
  public var minimumTolerance: DurationStride { DurationStride(.zero) }

  /// Runs the action in the next pass of the loop.
  public func schedule(options: Never?, _ action: @escaping () -> Void) {
    let action = Action(run: action)
    timers.withLock { timers in
      // After the dates that have come already, also of those whose turn has not.
      timers.add(action, at: .now, tolerance: .zero, interval: nil)
      wake(for: timers)
    }
  }

  /// Runs the action once the time has come.
  public func schedule(
    after date: SchedulerTimeType, tolerance: DurationStride, options: Never?, _ action: @escaping () -> Void
  ) {
    let action = Action(run: action)
    timers.withLock { timers in
      timers.add(action, at: date.instant, tolerance: tolerance.duration, interval: nil)
      wake(for: timers)
    }
  }

  /// Runs the action once the time has come, and then after each interval.
  ///
  /// Runs that the loop was too busy for are left out. It ends when the result is cancelled or let go of.
  public func schedule(
    after date: SchedulerTimeType, interval: DurationStride, tolerance: DurationStride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    let action = Action(run: action)
    let number = timers.withLock { timers in
      let interval = max(interval.duration, .microseconds(1))
      let number = timers.add(action, at: date.instant, tolerance: tolerance.duration, interval: interval)
      wake(for: timers)
      return number
    }
    return AnyCancellable { [self] in
      let removed = timers.withLock { $0.remove(number) }
      withExtendedLifetime(removed) {}
    }
  }

  // MARK: In the loop

  private func runDue() {
    let now = SuspendingClock.now
    let last = timers.withLock { $0.lastNumber }
    // One at a time, because one may cancel the next.
    while let action = timers.withLock({ $0.takeDue(at: now, upTo: last) }) { action.run() }
    timers.withLock { wake(for: $0) }
  }

  // Under the lock, so that of two threads the later one doesn't set the older time. It calls nothing of the user's.
  private func wake(for timers: borrowing Timers) {
    guard let deadline = timers.deadline else { return g_source_set_ready_time(source, -1) }
    let (seconds, attoseconds) = SuspendingClock.now.duration(to: deadline).components
    if seconds < 0 || attoseconds < 0 { return g_source_set_ready_time(source, 0) }
    // GLib's clock counts whole microseconds, those that are over: never too early. At the latest in a century.
    let wait = min(seconds, 3_155_760_000) * 1_000_000 + attoseconds / 1_000_000_000_000 + 2
    g_source_set_ready_time(source, g_get_monotonic_time() + gint64(wait))
  }
}

// Whoever schedules it gives it away, for the loop alone to call.
/// An action on its way to the loop.
private struct Action: @unchecked Sendable {
  let run: () -> Void
}

/// What waits for its time, the earliest first.
private struct Timers: Sendable {
  private struct Timer {
    let number: Int
    let action: Action
    let date: SuspendingClock.Instant
    let tolerance: Duration
    let interval: Duration?
  }

  private var waiting: [Timer] = []
  private(set) var lastNumber = 0

  /// When the loop has to wake at the latest.
  var deadline: SuspendingClock.Instant? {
    var deadline: SuspendingClock.Instant?
    for timer in waiting {
      if let deadline, timer.date >= deadline { break }
      let latest = timer.date.advanced(by: timer.tolerance)
      deadline = deadline.map { min($0, latest) } ?? latest
    }
    return deadline
  }

  @discardableResult
  mutating func add(
    _ action: Action, at date: SuspendingClock.Instant, tolerance: Duration, interval: Duration?
  ) -> Int {
    lastNumber += 1
    insert(
      Timer(
        number: lastNumber, action: action, date: date, tolerance: max(tolerance, .zero), interval: interval))
    return lastNumber
  }

  private mutating func insert(_ timer: Timer) {
    // Most come in the order of their dates.
    let place = (waiting.lastIndex { $0.date <= timer.date } ?? -1) + 1
    waiting.insert(timer, at: place)
  }

  /// The first one whose date has come; one that repeats waits for its next date.
  mutating func takeDue(at now: SuspendingClock.Instant, upTo last: Int) -> Action? {
    guard let index = waiting.prefix(while: { $0.date <= now }).firstIndex(where: { $0.number <= last }) else {
      return nil
    }
    let timer = waiting.remove(at: index)
    if let interval = timer.interval {
      let next = timer.date.advanced(by: interval)
      insert(
        Timer(
          number: timer.number, action: timer.action, date: next > now ? next : now.advanced(by: interval),
          tolerance: timer.tolerance, interval: interval))
    }
    return timer.action
  }

  mutating func remove(_ number: Int) -> Action? {
    waiting.firstIndex { $0.number == number }.map { waiting.remove(at: $0).action }
  }
}
