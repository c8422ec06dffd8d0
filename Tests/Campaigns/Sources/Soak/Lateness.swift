// The lateness of the library's timers and of plain ones, side by side.

import Dispatch
import Synchronization
import Weir
import WeirDispatch

/// Records the lateness of each run of a timer.
private final class Lateness: Sendable {
  private let milliseconds: Mutex<[Double]>

  init(capacity: Int) {
    var room = Array(repeating: 0.0, count: capacity)
    // Written in advance, so that its pages do not become resident one by one during the run.
    room.removeAll(keepingCapacity: true)
    milliseconds = Mutex(room)
  }

  func note(_ lateness: Duration) { milliseconds.withLock { $0.append(lateness / .milliseconds(1)) } }

  var sorted: [Double] { milliseconds.withLock { $0.sorted() } }
}

/// Timers of 100 milliseconds, each of which starts again when it has fired.
final class Timers: Sendable {
  private static let interval = 100

  private let names = [
    "a bare Task.sleep(until:)", "delay on ClockScheduler", "a bare asyncAfter", "a bare dispatch source",
    "delay on DispatchQueue",
  ]
  private let latenesses: [Lateness]
  private let queue = DispatchQueue(label: "bare timers")
  private let isTerminated = Atomic<Bool>(false)

  init(seconds: Int) {
    latenesses = names.map { _ in Lateness(capacity: 20 * seconds) }
  }

  /// The library's timers use the schedulers of the requests.
  func start(sharing shared: Shared) -> [AnyCancellable] {
    let sleeper = Task.detached { [self] in
      while !Task.isCancelled {
        let due = ContinuousClock.now + .milliseconds(Timers.interval)
        try? await Task.sleep(until: due, clock: .continuous)
        if !Task.isCancelled { latenesses[0].note(due.duration(to: .now)) }
      }
    }
    startAsyncAfter()
    return [
      AnyCancellable { sleeper.cancel() },
      delaying(on: shared.clock, noting: latenesses[1]),
      AnyCancellable { [self] in isTerminated.store(true, ordering: .relaxed) },
      source(),
      delaying(on: shared.queue, noting: latenesses[4]),
    ]
  }

  private func startAsyncAfter() {
    let due = ContinuousClock.now + .milliseconds(Timers.interval)
    queue.asyncAfter(deadline: .now() + .milliseconds(Timers.interval)) { [self] in
      latenesses[2].note(due.duration(to: .now))
      if !isTerminated.load(ordering: .relaxed) { startAsyncAfter() }
    }
  }

  /// A timer like that of the library's queue: without the tolerance that `asyncAfter` adds.
  private func source() -> AnyCancellable {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    let lateness = latenesses[3]
    let due = Mutex(ContinuousClock.now)
    let start = {
      due.withLock { $0 = .now + .milliseconds(Timers.interval) }
      timer.schedule(deadline: .now() + .milliseconds(Timers.interval), leeway: .nanoseconds(0))
    }
    timer.setEventHandler {
      lateness.note(due.withLock { $0 }.duration(to: .now))
      start()
    }
    start()
    timer.activate()
    return AnyCancellable { timer.cancel() }
  }

  private func delaying<S: Scheduler>(on scheduler: S, noting lateness: Lateness) -> AnyCancellable {
    let starts = PassthroughSubject<ContinuousClock.Instant, Never>()
    let sink = starts.delay(for: .milliseconds(Timers.interval), scheduler: scheduler).sink { start in
      lateness.note((start + .milliseconds(Timers.interval)).duration(to: .now))
      starts.send(.now)
    }
    starts.send(.now)
    return sink
  }

  /// The name of each timer, its number of runs, and its lateness in milliseconds.
  var results: [(name: String, count: Int, median: Double, percentile99: Double)] {
    zip(names, latenesses).map { name, lateness in
      let sorted = lateness.sorted
      guard !sorted.isEmpty else { return (name, 0, .nan, .nan) }
      return (name, sorted.count, sorted[sorted.count / 2], sorted[min(sorted.count * 99 / 100, sorted.count - 1)])
    }
  }
}
