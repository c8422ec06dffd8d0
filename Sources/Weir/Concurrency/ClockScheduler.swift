// Safety: clocks are `Sendable`, and the timers are behind the lock; of the actions see `ActionLine`. (`ClockSchedulerTests`)
/// A scheduler that goes by a clock of Swift's: continuous, suspending, or one of a test.
///
///     query.debounce(for: .milliseconds(300), scheduler: ClockScheduler(ContinuousClock()))
///
/// - Threading: actions run one at a time, in tasks of their own: on the actor that the scheduler was made for, else on the
///   threads that Swift has for tasks. The order is that in which they were scheduled; of those with a date, the order of
///   the dates. After 200 actions in a row the task yields, so that other work on the actor has its turn.
/// - Time: the clock's. An action more than a century off never runs.
/// - Cancellation: idempotent, from any thread. No action begins after a cancel on the scheduler's actor, or from inside
///   another of its actions.
public final class ClockScheduler<C: Clock>: Scheduler, @unchecked Sendable where C.Duration == Duration {
  /// A moment of the clock.
  public struct SchedulerTimeType: Strideable, Hashable, Sendable {
    /// The distance between two moments.
    public typealias Stride = DurationStride

    /// The moment as the clock has it.
    public var instant: C.Instant

    /// Wraps a moment of the clock.
    public init(_ instant: C.Instant) {
      self.instant = instant
    }

    /// The distance to another moment.
    public func distance(to other: Self) -> DurationStride { DurationStride(instant.duration(to: other.instant)) }

    /// The moment that is so much later.
    public func advanced(by stride: DurationStride) -> Self { Self(instant.advanced(by: stride.duration)) }

    /// Tells whether the first moment is the earlier one.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.instant < rhs.instant }

    /// Tells whether both are the same moment.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.instant == rhs.instant }
  }

  /// This scheduler has no options.
  public typealias SchedulerOptions = Never

  /// The clock.
  public let clock: C

  private typealias Timer = TimerHeap<Duration>.Timer

  private let line: ActionLine
  private let timers = Locked(TimerHeap<Duration>())

  /// The instant from which the dates of timers are measured.
  ///
  /// Invariant: the heap compares durations only. An instant's `<` is user code, and the heap is behind a lock.
  private let origin: C.Instant

  /// Makes a scheduler that goes by a clock and runs its actions on an actor, or on no actor in particular.
  public init(_ clock: C, on actor: (any Actor)? = nil) {
    self.clock = clock
    origin = clock.now
    line = ActionLine(on: actor)
  }

  /// The current time.
  public var now: SchedulerTimeType { SchedulerTimeType(clock.now) }

  /// None: what a clock does with a tolerance is its own affair.
  public var minimumTolerance: DurationStride { DurationStride(.zero) }

  /// Runs the action as soon as its turn comes, but never before this call has returned.
  public func schedule(options: Never?, _ action: @escaping () -> Void) {
    line.append(action)
  }

  /// Runs the action once the time has come.
  public func schedule(
    after date: SchedulerTimeType, tolerance: DurationStride, options: Never?, _ action: @escaping () -> Void
  ) {
    wait(until: date.instant, tolerance, action)
  }

  /// Runs the action once the time has come, and then after each interval.
  ///
  /// Runs that it is too late for are left out. It ends when the result is cancelled or let go of.
  public func schedule(
    after date: SchedulerTimeType, interval: DurationStride, tolerance: DurationStride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    let repetition = Repetition(action)
    run(repetition, at: date.instant, every: max(interval.duration, .nanoseconds(1)), tolerance)
    return AnyCancellable { [self] in
      if let timer = repetition.cancel() { drop(timer) }
    }
  }

  private func run(
    _ repetition: Repetition, at instant: C.Instant, every interval: Duration, _ tolerance: DurationStride
  ) {
    let timer = wait(until: instant, tolerance) { [self] in
      guard repetition.run() else { return }
      let (now, next) = (clock.now, instant.advanced(by: interval))
      run(repetition, at: next < now ? now.advanced(by: interval) : next, every: interval, tolerance)
    }
    if let timer, !repetition.wait(for: timer) { drop(timer) }
  }

  // MARK: Timers

  /// Adds a timer, and starts a task that sleeps until its date and then runs all that are due.
  ///
  /// A task that wakes up runs the earlier timers too, because tasks don't wake up in the order of their dates.
  @discardableResult
  private func wait(until instant: C.Instant, _ tolerance: DurationStride, _ action: @escaping () -> Void) -> Timer? {
    let aCentury = Duration.seconds(100 * 366 * 86_400)
    if clock.now.duration(to: instant) > aCentury { return nil }
    let date = origin.duration(to: instant)
    let timer = timers.withLock { $0.add(date, action) }
    let number = timer.number
    let task = Task.detached { [self] in
      try? await clock.sleep(until: instant, tolerance: tolerance.duration > .zero ? tolerance.duration : nil)
      // A task is cancelled only after its timer was removed.
      if !Task.isCancelled { fire(through: date, number) }
    }
    timers.withLock { _ in
      if timer.isPending { timer.task = task }
    }
    return timer
  }

  private func fire(through date: Duration, _ number: Int) {
    // One lock around both: the actions of a timer that fires meanwhile must come after these.
    let (due, actions, isToStart) = timers.withLock { timers in
      let due = timers.takeAll(through: date, number)
      let actions = due.compactMap { $0.action.take() }
      return (due, actions, line.add(actions))
    }
    if isToStart { line.start() }
    // Released here, without a lock: an action is a user's closure, and a task keeps an instant of the user's clock.
    withExtendedLifetime((due, actions)) {}
  }

  private func drop(_ timer: Timer) {
    let (action, task) = timers.withLock { timers in
      timers.remove(timer)
      return (timer.action.take(), timer.task.take())
    }
    task?.cancel()
    withExtendedLifetime(action) {}
  }
}

// Safety: its state is behind the lock, and only the scheduler calls the action, one call at a time. (`ClockSchedulerTests`)
/// An action that runs again and again.
private final class Repetition: @unchecked Sendable {
  private struct State {
    var action: (() -> Void)?
    var timer: TimerHeap<Duration>.Timer?
  }

  private let state: Locked<State>

  init(_ action: @escaping () -> Void) {
    state = Locked(State(action: action))
  }

  /// False if it was cancelled, also by the action itself.
  func run() -> Bool {
    state.withLock { $0.action }?()
    return state.withLock { $0.action != nil }
  }

  /// Keeps the pending timer; false if it was cancelled.
  func wait(for timer: TimerHeap<Duration>.Timer) -> Bool {
    let (isWanted, released) = state.withLock { state in
      let released = state.timer
      state.timer = timer
      return (state.action != nil, released)
    }
    withExtendedLifetime(released) {}
    return isWanted
  }

  /// Releases the action, and takes the pending timer if there is one.
  func cancel() -> TimerHeap<Duration>.Timer? {
    let released = state.withLock { state in
      let released = state
      state = State()
      return released
    }
    return released.timer
  }
}
