// Safety: clocks are `Sendable`, and the lock protects the timers; see `ActionLine` for the actions.
// (`ClockSchedulerTests`)
/// A scheduler that uses a Swift clock: continuous, suspending, or one for tests.
///
///     query.debounce(for: .milliseconds(300), scheduler: ClockScheduler(ContinuousClock()))
///
/// - Threading: actions run one at a time, in tasks of the scheduler. They run on the scheduler's actor, or on Swift's
///   threads for tasks if it has none. Actions run in the order in which they were scheduled, and those with a date in
///   the order of the dates. After 200 actions in a row the task yields, so that other work on the actor can run.
/// - Time: that of the clock. An action more than a century ahead never runs.
/// - Cancellation: idempotent, on any thread. No action begins after a cancellation on the scheduler's actor, or inside
///   another of its actions.
public final class ClockScheduler<C: Clock>: Scheduler, @unchecked Sendable where C.Duration == Duration {
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

  private typealias Timer = TimerHeap<Duration>.Timer

  private let line: ActionLine
  private let timers = Locked(SleepingTimers())

  /// The instant from which the dates of timers are measured.
  ///
  /// Invariant: the heap compares durations only. An instant's `<` is user code, and the heap is behind a lock.
  private let origin: C.Instant

  /// Creates a scheduler that uses a clock and runs its actions on an actor, which it doesn't retain, or on none.
  public init(_ clock: C, on actor: (any Actor)? = nil) {
    self.clock = clock
    origin = clock.now
    line = ActionLine(on: actor)
  }

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
    wait(until: date.instant, tolerance, action)
  }

  /// Runs the action when the date is reached, and then after each interval.
  ///
  /// Runs whose dates have been missed are skipped. Cancelling or releasing the result ends the repetition.
  public func schedule(
    after date: SchedulerTimeType, interval: DurationStride, tolerance: DurationStride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    let repetition = Repetition(action)
    run(repetition, at: date.instant, every: max(interval.duration, .nanoseconds(1)), tolerance)
    return AnyCancellable(anywhere: { [self] in
      if let timer = repetition.cancel() { drop(timer) }
    })
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

  /// Adds a timer, and starts a task that sleeps until its date, unless another task wakes up by then.
  @discardableResult
  private func wait(until instant: C.Instant, _ tolerance: DurationStride, _ action: @escaping () -> Void) -> Timer? {
    let aCentury = Duration.seconds(100 * 366 * 86_400)
    if clock.now.duration(to: instant) > aCentury { return nil }
    let date = origin.duration(to: instant)
    let tolerance = max(tolerance.duration, .zero)
    let (timer, sleeper) = timers.withLock { timers in
      (timers.heap.add(date, action), timers.sleeper(until: date, tolerance: tolerance))
    }
    if let sleeper { start(sleeper) }
    return timer
  }

  private func start(_ sleeper: Sleeper) {
    let task = Task.detached { [self] in
      while let (date, tolerance) = timers.withLock({ _ in sleeper.night }) {
        try? await clock.sleep(until: origin.advanced(by: date), tolerance: tolerance > .zero ? tolerance : nil)
        fire(through: date, sleeper)
      }
    }
    let isCancelled = timers.withLock { _ in
      sleeper.task = task
      return sleeper.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  /// Enqueues the actions of all timers that are due when a task wakes up.
  private func fire(through date: Duration, _ sleeper: Sleeper) {
    let now = max(origin.duration(to: clock.now), date)
    // One lock protects both: the actions of a timer that fires concurrently must be enqueued behind these.
    let (due, actions, isToStart) = timers.withLock { timers in
      if !timers.awake(sleeper) { return ([Timer](), [Work](), false) }
      let due = timers.heap.takeAll(through: now)
      timers.sleepAgain(sleeper)
      let actions = due.compactMap { timer in timer.action.take().map { Work(run: $0) } }
      return (due, actions, line.add(actions))
    }
    if isToStart { line.start() }
    // Released outside the lock, because an action is a user's closure.
    withExtendedLifetime((due, actions)) {}
  }

  private func drop(_ timer: Timer) {
    let now = origin.duration(to: clock.now)
    let (action, tasks) = timers.withLock { timers in
      timers.heap.remove(timer)
      return (timer.action.take(), timers.heap.count == 0 ? timers.cancelSleepers(at: now) : [])
    }
    for task in tasks { task.cancel() }
    withExtendedLifetime(action) {}
  }
}

/// The timers of a scheduler, and the tasks that sleep until their dates.
///
/// The concurrency runtime keeps some 700 bytes of a cancelled sleep until its date. So a task also wakes up for timers
/// whose dates are later than its own, and isn't cancelled with a timer. (`ClockSchedulerTests/renewals`)
///
/// Invariant: for each timer, a task wakes up by its date, or within its tolerance.
private struct SleepingTimers {
  var heap = TimerHeap<Duration>()

  /// The tasks that sleep, each of which wakes up earlier than those in front of it.
  private var sleepers: [Sleeper] = []

  /// When the tasks that have been cancelled would have woken up.
  private var cancelledDates: [Duration] = []

  /// A new task that must sleep, unless another one wakes up early enough.
  mutating func sleeper(until date: Duration, tolerance: Duration) -> Sleeper? {
    if let last = sleepers.last, last.latest <= date + tolerance { return nil }
    let sleeper = Sleeper(date, tolerance)
    sleepers.append(sleeper)
    return sleeper
  }

  /// Returns `false` if the task was cancelled.
  mutating func awake(_ sleeper: Sleeper) -> Bool {
    if sleeper.isCancelled { return false }
    sleepers.removeAll { $0 === sleeper }
    sleeper.night = nil
    return true
  }

  /// Lets a task sleep until the next timer, unless another one wakes up early enough.
  mutating func sleepAgain(_ sleeper: Sleeper) {
    guard let next = heap.nextDate else { return }
    if let last = sleepers.last, last.latest <= next { return }
    sleeper.night = (next, .zero)
    sleepers.append(sleeper)
  }

  /// Cancels the tasks when there is no timer, and returns them.
  ///
  /// It cancels some only: a program can renew a timer very often, which leaves the scheduler without one each time.
  mutating func cancelSleepers(at now: Duration) -> [Task<Void, Never>] {
    cancelledDates.removeAll { $0 <= now }
    if cancelledDates.count + sleepers.count > 8 { return [] }
    cancelledDates += sleepers.map(\.latest)
    let tasks = sleepers.compactMap(\.task)
    for sleeper in sleepers { sleeper.cancel() }
    sleepers = []
    return tasks
  }
}

// Safety: the lock around the timers of the scheduler protects its variables. (`ClockSchedulerTests`)
/// A task that sleeps, several times if timers are pending when it wakes up.
private final class Sleeper: @unchecked Sendable {
  /// When the task wakes up, and by how much later at most; `nil` when it is to end.
  var night: (date: Duration, tolerance: Duration)?

  var task: Task<Void, Never>?

  private(set) var isCancelled = false

  /// The latest time at which it wakes up.
  var latest: Duration { night.map { $0.date + $0.tolerance } ?? .zero }

  init(_ date: Duration, _ tolerance: Duration) {
    night = (date, tolerance)
  }

  func cancel() {
    isCancelled = true
    night = nil
  }
}

// Safety: the lock protects its state, and only the scheduler calls the action, one call at a time.
// (`ClockSchedulerTests`)
/// A repeating action.
private final class Repetition: @unchecked Sendable {
  private struct State {
    var action: (() -> Void)?
    var timer: TimerHeap<Duration>.Timer?
  }

  private let state: Locked<State>

  init(_ action: @escaping () -> Void) {
    state = Locked(State(action: action))
  }

  /// Runs the action; returns `false` if it was cancelled, also by the action itself.
  func run() -> Bool {
    state.withLock { $0.action }?()
    return state.withLock { $0.action != nil }
  }

  /// Stores the pending timer; returns `false` if the repetition was cancelled.
  func wait(for timer: TimerHeap<Duration>.Timer) -> Bool {
    let (isWanted, released) = state.withLock { state in
      let released = state.timer
      state.timer = timer
      return (state.action != nil, released)
    }
    withExtendedLifetime(released) {}
    return isWanted
  }

  /// Releases the action, and returns the pending timer if there is one.
  func cancel() -> TimerHeap<Duration>.Timer? {
    let released = state.withLock { state in
      let released = state
      state = State()
      return released
    }
    return released.timer
  }
}
