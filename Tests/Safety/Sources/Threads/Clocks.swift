// Timers of a scheduler that uses a clock, which two threads renew and cancel while the tasks that sleep wake up.

import Cases
import Synchronization
import Weir

/// Describes the first fault of several rounds, in each of which two threads renew timers.
private func faultOfRenewing() -> String? {
  for _ in 0..<200 {
    let living = Living()
    if let fault = renew(Counted(living)) { return fault }
    if !living.wait() { return "\(living.count.load(ordering: .acquiring)) actions stay after their pipelines" }
  }
  return nil
}

private func renew(_ item: Counted) -> String? {
  let scheduler = ClockScheduler(ContinuousClock())
  let isInOrder = Atomic<Bool>(true)
  let isDone = onTwoThreads { (thread: Int) in
    // One thread's timers are due while it renews them, and the other's in an hour.
    let delay: DurationStride = thread == 0 ? .microseconds(20) : .seconds(3_600)
    for _ in 0..<20 {
      let subject = PassthroughSubject<Int, Never>()
      let last = Atomic<Int>(-1)
      let sink = subject.debounce(for: delay, scheduler: scheduler).sink { @Sendable value in
        let isLater = last.exchange(value, ordering: .acquiringAndReleasing) < value
        if !isLater { isInOrder.store(false, ordering: .relaxed) }
        _ = item
      }
      for value in 0..<50 {
        subject.send(value)
        pause(value % 7 * 300)
      }
      sink.cancel()
    }
  }
  guard isDone else { return "the senders are stuck" }
  return isInOrder.load(ordering: .relaxed) ? nil : "values came twice, or in another order"
}

/// Describes the first fault of several rounds, in each of which a repetition is cancelled while it runs.
private func faultOfRepeating() -> String? {
  fault { helper, delay in
    let living = Living()
    run(Counted(living), helper, delay)
    return living.wait() ? nil : "an action stays after its cancellation"
  }
}

private func run(_ item: Counted, _ helper: Helper, _ delay: Int) {
  let scheduler = ClockScheduler(ContinuousClock())
  let repetition = scheduler.schedule(after: scheduler.now, interval: .microseconds(1)) { _ = item }
  nonisolated(unsafe) let cancellable = repetition
  helper.run { cancellable.cancel() }
  pause(delay)
  repetition.cancel()
  helper.wait()
}

var clocks: [Case] {
  [
    Case("clock/renewing") { faultOfRenewing() },
    Case("clock/repeating") { faultOfRepeating() },
  ]
}
