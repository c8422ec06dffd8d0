// The table of schedulers: each value renews a timer of an hour, and at last it is cancelled.

import Dispatch
import Foundation
import Pipelines
import Weir
import WeirDispatch
import WeirFoundation

/// Renews a timer twice, and cancels it.
private func renew<Context: Scheduler>(_ hour: Context.SchedulerTimeType.Stride, on scheduler: Context, _ hook: Hook) {
  let (held, numbers) = (hook.token(1), PassthroughSubject<Int, Never>())
  let debounced = numbers.debounce(for: hour, scheduler: scheduler).sink { _ in withExtendedLifetime(held) {} }
  let timeout = numbers.timeout(hour, scheduler: scheduler).sink { _ in withExtendedLifetime(held) {} }
  for number in 0..<3 { numbers.send(number) }
  debounced.cancel()
  timeout.cancel()
}

// The queues' own threads allocate, and release later. So there are many rounds.
var timers: [Object] {
  let all = [
    Object("timers-of-a-dispatch-queue", keeping: { _ in DispatchQueue(label: "timers") }) { hook, queue in
      renew(.seconds(3_600), on: queue, hook)
      // The queue releases cancelled timers.
      queue.sync {}
    },
    Object("timers-of-an-operation-queue", keeping: { _ in OperationQueue() }) { hook, queue in
      renew(.seconds(3_600), on: queue, hook)
      queue.waitUntilAllOperationsAreFinished()
    },
    Object("timers-of-a-run-loop") { hook in
      renew(.seconds(3_600), on: RunLoop.current, hook)
      // Not until now: for a date in the future the run loop creates a timer of its own, which Dispatch releases later.
      RunLoop.current.run(until: .distantPast)
    },
  ]
  return all.map { object in
    var object = object
    object.rounds = 1_000
    return object
  }
}
