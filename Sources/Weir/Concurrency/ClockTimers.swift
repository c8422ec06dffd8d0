// Safety: clocks are `Sendable`, and the lock protects the timers; see `ActionLine` for the actions.
// (`ClockSchedulerTests`)
/// The timers of a ``ClockScheduler``.
///
/// The tasks that sleep retain it rather than the scheduler, whose release is therefore the sign that no further timer
/// comes.
final class ClockTimers<C: Clock>: @unchecked Sendable where C.Duration == Duration {
  private let clock: C
  private let line: ActionLine
  private let state = Locked(SleepingTimers())

  /// The instant from which the dates of timers are measured.
  ///
  /// Invariant: the heap compares durations only. An instant's `<` is user code, and the heap is behind a lock.
  private let origin: C.Instant

  init(_ clock: C, _ line: ActionLine) {
    self.clock = clock
    self.line = line
    origin = clock.now
  }

  func `repeat`(
    _ action: @escaping () -> Void, from instant: C.Instant, every interval: Duration, _ tolerance: DurationStride
  ) -> AnyCancellable {
    let repetition = Repetition(action)
    run(repetition, at: instant, every: interval, tolerance)
    return AnyCancellable(anywhere: { [self] in
      if let timer = repetition.cancel() { drop(timer) }
    })
  }

  /// Lets the tasks end with the last timer, because no further timer comes.
  func end() {
    for task in state.withLock({ $0.end() }) { task.cancel() }
  }

  private func run(
    _ repetition: Repetition, at instant: C.Instant, every interval: Duration, _ tolerance: DurationStride
  ) {
    let timer = add(instant, tolerance) { [self] in
      guard repetition.run() else { return }
      let (now, next) = (clock.now, instant.advanced(by: interval))
      run(repetition, at: next < now ? now.advanced(by: interval) : next, every: interval, tolerance)
    }
    if let timer, !repetition.wait(for: timer) { drop(timer) }
  }

  /// Adds a timer, and starts a task that sleeps until its date, unless another task wakes up by then.
  ///
  /// Returns `nil`, and drops the action, if the date is more than a century away.
  @discardableResult
  func add(
    _ instant: C.Instant, _ tolerance: DurationStride, _ action: @escaping () -> Void
  ) -> TimerHeap<Duration>.Timer? {
    let aCentury = Duration.seconds(100 * 366 * 86_400)
    let (now, date) = (origin.duration(to: clock.now), origin.duration(to: instant))
    if date - now > aCentury { return nil }
    let (timer, sleeper) = state.withLock { state in
      state.add(date, tolerance: max(tolerance.duration, .zero), now: now, action)
    }
    if let sleeper { start(sleeper) }
    return timer
  }

  private func start(_ sleeper: Sleeper) {
    let task = Task.detached { [self] in
      while let (date, tolerance) = state.withLock({ _ in sleeper.night }) {
        do {
          try await clock.sleep(until: origin.advanced(by: date), tolerance: tolerance > .zero ? tolerance : nil)
          fire(through: date, sleeper)
        } catch {
          // The timers are not due. This task has been cancelled, or the clock has failed.
          return state.withLock { $0.leave(sleeper) }
        }
      }
    }
    let isCancelled = state.withLock { _ in
      sleeper.task = task
      return sleeper.night == nil
    }
    if isCancelled { task.cancel() }
  }

  /// Enqueues the actions of all timers that are due when a task wakes up.
  private func fire(through date: Duration, _ sleeper: Sleeper) {
    let now = max(origin.duration(to: clock.now), date)
    // One lock protects both: the actions of a timer that fires concurrently must be enqueued behind these.
    let (due, actions, isToStart, superfluous) = state.withLock { state in
      let due = state.wake(sleeper, at: now)
      let actions = due.compactMap { timer in timer.action.take().map { Work(run: $0) } }
      return (due, actions, line.add(actions), state.cancelSuperfluous())
    }
    if isToStart { line.start() }
    for task in superfluous { task.cancel() }
    // Released outside the lock, because an action is a user's closure.
    withExtendedLifetime((due, actions)) {}
  }

  private func drop(_ timer: TimerHeap<Duration>.Timer) {
    let (action, superfluous) = state.withLock { state in
      state.remove(timer)
      return (timer.action.take(), state.cancelSuperfluous())
    }
    for task in superfluous { task.cancel() }
    withExtendedLifetime(action) {}
  }
}

/// The timers, and the tasks that sleep until their dates.
///
/// The concurrency runtime keeps some 700 bytes of a cancelled sleep until its date. So a task also wakes up for timers
/// whose dates are later than its own, and isn't cancelled with a timer. (`ClockSchedulerTests/renewals`)
///
/// Invariant: for each timer, a task wakes up by its date, or within its tolerance.
private struct SleepingTimers {
  private var heap = TimerHeap<Duration>()

  /// The tasks that sleep, each of which wakes up earlier than those in front of it.
  private var sleepers: [Sleeper] = []

  /// When the tasks that have been cancelled would have woken up.
  private var cancelledDates: [Duration] = []

  /// When a timer was last added, or a task woke up.
  private var now = Duration.zero

  private var hasEnded = false

  /// Adds a timer, and returns a new task that must sleep, unless another one wakes up early enough.
  mutating func add(
    _ date: Duration, tolerance: Duration, now: Duration, _ action: @escaping () -> Void
  ) -> (TimerHeap<Duration>.Timer, Sleeper?) {
    self.now = now
    let timer = heap.add(date, action)
    if let last = sleepers.last, last.latest <= date + tolerance { return (timer, nil) }
    let sleeper = Sleeper(date, tolerance)
    sleepers.append(sleeper)
    return (timer, sleeper)
  }

  mutating func remove(_ timer: TimerHeap<Duration>.Timer) {
    heap.remove(timer)
  }

  /// Takes the timers that are due when a task wakes up, which then sleeps until the next timer.
  ///
  /// It doesn't sleep again if another one wakes up early enough.
  mutating func wake(_ sleeper: Sleeper, at now: Duration) -> [TimerHeap<Duration>.Timer] {
    // It was cancelled.
    if sleeper.night == nil { return [] }
    self.now = now
    sleepers.removeAll { $0 === sleeper }
    let due = heap.takeAll(through: now)
    if let next = heap.nextDate, sleepers.last.map({ next < $0.latest }) ?? true {
      sleeper.night = (next, .zero)
      sleepers.append(sleeper)
    } else {
      sleeper.night = nil
    }
    return due
  }

  /// Ends the sleep of a task that wakes up for no timer.
  mutating func leave(_ sleeper: Sleeper) {
    sleepers.removeAll { $0 === sleeper }
    sleeper.night = nil
  }

  mutating func end() -> [Task<Void, Never>] {
    hasEnded = true
    return cancelSuperfluous()
  }

  /// Returns the tasks to cancel, because there is no timer.
  ///
  /// It cancels some only before the end: a program can renew a timer very often, which leaves the scheduler without
  /// one each time.
  mutating func cancelSuperfluous() -> [Task<Void, Never>] {
    if heap.count > 0 { return [] }
    cancelledDates.removeAll { $0 <= now }
    if !hasEnded, cancelledDates.count + sleepers.count > 8 { return [] }
    cancelledDates += sleepers.map(\.latest)
    let tasks = sleepers.compactMap(\.task)
    for sleeper in sleepers { sleeper.night = nil }
    sleepers = []
    return tasks
  }
}

// Safety: every access is under the lock of the timers, whatever the user's clock does. (`Threads/clock`)
/// A task that sleeps, several times if timers are pending when it wakes up.
private final class Sleeper: @unchecked Sendable {
  /// When the task wakes up, and by how much later at most; `nil` when it has ended or is cancelled.
  var night: (date: Duration, tolerance: Duration)?

  var task: Task<Void, Never>?

  /// The latest time at which it wakes up.
  var latest: Duration { night.map { $0.date + $0.tolerance } ?? .zero }

  init(_ date: Duration, _ tolerance: Duration) {
    night = (date, tolerance)
  }
}

// Safety: the lock protects its state, and only the timers call the action, one call at a time.
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
