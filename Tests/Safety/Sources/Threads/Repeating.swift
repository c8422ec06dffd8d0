// A scheduler of the program's own that runs each action several times, on several threads. The rules of `Scheduler`
// don't forbid it to a safe program, so that it may lose the order of values, but damages nothing.

import Cases
import Dispatch
import Synchronization
import Weir
import WeirDispatch

/// Runs its first actions six times on a concurrent queue, and may run each immediately, too.
private struct RepeatingScheduler: Scheduler {
  typealias SchedulerOptions = Never

  /// A time on the heap.
  ///
  /// Two threads that assign one to the same property damage its reference count.
  struct Time: Strideable {
    typealias Stride = DispatchQueue.SchedulerTimeType.Stride

    private var nanoseconds: [Int]

    init(nanoseconds: Int) { self.nanoseconds = [nanoseconds] }

    func distance(to other: Self) -> Stride { .nanoseconds(other.nanoseconds[0] - nanoseconds[0]) }

    func advanced(by stride: Stride) -> Self { Time(nanoseconds: nanoseconds[0] + stride.magnitude) }
  }

  let queue = DispatchQueue(label: "repeating", attributes: .concurrent)

  var now: Time { Time(nanoseconds: Int(DispatchTime.now().uptimeNanoseconds)) }

  var minimumTolerance: Time.Stride { .zero }

  /// Whether an action first runs inside the call that schedules it.
  let runsImmediately: Bool

  private let scheduled = Count()

  /// Repeats an action, unless there have been many: a repeated action can schedule another one.
  private func repeating(_ schedule: () -> Void) {
    for _ in 0..<(scheduled.next() < 1_000 ? 6 : runsImmediately ? 0 : 1) { schedule() }
  }

  init(runsImmediately: Bool = false) { self.runsImmediately = runsImmediately }

  func schedule(options: Never?, _ action: @escaping () -> Void) {
    if runsImmediately { action() }
    nonisolated(unsafe) let action = action
    repeating { queue.async { action() } }
  }

  func schedule(after date: Time, tolerance: Time.Stride, options: Never?, _ action: @escaping () -> Void) {
    if runsImmediately { action() }
    nonisolated(unsafe) let action = action
    let deadline = DispatchTime.now() + now.distance(to: date).timeInterval
    repeating { queue.asyncAfter(deadline: deadline) { action() } }
  }

  func schedule(
    after date: Time, interval: Time.Stride, tolerance: Time.Stride, options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    if runsImmediately { action() }
    let deadline = DispatchTime.now() + now.distance(to: date).timeInterval
    var timers: [any Cancellable] = []
    repeating { timers.append(queue.schedule(after: .init(deadline), interval: interval, action)) }
    return AnyCancellable { for timer in timers { timer.cancel() } }
  }
}

private final class Count: Sendable {
  private let count = Atomic<Int>(0)

  func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).oldValue }
}

/// Sends a number of items immediately, without demand.
private struct Burst: Publisher {
  typealias Output = Item
  typealias Failure = Oops

  func receive<S: Subscriber>(subscriber: S) where S.Input == Item, S.Failure == Oops {
    subscriber.receive(subscription: Subscriptions.empty)
    for number in 0..<1_000 { _ = subscriber.receive(Item(number)) }
    subscriber.receive(completion: .finished)
  }
}

private typealias Source = PassthroughSubject<Item, Oops>
private typealias Items = AnyPublisher<Item, Oops>

private struct Operation {
  let name: String

  /// Whether it delivers each value once.
  let isLossless: Bool

  let apply: @Sendable (Source, RepeatingScheduler) -> Items

  init(_ name: String, isLossless: Bool = false, apply: @escaping @Sendable (Source, RepeatingScheduler) -> Items) {
    self.name = name
    self.isLossless = isLossless
    self.apply = apply
  }
}

private let operations = [
  Operation("receive(on:)", isLossless: true) { $0.receive(on: $1).eraseToAnyPublisher() },
  Operation("receive(on:hops:)", isLossless: true) { $0.receive(on: $1, hops: .oneForAll).eraseToAnyPublisher() },
  Operation("delay", isLossless: true) { $0.delay(for: .zero, scheduler: $1).eraseToAnyPublisher() },
  Operation("timeout", isLossless: true) { $0.timeout(.seconds(3_600), scheduler: $1).eraseToAnyPublisher() },
  Operation("timeout-that-fails") { source, scheduler in
    source.timeout(.microseconds(1), scheduler: scheduler) { Oops() }.eraseToAnyPublisher()
  },
  Operation("measureInterval", isLossless: true) { source, scheduler in
    source.measureInterval(using: scheduler).map { Item($0.magnitude) }.eraseToAnyPublisher()
  },
  Operation("debounce") { $0.debounce(for: .zero, scheduler: $1).eraseToAnyPublisher() },
  Operation("throttle") { $0.throttle(for: .nanoseconds(1), scheduler: $1, latest: true).eraseToAnyPublisher() },
  Operation("throttle-to-the-first") { source, scheduler in
    source.throttle(for: .nanoseconds(1), scheduler: scheduler, latest: false).eraseToAnyPublisher()
  },
  // Each value brings the demand for the next, so the subject drops the values that another thread sends meanwhile.
  Operation("collect(.byTime)") { source, scheduler in
    source.collect(.byTime(scheduler, .microseconds(1))).flatMap(\.publisher).eraseToAnyPublisher()
  },
  Operation("collect(.byTimeOrCount)") { source, scheduler in
    source.collect(.byTimeOrCount(scheduler, .microseconds(1), 10)).flatMap(\.publisher).eraseToAnyPublisher()
  },
  Operation("window", isLossless: true) { source, scheduler in
    source.window(time: .milliseconds(1), scheduler: scheduler).flatMap { $0 }.eraseToAnyPublisher()
  },
]

/// Describes the first fault of several rounds, in each of which two threads send.
private func fault(of operation: Operation, immediately: Bool) -> String? {
  for _ in 0..<8 {
    let (source, watch, count) = (Source(), Watch(), 10_000)
    let sink = operation.apply(source, RepeatingScheduler(runsImmediately: immediately)).sink(
      receiveCompletion: { _ in watch.complete() }, receiveValue: { _ in watch.enter() })
    let isDone = onTwoThreads { (thread: Int) in
      for number in 0..<count { source.send(Item(2 * number + thread)) }
    }
    guard isDone else { return "the senders are stuck" }
    source.send(completion: .finished)
    // A timer that is early ends `timeout`.
    let least = operation.isLossless && !(immediately && operation.name == "timeout") ? 2 * count : 0
    let fault = withExtendedLifetime(sink) { watch.fault(expecting: least...2 * count) }
    if let fault { return fault }
  }
  return nil
}

/// Describes the first fault of several rounds, in each of which six threads could subscribe.
private func faultOfSubscribing() -> String? {
  for _ in 0..<200 {
    let watch = Watch()
    let sink = Burst().subscribe(on: RepeatingScheduler()).scan(Item(0)) { (_: Item, new: Item) -> Item in
      Item(new.number)
    }.sink(receiveCompletion: { _ in watch.complete() }, receiveValue: { _ in watch.enter() })
    let fault = withExtendedLifetime(sink) { watch.fault(expecting: 1_000) }
    if let fault { return fault }
  }
  return nil
}

var repeating: [Case] {
  [Case("repeating/subscribe(on:)") { faultOfSubscribing() }]
    + operations.flatMap { operation in
      [
        Case("repeating/\(operation.name)") { fault(of: operation, immediately: false) },
        Case("repeating-immediately/\(operation.name)") { fault(of: operation, immediately: true) },
      ]
    }
}
