// Sinks of the main actor, beside other threads: two of them send, while the main actor takes the pending values; or one
// only subscribes and cancels, while the main actor sends. And other actors that run where the main actor usually does:
// an `assign` belongs to the actor that calls it.

import Cases
import Dispatch
import Synchronization
import Weir

/// The values of a sink, on the main actor.
@MainActor
private final class Log {
  /// The number of the last item of each thread, and a fault in their order.
  private var (last, fault): ([Int], String?) = ([-2, -1], nil)

  nonisolated init() {}

  func receive(_ item: Item) {
    let (thread, expected) = (item.number % 2, last[item.number % 2] + 2)
    if item.number != expected, fault == nil { fault = "received \(item.number) instead of \(expected)" }
    last[thread] = item.number
  }

  func fault(expecting count: Int) -> String? {
    fault ?? (last == [2 * count - 2, 2 * count - 1] ? nil : "received \(last) as the last items of the threads")
  }
}

/// Describes the first fault of several rounds.
private func faultOfSink() -> String? {
  for _ in 0..<200 {
    let (subject, log, count) = (PassthroughSubject<Item, Oops>(), Log(), 1_000)
    let hasEnded = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var fault: String?
    let sink = subject.sink(
      on: .shared,
      receiveCompletion: { _ in
        fault = log.fault(expecting: count)
        hasEnded.signal()
      },
      receiveValue: { log.receive($0) })
    let isDone = onTwoThreads { (thread: Int) in
      for number in 0..<count { subject.send(Item(2 * number + thread)) }
    }
    guard isDone else { return "the senders are stuck" }
    subject.send(completion: .finished)
    let hasCompleted = hasEnded.wait(timeout: .now() + .seconds(15)) == .success
    withExtendedLifetime(sink) {}
    if !hasCompleted { return "no completion came" }
    if let fault { return fault }
  }
  return nil
}

/// Describes the first fault of several rounds, in which another thread subscribes to the subject and cancels.
///
/// A closure of the main actor stops the program if it runs elsewhere.
private func faultOfSubscribing<S: Subject<Item, Oops> & Sendable>(_ make: @escaping @Sendable () -> S) -> String? {
  let isDone = DispatchSemaphore(value: 0)
  nonisolated(unsafe) var fault: String?
  Task { @MainActor in
    for _ in 0..<20 {
      let (subject, count) = (make(), 2_000)
      let hasSent = Atomic<Bool>(false)
      let hasEnded = DispatchSemaphore(value: 0)
      var values: [Int] = []
      let sink = subject.sink(receiveCompletion: { _ in }, receiveValue: { values.append($0.number) })
      DispatchQueue(label: "subscriber").async {
        while !hasSent.load(ordering: .relaxed) {
          subject.sink(receiveCompletion: { _ in }, receiveValue: { @Sendable _ in }).cancel()
        }
        hasEnded.signal()
      }
      for number in 0..<count { subject.send(Item(number)) }
      hasSent.store(true, ordering: .relaxed)
      hasEnded.wait()
      withExtendedLifetime(sink) {}
      if values.suffix(count) != Array(0..<count)[...], fault == nil {
        fault = "received \(values.count) values instead of \(count), or another order"
      }
    }
    isDone.signal()
  }
  return isDone.wait(timeout: .now() + .seconds(40)) == .success ? fault : "the main actor is stuck"
}

/// The case runs on the main thread, and outside of any task.
private func faultOfSynchronousBlock() -> String? {
  final class Model {
    var number = 0
    var other = 0
  }
  let subject = PassthroughSubject<Int, Never>()
  return MainActor.assumeIsolated {
    let model = Model()
    let cancellables = [subject.sink { model.number = $0 }, subject.assign(to: \.other, on: model)]
    DispatchQueue(label: "other").sync { subject.send(1) }
    withExtendedLifetime(cancellables) {}
    return (model.number, model.other) == (1, 1) ? nil : "received \(model.number) and \(model.other)"
  }
}

/// An executor whose jobs the program runs in a loop of its own.
private final class LoopExecutor: SerialExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  func turn() {
    let pending = jobs.withLock { jobs in
      defer { jobs = [] }
      return jobs
    }
    for job in pending { job.runSynchronously(on: asUnownedSerialExecutor()) }
  }
}

/// The actor of such a loop.
private actor Player {
  final class Model {
    var number = 0
  }

  nonisolated let loop: LoopExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  let model = Model()
  var cancellable: AnyCancellable?

  init(_ loop: LoopExecutor) {
    self.loop = loop
  }

  func assign(_ subject: PassthroughSubject<Int, Never>) {
    cancellable = subject.assign(to: \.number, on: model)
  }

  func number() -> Int { model.number }
}

/// The main thread runs an actor that isn't the main actor; nothing serves the main queue.
private func faultOfOtherActor() -> String? {
  let (loop, subject) = (LoopExecutor(), PassthroughSubject<Int, Never>())
  let player = Player(loop)
  let result = Atomic<Int>(-1)
  Task.detached {
    await player.assign(subject)
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      DispatchQueue(label: "sender").async {
        subject.send(5)
        continuation.resume()
      }
    }
    while await player.number() == 0 { await Task.yield() }
    result.store(await player.number(), ordering: .releasing)
  }
  let end = ContinuousClock.now + .seconds(15)
  while result.load(ordering: .acquiring) < 0 {
    loop.turn()
    if ContinuousClock.now > end { return "the property isn't set" }
  }
  let number = result.load(ordering: .acquiring)
  return number == 5 ? nil : "received \(number)"
}

/// A model of the main actor, and an actor that assigns to it inside a block of the main queue.
private actor Visitor {
  @MainActor
  final class Model {
    var number = 0 {
      didSet { dispatchPrecondition(condition: .onQueue(.main)) }
    }

    nonisolated init() {}
  }

  let subject = PassthroughSubject<Int, Never>()
  var cancellable: AnyCancellable?

  func assign(to model: Model) {
    cancellable = DispatchQueue.main.sync { [subject] in
      MainActor.assumeIsolated { subject.assign(to: \.number, on: model) }
    }
    subject.send(5)
  }
}

/// The main thread has ended, so the thread of an actor runs a block of the main queue.
private func faultOfMainQueueBlock() -> String? {
  let isDone = DispatchSemaphore(value: 0)
  Task.detached {
    let (visitor, model) = (Visitor(), Visitor.Model())
    await visitor.assign(to: model)
    while await model.number == 0 { await Task.yield() }
    isDone.signal()
  }
  return isDone.wait(timeout: .now() + .seconds(15)) == .success ? nil : "the property isn't set"
}

/// The main queue as an executor of tasks, so of any actor.
private final class MainQueueExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    DispatchQueue.main.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// An actor that uses its model and sends.
private actor Counter {
  final class Model {
    var number = 0
  }

  let subject = PassthroughSubject<Int, Never>()
  let model = Model()
  var cancellable: AnyCancellable?

  func assign() {
    cancellable = subject.assign(to: \.number, on: model)
  }

  /// Returns how many of the numbers the property has when `send(_:)` returns.
  func send(_ numbers: Range<Int>) -> Int {
    numbers.count { number in
      subject.send(number)
      return model.number == number
    }
  }
}

/// The main thread has ended, and the job of an actor is a block of the main queue.
private func faultOfTaskExecutor() -> String? {
  let hasEnded = DispatchSemaphore(value: 0)
  let result = Atomic<Int>(0)
  Task.detached {
    let counter = Counter()
    await withTaskExecutorPreference(MainQueueExecutor()) {
      await Task.yield()  // Without a suspension the task stays on its thread.
      await counter.assign()
    }
    result.store(await counter.send(1..<101), ordering: .releasing)
    hasEnded.signal()
  }
  let isDone = hasEnded.wait(timeout: .now() + .seconds(15)) == .success
  let count = result.load(ordering: .acquiring)
  return isDone && count == 100 ? nil : "the property has \(count) of 100 numbers when send(_:) returns"
}

var mainActor: [Case] {
  [
    Case("main-actor/main-queue-block", needsMainQueue: true) { faultOfMainQueueBlock() },
    Case("main-actor/other-actor") { faultOfOtherActor() },
    Case("main-actor/sink", needsMainQueue: true) { faultOfSink() },
    Case("main-actor/synchronous-block") { faultOfSynchronousBlock() },
    Case("main-actor/subscribing", needsMainQueue: true) {
      faultOfSubscribing { PassthroughSubject<Item, Oops>() } ?? faultOfSubscribing { CurrentValueSubject(Item(-1)) }
    },
    Case("main-actor/task-executor", needsMainQueue: true) { faultOfTaskExecutor() },
  ]
}
