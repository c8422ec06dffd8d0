/// A scheduler that uses a Swift clock: continuous, suspending, or one for tests.
///
///     query.debounce(for: .milliseconds(300), scheduler: ClockScheduler(ContinuousClock()))
///
/// - Threading: actions run one at a time, in tasks of the scheduler. They run on the scheduler's actor, or on Swift's
///   threads for tasks if it has none. Actions run in the order in which they were scheduled, and those with a date in
///   the order of the dates. After 200 actions in a row the task yields, so that other work on the actor can run.
/// - Time: that of the clock. An action more than a century ahead never runs. If the clock ends a sleep with an error,
///   the action runs behind a later sleep, or never.
/// - Cancellation: idempotent, on any thread. No action begins after a cancellation on the scheduler's actor, or inside
///   another of its actions.
public final class ClockScheduler<C: Clock>: Scheduler, Sendable where C.Duration == Duration {
  /// An instant of the clock.
  public struct SchedulerTimeType: Strideable, Hashable, Sendable {
    /// The distance between two instants.
    public typealias Stride = DurationStride

    /// The clock's own instant.
    public var instant: C.Instant

    /// Wraps an instant of the clock.
    public init(_ instant: C.Instant) {
      self.instant = instant
    }

    /// Returns the distance to another instant.
    public func distance(to other: Self) -> DurationStride { DurationStride(instant.duration(to: other.instant)) }

    /// Returns the instant that is later by a stride.
    public func advanced(by stride: DurationStride) -> Self { Self(instant.advanced(by: stride.duration)) }

    /// Returns whether the first instant is earlier than the second.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.instant < rhs.instant }

    /// Returns whether both instants are equal.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.instant == rhs.instant }
  }

  /// This scheduler has no options.
  public typealias SchedulerOptions = Never

  /// The clock.
  public let clock: C

  private let line: ActionLine
  private let timers: ClockTimers<C>

  /// Creates a scheduler that uses a clock and runs its actions on an actor, which it doesn't retain, or on none.
  public init(_ clock: C, on actor: (any Actor)? = nil) {
    self.clock = clock
    line = ActionLine(on: actor.map { UnretainedActor($0) })
    timers = ClockTimers(clock, line)
  }

  deinit { timers.end() }

  /// The current time.
  public var now: SchedulerTimeType { SchedulerTimeType(clock.now) }

  /// A stride of zero: the clock decides how it uses a tolerance.
  public var minimumTolerance: DurationStride { DurationStride(.zero) }

  /// Runs the action behind those that are enqueued, and never before this call has returned.
  public func schedule(options: Never?, _ action: @escaping () -> Void) {
    line.append(action)
  }

  /// Runs the action when the date is reached.
  public func schedule(
    after date: SchedulerTimeType, tolerance: DurationStride, options: Never?, _ action: @escaping () -> Void
  ) {
    timers.add(date.instant, tolerance, action)
  }

  /// Runs the action when the date is reached, and then after each interval.
  ///
  /// Runs whose dates have been missed are skipped. Cancelling or releasing the result ends the repetition.
  public func schedule(
    after date: SchedulerTimeType, interval: DurationStride, tolerance: DurationStride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    timers.repeat(action, from: date.instant, every: max(interval.duration, .nanoseconds(1)), tolerance)
  }
}
