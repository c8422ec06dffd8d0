import Testing
import Weir

@testable import TestSupport

@Suite("debounce")
struct DebounceTests {
  let source = ManualPublisher<Int, TestError>()
  let scheduler = VirtualTimeScheduler()

  func debounced() -> Publishers.Debounce<ManualPublisher<Int, TestError>, VirtualTimeScheduler> {
    source.debounce(for: 10, scheduler: scheduler)
  }

  @Test("sends a value when no other has followed it for the interval, not earlier")
  func debounces() {
    let recorder = debounced().record(demanding: .unlimited)
    #expect(source.events == [.requested(.unlimited)])
    source.send(1)
    scheduler.advance(by: 9)
    source.send(2)
    scheduler.advance(by: 9)
    #expect(recorder.events == [.subscription])
    scheduler.advance(by: 1)
    #expect(recorder.events == [.subscription, .value(2)])
    scheduler.advance(by: 100)
    source.send(3)
    scheduler.advance(by: 10)
    #expect(recorder.events == [.subscription, .value(2), .value(3)])
  }

  @Test("delivers a value that arrives while the subscriber receives its subscription")
  func valueInSubscription() {
    let recorder = Recorder<Int, TestError>()
    recorder.onSubscription = { (subscription: any Subscription) in
      subscription.request(.unlimited)
      source.send(1)
    }
    debounced().subscribe(recorder)
    scheduler.advance(by: 10)
    #expect(recorder.events == [.subscription, .value(1)])
  }

  @Test("requests from the first subscription only, and cancels others")
  func secondSubscription() {
    let recorder = debounced().record(demanding: .unlimited)
    let second = source.sendSubscription()
    #expect(second.events == [.cancelled])
    #expect(source.events == [.requested(.unlimited)])
    #expect(recorder.events == [.subscription])
  }

  @Test("leaves no timer after a value, a completion or a cancellation")
  func timers() {
    let recorder = debounced().record(demanding: .unlimited)
    source.send(1)
    source.send(2)
    #expect(scheduler.pendingCount == 1)
    scheduler.advance(by: 10)
    #expect(scheduler.pendingCount == 0)
    source.send(3)
    recorder.cancel()
    #expect(scheduler.pendingCount == 0)
    let other = ManualPublisher<Int, TestError>()
    _ = other.debounce(for: 10, scheduler: scheduler).record(demanding: .unlimited)
    other.send(1)
    other.send(completion: .finished)
    scheduler.runDue()
    #expect(scheduler.pendingCount == 0)
  }

  @Test("drops a value that isn't due at the completion, which arrives on the scheduler")
  func ends() {
    let recorder = debounced().record(demanding: .unlimited)
    source.send(1)
    source.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription])
    scheduler.runDue()
    #expect(recorder.events == [.subscription, .failed(.oops)])
    scheduler.advance(by: 20)
    #expect(recorder.events == [.subscription, .failed(.oops)])
  }

  @Test("drops a value that is due without demand")
  func demand() {
    let recorder = debounced().record(demanding: .max(1))
    for value in 1...3 {
      source.send(value)
      scheduler.advance(by: 10)
      if value == 2 { recorder.request(.max(1)) }
    }
    #expect(recorder.values == [1, 3])
  }

  @Test("a cancellation while a value or the completion is pending drops it")
  func cancels() {
    let recorder = debounced().record(demanding: .unlimited)
    source.send(1)
    source.send(completion: .finished)
    recorder.cancel()
    scheduler.advance(by: 20)
    #expect(recorder.events == [.subscription])
    #expect(!source.events.contains(.cancelled))
  }

  @Test("a re-entrant value restarts the timer")
  func nested() {
    let recorder = debounced().record(demanding: .unlimited)
    recorder.onValue = { value in
      if value < 3 { source.send(value + 1) }
      return .none
    }
    source.send(1)
    scheduler.advance(by: 10)
    #expect(recorder.values == [1])
    scheduler.advance(by: 10)
    #expect(recorder.values == [1, 2])
    scheduler.advance(by: 10)
    #expect(recorder.values == [1, 2, 3])
  }

  @Test("cancels a timer that its scheduler returns after a cancellation")
  func lateTimer() {
    let late = LateTimerScheduler()
    let recorder = source.debounce(for: 10, scheduler: late).record(demanding: .unlimited)
    late.onSchedule = { recorder.cancel() }
    source.send(1)
    #expect(late.timer.events == [.cancelled])
  }

  @Test("schedules the value with the given options, the completion without")
  func options() {
    let batch = BatchScheduler()
    let recorder = source.debounce(for: 10, scheduler: batch, options: "here").record()
    source.send(1)
    source.send(completion: .finished)
    batch.runInReverse()
    #expect(recorder.events == [.subscription, .finished])
    #expect(batch.options == ["here", nil])
  }

  @Test("a timer that fires after its value has been delivered doesn't deliver the next one")
  func outdatedTimer() {
    let batch = BatchScheduler()
    let recorder = source.debounce(for: 10, scheduler: batch).record(demanding: .unlimited)
    recorder.onValue = { (value: Int) in
      if value == 1 { source.send(2) }
      return .none
    }
    source.send(1)
    batch.runBatch(times: 2)
    #expect(recorder.values == [1])
    batch.runBatch()
    #expect(recorder.values == [1, 2])
  }

  @Test("loses no last value that arrives while the previous one is delivered on another thread")
  func races() {
    for _ in 0..<Effort.rounds(500) {
      let subject = PassthroughSubject<Int, Never>()
      let timers = ThreadTimers()
      let recorder = subject.debounce(for: 1, scheduler: timers).record(demanding: .unlimited)
      subject.send(1)
      race({ timers.fire() }, { subject.send(2) })
      timers.fire()
      #expect(recorder.values.last == 2)
      recorder.cancel()
      #expect(timers.isEmpty)
    }
  }

  @Test("a cancellation that races with a value leaves no timer")
  func racesCancel() {
    for _ in 0..<Effort.rounds(500) {
      let subject = PassthroughSubject<Int, Never>()
      let timers = ThreadTimers()
      let recorder = subject.debounce(for: 1, scheduler: timers).record(demanding: .unlimited)
      race({ for value in 1...3 { subject.send(value) } }, { recorder.cancel() })
      #expect(timers.isEmpty)
    }
  }
}

/// Values that arrive while the subscriber handles an earlier one.
@Suite("debounce with a busy subscriber")
struct DebounceThreadTests {
  let source = ManualPublisher<Int, TestError>()
  let scheduler = VirtualTimeScheduler()

  /// Sends 1, and performs `work` on another thread while the subscriber handles it, at time 10.
  func record(while work: @escaping () -> Void) -> Recorder<Int, TestError> {
    let recorder = source.debounce(for: 10, scheduler: scheduler).record(demanding: .unlimited)
    recorder.onValue = { (value: Int) in
      if value == 1 { onAnotherThread(work) }
      return .none
    }
    source.send(1)
    scheduler.advance(by: 10)
    return recorder
  }

  @Test("an interval begins when the value arrives")
  func begins() {
    let recorder = record {
      source.send(2)
      scheduler.advance(by: 9)
    }
    #expect(recorder.values == [1])
    scheduler.advance(by: 1)
    #expect(recorder.values == [1, 2])
  }

  @Test("a value that is due is dropped by no later value")
  func due() {
    let recorder = record {
      source.send(2)
      scheduler.advance(by: 10)
      source.send(3)
    }
    scheduler.runDue()
    #expect(recorder.values == [1, 2])
    scheduler.advance(by: 10)
    #expect(recorder.values == [1, 2, 3])
  }

  @Test("the completion follows a value that is due, and drops one that isn't")
  func ends() {
    let recorder = record {
      source.send(2)
      scheduler.advance(by: 10)
      source.send(3)
      source.send(completion: .failure(.oops))
      scheduler.runDue()
    }
    scheduler.runDue()
    #expect(recorder.events == [.subscription, .value(1), .value(2), .failed(.oops)])
    scheduler.advance(by: 10)
    #expect(scheduler.pendingCount == 0)
  }

  @Test("a cancellation drops values that are due")
  func cancels() {
    let count = LiveValues()
    let subject = PassthroughSubject<Counted, Never>()
    var numbers: [Int] = []
    var sink: AnyCancellable?
    sink = subject.debounce(for: 10, scheduler: scheduler).sink { (value: Counted) in
      numbers.append(value.number)
      onAnotherThread {
        subject.send(Counted(2, count))
        scheduler.advance(by: 10)
        sink?.cancel()
      }
    }
    subject.send(Counted(1, count))
    scheduler.advance(by: 10)
    scheduler.runDue()
    #expect(numbers == [1])
    #expect(count.now == 0)
    #expect(scheduler.pendingCount == 0)
  }
}

/// A scheduler that calls a closure before it returns its one timer.
final class LateTimerScheduler: Scheduler {
  typealias SchedulerTimeType = VirtualTimeScheduler.SchedulerTimeType
  typealias SchedulerOptions = Never

  let timer = ManualSubscription()
  var onSchedule: () -> Void = {}

  let now = SchedulerTimeType(milliseconds: 0)
  let minimumTolerance: SchedulerTimeType.Stride = 0

  func schedule(options: Never?, _ action: @escaping () -> Void) { action() }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) { action() }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    onSchedule()
    return timer
  }
}
