import Testing
import Weir
import WeirTesting

@Suite struct VirtualTimeSchedulerTests {
  let scheduler = VirtualTimeScheduler()
  let notes = Notes()

  /// An action that records a name and the time.
  func note(_ name: String) -> () -> Void {
    { [scheduler, notes] in notes.add("\(name) \(scheduler.now)") }
  }

  @Test func runsWorkWhenItsTimeComes() {
    scheduler.schedule(after: .seconds(2), note("b"))
    scheduler.schedule(after: .seconds(1), note("a"))
    scheduler.schedule(after: .seconds(3), note("c"))
    #expect(scheduler.nextDue == .seconds(1))
    scheduler.advance(by: 2)
    #expect(notes.lines == ["a 1 s", "b 2 s"])
    #expect(scheduler.now == .seconds(2))
    #expect(scheduler.pendingCount == 1)
    scheduler.advance(to: .seconds(10))
    #expect(notes.lines == ["a 1 s", "b 2 s", "c 3 s"])
    #expect(scheduler.now == .seconds(10))
    #expect(scheduler.nextDue == nil)
  }

  @Test func workThatIsDueAtOnceWaitsForTheNextAdvance() {
    scheduler.schedule(note("a"))
    #expect(notes.lines == [])
    scheduler.advance()
    #expect(notes.lines == ["a 0 s"])
  }

  @Test func equalTimesKeepTheOrder() {
    for name in ["a", "b", "c"] {
      scheduler.schedule(after: .seconds(1)) { [self] in
        note(name)()
        scheduler.schedule(note(name + name))
      }
    }
    scheduler.schedule(after: .seconds(1), note("d"))
    scheduler.advance(by: 1)
    #expect(notes.lines == ["a 1 s", "b 1 s", "c 1 s", "d 1 s", "aa 1 s", "bb 1 s", "cc 1 s"])
  }

  @Test func eachRunOfARepeatingActionKeepsTheOrder() {
    let timer = scheduler.schedule(after: .seconds(2), interval: 2, note("every 2"))
    let other = scheduler.schedule(after: .seconds(3), interval: 3, note("every 3"))
    scheduler.schedule(after: .seconds(6)) { [self] in
      note("cancel")()
      timer.cancel()
      other.cancel()
    }
    scheduler.advance(by: 10)
    #expect(notes.lines == ["every 2 2 s", "every 3 3 s", "every 2 4 s", "every 2 6 s", "every 3 6 s", "cancel 6 s"])
  }

  @Test func anActionWithoutAnIntervalLetsOthersCancelIt() {
    let timer = scheduler.schedule(after: .seconds(1), interval: 0, note("t"))
    scheduler.schedule(after: .seconds(1)) { timer.cancel() }
    scheduler.advance(by: 1)
    #expect(notes.lines == ["t 1 s"])
  }

  @Test func thePastIsNow() {
    scheduler.advance(by: 5)
    scheduler.schedule(after: .seconds(1), note("late"))
    scheduler.advance()
    #expect(notes.lines == ["late 5 s"])
  }

  @Test func repeatsUntilCancelled() {
    let timer = scheduler.schedule(after: .seconds(1), interval: 2, note("t"))
    scheduler.advance(by: 5)
    #expect(notes.lines == ["t 1 s", "t 3 s", "t 5 s"])
    #expect(scheduler.pendingCount == 1)
    timer.cancel()
    timer.cancel()
    #expect(scheduler.pendingCount == 0)
    scheduler.advance(by: 5)
    #expect(notes.lines.count == 3)
  }

  @Test func mayBeCancelledFromInside() throws {
    var timer: (any Cancellable)?
    timer = scheduler.schedule(after: .seconds(1), interval: 1) { [self] in
      note("t")()
      if notes.lines.count == 2 { timer?.cancel() }
    }
    try scheduler.run()
    #expect(notes.lines == ["t 1 s", "t 2 s"])
    #expect(scheduler.now == .seconds(2))
  }

  @Test func mayRepeatWithoutTimeBetween() {
    var timer: (any Cancellable)?
    timer = scheduler.schedule(after: .seconds(1), interval: 0) { [self] in
      note("t")()
      if notes.lines.count == 3 { timer?.cancel() }
    }
    scheduler.advance(by: 2)
    #expect(notes.lines == ["t 1 s", "t 1 s", "t 1 s"])
    let subscriber = TestSubscriber<Int, Never>(demanding: .unlimited)
    let subject = PassthroughSubject<Int, Never>()
    subject.debounce(for: 0, scheduler: scheduler).subscribe(subscriber)
    subject.send(1)
    subject.send(2)
    scheduler.advance()
    #expect(subscriber.values == [2])
  }

  @Test func lettingGoOfWorkMayScheduleMore() {
    final class LastWill: Sendable {
      let scheduler: VirtualTimeScheduler
      init(_ scheduler: VirtualTimeScheduler) { self.scheduler = scheduler }
      deinit { scheduler.schedule {} }
    }
    let timer: any Cancellable
    do {
      let will = LastWill(scheduler)
      timer = scheduler.schedule(after: .seconds(1), interval: 1) { withExtendedLifetime(will) {} }
      scheduler.schedule { withExtendedLifetime(LastWill(will.scheduler)) {} }
    }
    timer.cancel()
    scheduler.advance()
    #expect(scheduler.pendingCount == 0)
  }

  @Test func timeMayBeAdvancedFromInside() {
    scheduler.schedule(after: .seconds(1)) { [self] in
      scheduler.advance(by: 4)
      note("outer")()
    }
    scheduler.schedule(after: .seconds(2), note("inner"))
    scheduler.advance(by: 2)
    #expect(notes.lines == ["inner 2 s", "outer 5 s"])
    #expect(scheduler.now == .seconds(5))
  }

  @Test func runningStopsAtTheLimit() {
    let timer = scheduler.schedule(after: .seconds(1), interval: 1) {}
    let message = messageOfFailure { try scheduler.run(limit: 3) }
    #expect(
      message == """
        run stopped after 3 actions, at 3 s. Pending actions: 1, the next one due at 4 s. Cancel repeating actions, use \
        advance(by:) instead of run, or pass a higher limit.
        """)
    timer.cancel()
  }

  @Test func runningRequiresALimitThatIsNotNegative() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try VirtualTimeScheduler().run(limit: -1)
    }
    let message = "run(limit:) requires a limit of zero or more."
    #expect(result.map { String(decoding: $0.standardErrorContent, as: UTF8.self).contains(message) } == true)
  }

  @Test func aHundredThousandPiecesOfWorkKeepTheirOrder() throws {
    var order: [Int] = []
    for number in 0..<100_000 {
      scheduler.schedule(after: .milliseconds(number * 7919 % 1000)) { order.append(number) }
    }
    try scheduler.run()
    let expected = (0..<100_000).sorted { ($0 * 7919 % 1000, $0) < ($1 * 7919 % 1000, $1) }
    #expect(order == expected)
  }

  @Test func cancelledWorkLeavesNothingBehind() {
    for _ in 0..<10_000 {
      scheduler.schedule(after: .seconds(1), interval: 1, note("never")).cancel()
    }
    scheduler.schedule(after: .seconds(2), note("once"))
    scheduler.advance(by: 2)
    #expect(notes.lines == ["once 2 s"])
  }

  @Test func servesTheOperators() {
    let subscriber = TestSubscriber<Int, Never>(demanding: .unlimited, clock: scheduler)
    [1, 2].lazy.publisher.delay(for: .seconds(1), scheduler: scheduler).subscribe(subscriber)
    scheduler.advance(by: 3)
    #expect(subscriber.values == [1, 2])
    #expect(subscriber.history.last?.time == .seconds(1))
  }
}
