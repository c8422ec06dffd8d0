import Testing

@testable import TestSupport
@testable import Weir

@Suite("Schedulers of clocks and actors")
struct ClockSchedulerTests {
  /// A log of actions in any task.
  final class Log: @unchecked Sendable {  // It is a lock.
    private let lines = Locked<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }

    func reaches(_ count: Int) async {
      while all.count < count { await Task.yield() }
    }
  }

  actor Library {
    var titles: [Int] = []
    var cancellable: AnyCancellable?

    func collect(from subject: PassthroughSubject<Int, Never>) {
      cancellable = subject.receive(on: ActorScheduler(self)).sink { self.titles.append($0) }
    }
  }

  let clock = TestClock()
  let log = Log()

  @Test("runs actions after the call, in the order in which they were scheduled")
  func order() async {
    let scheduler = ClockScheduler(ContinuousClock())
    for number in 0..<1000 { scheduler.schedule { [log] in log.add("\(number)") } }
    await log.reaches(1000)
    #expect(log.all == (0..<1000).map { "\($0)" })
  }

  @Test("runs delayed actions in the order of their dates; equal dates keep the order of the calls")
  func dates() async {
    let scheduler = ClockScheduler(clock)
    let start = scheduler.now
    for (number, seconds) in [3, 1, 2, 1, 2, 3].enumerated() {
      scheduler.schedule(after: start.advanced(by: .seconds(seconds))) { [log] in log.add("\(number) at \(seconds)") }
    }
    await clock.hasSleepers(2)
    clock.advance(by: .seconds(1))
    await log.reaches(2)
    await clock.hasSleepers(2)
    #expect(log.all == ["1 at 1", "3 at 1"])
    clock.advance(by: .seconds(5))
    await log.reaches(6)
    #expect(log.all.dropFirst(2) == ["2 at 2", "4 at 2", "0 at 3", "5 at 3"])
    #expect(start.distance(to: scheduler.now) == 6)
  }

  @Test("repeats an action at each interval until its cancellation, also during a run", arguments: [0, 1])
  func repeats(inside: Int) async {
    let scheduler = ClockScheduler(clock)
    let kept = Kept()
    let cancellable = scheduler.schedule(after: scheduler.now.advanced(by: 1), interval: 2) { [log] in
      log.add("run")
      if inside == 1, log.all.count == 3 { kept.cancel() }
    }
    kept.keep(cancellable)
    for count in 1...3 {
      await clock.hasSleepers(1)
      clock.advance(by: .seconds(2))
      await log.reaches(count)
    }
    if inside == 0 {
      await clock.hasSleepers(1)
      kept.cancel()
    }
    await clock.hasSleepers(0)
    clock.advance(by: .seconds(10))
    for _ in 0..<20 { await Task.yield() }
    #expect(log.all.count == 3)
  }

  @Test("runs no action because the clock has failed, and makes up for it behind a later sleep")
  func failingClock() async {
    let scheduler = ClockScheduler(clock)
    let start = scheduler.now
    let repetition = scheduler.schedule(after: start.advanced(by: 2), interval: 9) { [log, clock] in
      log.add("\(clock.now.offset)")
    }
    await clock.hasSleepers(1)
    clock.fail()
    // A timer of the same date needs a task of its own when the first one has ended.
    while !clock.hasSleeper {
      scheduler.schedule(after: start.advanced(by: 2)) {}
      await Task.yield()
    }
    clock.advance(by: .seconds(2))
    await log.reaches(1)
    #expect(log.all == ["2.0 seconds"])
    repetition.cancel()
  }

  @Test("skips runs that are too late")
  func late() async {
    let scheduler = ClockScheduler(clock)
    let cancellable = scheduler.schedule(after: scheduler.now, interval: 1) { [log] in log.add("run") }
    await log.reaches(1)
    await clock.hasSleepers(1)
    clock.advance(by: .seconds(10))
    await log.reaches(2)
    await clock.hasSleepers(1)
    #expect(log.all.count == 2)
    cancellable.cancel()
  }

  @Test("never stores an action whose date is more than a century away")
  func never() {
    let scheduler = ClockScheduler(clock)
    #expect(
      isReleased { token in
        scheduler.schedule(after: scheduler.now.advanced(by: .seconds(Int.max))) { withExtendedLifetime(token) {} }
      })
  }

  @Test("releases actions outside all locks, after their run and at a cancellation", arguments: [false, true])
  func releases(cancels: Bool) async {
    final class Kept: Sendable {
      let count: LiveCount
      init(_ count: LiveCount) { self.count = count }
      deinit {
        userRelease("an action of a scheduler")
        count.add(1)
      }
    }
    let released = LiveCount()
    let scheduler = ClockScheduler(clock)
    let date = scheduler.now.advanced(by: 1)
    var cancellables: [any Cancellable] = []
    for _ in 0..<3 {
      let kept = Kept(released)
      if cancels {
        cancellables.append(scheduler.schedule(after: date, interval: 1) { withExtendedLifetime(kept) {} })
      } else {
        scheduler.schedule(after: date) { withExtendedLifetime(kept) {} }
      }
    }
    await clock.hasSleepers(1)
    if cancels {
      for cancellable in cancellables { cancellable.cancel() }
    } else {
      clock.advance(by: .seconds(1))
    }
    await until { released.value == 3 }
    await clock.hasSleepers(0)
  }

  @Test("a cancelled timer doesn't delay or reorder the others")
  func cancelsAmongOthers() async {
    let scheduler = ClockScheduler(clock)
    let start = scheduler.now
    var cancellables: [any Cancellable] = []
    for number in 0..<6 {
      let date = start.advanced(by: .seconds(1 + (number * 5) % 6))
      cancellables.append(scheduler.schedule(after: date, interval: 100) { [log] in log.add("\(number)") })
    }
    await clock.hasSleepers(1)
    cancellables[0].cancel()
    cancellables[4].cancel()
    clock.advance(by: .seconds(6))
    await log.reaches(4)
    #expect(log.all == ["5", "3", "2", "1"])
    for cancellable in cancellables { cancellable.cancel() }
  }

  @Test("timers that are renewed share a few tasks that sleep, and none remains after the last of them")
  func renewals() async {
    let subject = PassthroughSubject<Int, Never>()
    let cancellable = subject.debounce(for: 60, scheduler: ClockScheduler(clock)).sink { @Sendable [log] in
      log.add("\($0)")
    }
    for value in 0..<100 {
      subject.send(value)
      await clock.hasSleepers(1)
      clock.advance(by: .milliseconds(1))
    }
    clock.advance(by: .seconds(59))
    #expect(log.all == [])
    clock.advance(by: .seconds(1))
    await log.reaches(1)
    #expect(log.all == ["99"])
    #expect(clock.sleepCount <= 12)
    await clock.hasSleepers(0)
    cancellable.cancel()
  }

  @Test("no task sleeps after the last timer and the scheduler are gone, in either order", arguments: [false, true])
  func abandoned(cancelsFirst: Bool) async {
    var scheduler: ClockScheduler? = ClockScheduler(clock)
    weak let weakScheduler = scheduler
    let date = ClockScheduler(clock).now.advanced(by: 60)
    for seconds in (0..<20).reversed() {
      let renewed = scheduler?.schedule(after: date.advanced(by: .seconds(seconds)), interval: 60) {}
      await clock.hasSleepers(1)
      renewed?.cancel()
    }
    let last = scheduler?.schedule(after: date, interval: 60) { [log] in log.add("run") }
    // Too many tasks have been cancelled: this one would sleep until the date.
    if cancelsFirst { last?.cancel() }
    await clock.hasSleepers(1)
    scheduler = nil
    #expect(weakScheduler == nil)
    if !cancelsFirst {
      clock.advance(by: .seconds(60))
      await log.reaches(1)
      await clock.hasSleepers(1)
      last?.cancel()
    }
    await clock.hasSleepers(0)
  }

  @Test("a timer with an earlier date, or less tolerance, has a task that wakes up in time")
  func earlier() async {
    let scheduler = ClockScheduler(clock)
    let start = scheduler.now
    for (seconds, tolerance) in [(1, 10), (2, 0), (3, 20)] {
      scheduler.schedule(after: start.advanced(by: .seconds(seconds)), tolerance: .seconds(tolerance)) { [log] in
        log.add("\(seconds)")
      }
    }
    await clock.hasSleepers(2)
    clock.advance(by: .seconds(2))
    await log.reaches(2)
    #expect(log.all == ["1", "2"])
    clock.advance(by: .seconds(1))
    await log.reaches(3)
  }

  @Test("operators use the clock")
  func delay() async {
    let subject = PassthroughSubject<Int, Never>()
    let cancellable = subject.delay(for: 2, scheduler: ClockScheduler(clock)).sink { @Sendable [log] in log.add("\($0)")
    }
    subject.send(1)
    subject.send(2)
    await clock.hasSleepers(1)
    clock.advance(by: .seconds(1))
    #expect(log.all.isEmpty)
    clock.advance(by: .seconds(1))
    await log.reaches(2)
    #expect(log.all == ["1", "2"])
    withExtendedLifetime(cancellable) {}
  }

  @Test("an actor's scheduler delivers on the actor, in order")
  func actors() async {
    let library = Library()
    let subject = PassthroughSubject<Int, Never>()
    await library.collect(from: subject)
    for number in 0..<1000 { subject.send(number) }
    while await library.titles.count < 1000 { await Task.yield() }
    #expect(await library.titles == Array(0..<1000))
  }

  @Test("also for values that race with an arrival, many times")
  func actorsRace() async {
    for _ in 0..<20 {
      let library = Library()
      let subject = PassthroughSubject<Int, Never>()
      await library.collect(from: subject)
      for number in 0..<2000 { subject.send(number) }
      while await library.titles.count < 2000 { await Task.yield() }
      #expect(await library.titles == Array(0..<2000))
    }
  }

  @Test("the main actor's scheduler delivers there too, never before the call has returned")
  @MainActor
  func mainActor() async {
    let scheduler = ActorScheduler(MainActor.shared)
    var lines: [String] = []
    scheduler.schedule { MainActor.assumeIsolated { lines.append("now") } }
    scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(1))) {
      MainActor.assumeIsolated { lines.append("later") }
    }
    #expect(lines.isEmpty)
    while lines.count < 2 { await Task.yield() }
    #expect(lines == ["now", "later"])
  }

  @Test("strides count seconds, like those of other schedulers")
  func strides() {
    let stride: DurationStride = 1.5
    #expect(stride.duration == .milliseconds(1500))
    #expect(2 * .milliseconds(1500) == (3 as DurationStride))
    #expect((1 - 3 as DurationStride).magnitude == 2)
    #expect(DurationStride.microseconds(1000) == .milliseconds(1))
    #expect(DurationStride.nanoseconds(1_000_000_000) == .seconds(1.0))
    #expect(DurationStride(exactly: UInt64.max) == nil)
    var sum: DurationStride = 1
    sum += 2
    sum *= 2
    sum -= 1
    #expect(sum == 5)
    #expect(stride < 2)
  }

  @Test("rejects a stride that a duration can't represent")
  func strideLimits() async {
    #expect(DurationStride.seconds(9e18) > .seconds(8e18))
    await #expect(processExitsWith: .failure) { _ = DurationStride.seconds(1e300) }
    await #expect(processExitsWith: .failure) { _ = DurationStride.seconds(-.infinity) }
    await #expect(processExitsWith: .failure) { _ = DurationStride.seconds(.nan) }
    await #expect(processExitsWith: .failure) { _ = DurationStride.seconds(1e18) * 10 }
  }
}

/// A cancellable that an action of the scheduler cancels.
private final class Kept: @unchecked Sendable {  // It is a lock.
  private let cancellable = Locked<(any Cancellable)?>(nil)
  func keep(_ new: any Cancellable) { cancellable.withLock { $0 = new } }
  func cancel() { cancellable.withLock { $0.take() }?.cancel() }
}

/// A clock whose time a test advances.
final class TestClock: Clock, @unchecked Sendable {  // All mutable state is behind the lock.
  typealias Duration = Swift.Duration

  struct Instant: InstantProtocol {
    var offset = Duration.zero
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (lhs: Instant, rhs: Instant) -> Bool {
      userCode("the comparison of a clock's dates")
      return lhs.offset < rhs.offset
    }
  }

  private struct State {
    var now = Instant()
    var count = 0
    var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
    var cancelled: Set<Int> = []
  }

  private let state = Locked(State())
  var now: Instant { state.withLock { $0.now } }
  let minimumResolution = Duration.zero

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let (isTerminated, isCancelled) = state.withLock { state in
          let isTerminated = deadline.offset <= state.now.offset
          let isCancelled = state.cancelled.contains(number)
          if !isTerminated, !isCancelled { state.sleepers[number] = (deadline, continuation) }
          return (isTerminated, isCancelled)
        }
        if isCancelled {
          continuation.resume(throwing: CancellationError())
        } else if isTerminated {
          continuation.resume()
        }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        state.cancelled.insert(number)
        return state.sleepers.removeValue(forKey: number)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Advances the clock, and wakes the due tasks, the latest first, because no code should rely on the order.
  func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let woken = state.sleepers.filter { $0.value.deadline.offset <= state.now.offset }
      for number in woken.keys { state.sleepers[number] = nil }
      return woken.values.sorted { $0.deadline.offset > $1.deadline.offset }
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }

  /// Ends all sleeps with an error.
  func fail() {
    let woken = state.withLock { state in
      defer { state.sleepers = [:] }
      return state.sleepers.values
    }
    for sleeper in woken { sleeper.continuation.resume(throwing: TestError.oops) }
  }

  /// The number of calls of `sleep`.
  var sleepCount: Int { state.withLock { $0.count } }

  var hasSleeper: Bool { state.withLock { !$0.sleepers.isEmpty } }

  func hasSleepers(_ count: Int) async {
    while state.withLock({ $0.sleepers.count }) != count { await Task.yield() }
  }
}
