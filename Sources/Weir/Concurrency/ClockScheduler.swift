// Safety: clocks are `Sendable`, and the timers are behind the lock; of the actions see `ActionLine`. (`ClockSchedulerTests`)
/// A scheduler that goes by a clock of Swift's: continuous, suspending, or one of a test.
///
///     query.debounce(for: .milliseconds(300), scheduler: ClockScheduler(ContinuousClock()))
///
/// - Threading: actions run one at a time, in tasks of their own: on the actor that the scheduler was made for, else on the
///   threads that Swift has for tasks. The order is that in which they were scheduled; of those with a date, the order of
///   the dates.
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

  /// There is nothing to choose.
  public typealias SchedulerOptions = Never

  /// The clock.
  public let clock: C

  private let line: ActionLine
  private let timers = Locked(Timers())

  /// Dates are kept as what has passed since this one: they are compared under a lock, where no code of a clock may run.
  private let origin: C.Instant

  /// Makes a scheduler that goes by a clock and runs its actions on an actor, or on no actor in particular.
  public init(_ clock: C, on actor: (any Actor)? = nil) {
    self.clock = clock
    origin = clock.now
    line = ActionLine(on: actor)
  }

  /// The time at present.
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

  /// Waits, and then runs all whose time has come: tasks don't wake in the order of their dates.
  @discardableResult
  private func wait(until instant: C.Instant, _ tolerance: DurationStride, _ action: @escaping () -> Void) -> Int? {
    let aCentury = Duration.seconds(100 * 366 * 86_400)
    if clock.now.duration(to: instant) > aCentury { return nil }
    let date = origin.duration(to: instant)
    let number = timers.withLock { $0.add(date, action) }
    let task = Task.detached { [self] in
      try? await clock.sleep(until: instant, tolerance: tolerance.duration > .zero ? tolerance.duration : nil)
      // One that was cancelled is not there any more, and its time has not come.
      if !Task.isCancelled { fire(until: date, number) }
    }
    timers.withLock { $0.keep(task, for: number) }
    return number
  }

  private func fire(until date: Duration, _ number: Int) {
    // Both under one lock: a second timer that comes meanwhile must not go first.
    if timers.withLock({ timers in line.add(timers.take(until: date, number)) }) { line.start() }
  }

  private func drop(_ number: Int) {
    let dropped = timers.withLock { $0.remove(number) }
    dropped?.task?.cancel()
  }
}

/// What waits for its time, the earliest first.
private struct Timers {
  struct Timer {
    let date: Duration
    let number: Int
    let action: () -> Void
    var task: Task<Void, Never>?
  }

  private var waiting: [Timer] = []
  private var count = 0

  mutating func add(_ date: Duration, _ action: @escaping () -> Void) -> Int {
    count += 1
    // Most timers come in the order of their dates.
    let place = (waiting.lastIndex { $0.date <= date } ?? -1) + 1
    waiting.insert(Timer(date: date, number: count, action: action), at: place)
    return count
  }

  mutating func keep(_ task: Task<Void, Never>, for number: Int) {
    guard let index = waiting.lastIndex(where: { $0.number == number }) else { return }
    waiting[index].task = task
  }

  mutating func take(until date: Duration, _ number: Int) -> [() -> Void] {
    let due = waiting.prefix { ($0.date, $0.number) <= (date, number) }
    waiting.removeFirst(due.count)
    return due.map(\.action)
  }

  mutating func remove(_ number: Int) -> Timer? {
    waiting.firstIndex { $0.number == number }.map { waiting.remove(at: $0) }
  }
}

// Safety: its state is behind the lock, and only the scheduler calls the action, one call at a time. (`ClockSchedulerTests`)
/// An action that runs again and again.
private final class Repetition: @unchecked Sendable {
  private struct State {
    var action: (() -> Void)?
    var timer: Int?
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

  /// False if it was cancelled.
  func wait(for timer: Int) -> Bool {
    state.withLock { state in
      state.timer = timer
      return state.action != nil
    }
  }

  /// The timer that waits, if there is one.
  func cancel() -> Int? {
    let released = state.withLock { state in
      let released = state
      state = State()
      return released
    }
    return released.timer
  }
}
