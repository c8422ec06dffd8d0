import CGtk4
import Synchronization
public import Weir

// Safety: its state is behind the lock, and GLib synchronizes the source. For the actions, see `Action`.
/// A scheduler that uses a main loop of GLib, such as GTK's.
///
///     entry.rx.text.debounce(for: .milliseconds(300), scheduler: GLibScheduler.main)
///
/// - Threading: actions run on the loop's thread, one at a time, in the order of their dates. Immediate actions, and
///   those with equal dates, keep the order in which they were scheduled. A nested action runs in the next pass of the
///   loop. Any thread may schedule actions.
/// - Time: GLib's monotonic clock, which is Swift's suspending clock. An action with a tolerance waits that long for
///   another one to wake the loop.
/// - Cancellation: idempotent, from any thread. After a cancellation on the loop's thread, no action starts.
public final class GLibScheduler: Scheduler, @unchecked Sendable {
  /// A time of the suspending clock.
  public typealias SchedulerTimeType = ClockScheduler<SuspendingClock>.SchedulerTimeType

  /// This scheduler has no options.
  public typealias SchedulerOptions = Never

  /// The default main loop, which is GTK's.
  public static let main = GLibScheduler(context: nil)

  private let timers = Mutex(Timers())
  private let source: UnsafeMutablePointer<GSource>

  /// Creates a scheduler for the loop of a context, or the default one; it lives as long as the context does.
  public init(context: OpaquePointer?) {
    guard let source = g_source_new(Self.functions, UInt32(MemoryLayout<GSource>.size)) else {
      fatalError("g_source_new returned no source.")
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

  /// The functions that GLib calls.
  ///
  /// It checks the source's time by itself.
  private nonisolated(unsafe) static let functions = {
    let functions = UnsafeMutablePointer<GSourceFuncs>.allocate(capacity: 1)
    functions.initialize(to: GSourceFuncs())
    functions.pointee.dispatch = { _, callback, data in callback?(data) ?? 0 }
    return functions
  }()

  /// The current time.
  public var now: SchedulerTimeType { SchedulerTimeType(.now) }

  /// No tolerance: an action can be scheduled for an exact time.
  public var minimumTolerance: DurationStride { DurationStride(.zero) }

  /// Runs the action in the next pass of the loop.
  public func schedule(options: Never?, _ action: @escaping () -> Void) {
    let action = Action(run: action)
    timers.withLock { timers in
      // After the actions that are already due, also those that have not run.
      timers.add(action, at: .now, tolerance: .zero, interval: nil)
      wake(for: timers)
    }
  }

  /// Runs the action at a date.
  public func schedule(
    after date: SchedulerTimeType, tolerance: DurationStride, options: Never?, _ action: @escaping () -> Void
  ) {
    let action = Action(run: action)
    timers.withLock { timers in
      timers.add(action, at: date.instant, tolerance: tolerance.duration, interval: nil)
      wake(for: timers)
    }
  }

  /// Runs the action at a date, and then after each interval.
  ///
  /// Runs for which the loop was too busy are skipped. The repetition stops when the result is cancelled or released.
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
    // One at a time, because an action may cancel the next one.
    while let action = timers.withLock({ $0.takeDue(at: now, upTo: last) }) { action.run() }
    timers.withLock { wake(for: $0) }
  }

  // Under the lock, so that the later of two threads doesn't set the older time. It calls no user code.
  private func wake(for timers: borrowing Timers) {
    guard let deadline = timers.deadline else { return g_source_set_ready_time(source, -1) }
    let (seconds, attoseconds) = SuspendingClock.now.duration(to: deadline).components
    if seconds < 0 || attoseconds < 0 { return g_source_set_ready_time(source, 0) }
    // GLib's clock counts whole microseconds, rounded down, so it is never too early. The limit is a century.
    let wait = min(seconds, 3_155_760_000) * 1_000_000 + attoseconds / 1_000_000_000_000 + 2
    g_source_set_ready_time(source, g_get_monotonic_time() + gint64(wait))
  }
}

// Safety: the scheduling code transfers the action, and only the loop calls it.
/// An action that the loop is to run.
private struct Action: @unchecked Sendable {
  let run: () -> Void
}

/// The pending actions, the earliest first.
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

  /// The latest time at which the loop must wake up.
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
    // Most actions arrive in the order of their dates.
    let place = (waiting.lastIndex { $0.date <= timer.date } ?? -1) + 1
    waiting.insert(timer, at: place)
  }

  /// Removes the first due action; a repeating action is enqueued for its next date.
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
