// The execution of a program.

import Dispatch
import Foundation
import Synchronization
import Weir

/// The result of a program.
struct Outcome {
  /// The first fault.
  var fault: String?
  var hasDelivered = false
  var hasReentered = false
  /// Whether the subscriber received events on several threads.
  var hasCrossed = false
  /// Whether a buffer reported that it had dropped a value.
  var hasOverflowed = false
  var hasCancelled = false
  var isCompared = false
}

/// Starts all threads of a program together.
private final class Start: Sendable {
  private let missing: Atomic<Int>

  init(_ count: Int) { missing = Atomic(count) }

  func wait() {
    missing.wrappingSubtract(1, ordering: .acquiringAndReleasing)
    while missing.load(ordering: .acquiring) > 0 { sched_yield() }
  }
}

private let helpers = (0..<2).map { DispatchQueue(label: "random \($0)") }

extension RandomProgram {
  /// Builds the pipeline, runs the scripts, and checks the result.
  func play() -> Outcome {
    let run = Run(self)
    var outcome = playScripts(run)
    run.end()
    // Another thread may have taken over the delivery, and may still be releasing its values.
    if isThreaded { wait { run.liveCount == 0 } }
    outcome.fault = run.fault
    if outcome.fault == nil, run.liveCount > 0, !(run.wasSentEarly && completesEarly) {
      outcome.fault = "\(run.liveCount) objects are still there"
    }
    return outcome
  }

  /// Whether an operator waits for a subscription forever, and retains pending objects, if the rogue sends early.
  ///
  /// The rogue may send values or a completion before its subscription. These operators forward a completion then, or
  /// fail because of a value, and cancel the subscription. A joining operator behind them never receives all
  /// subscriptions, so it can't be cancelled.
  private var completesEarly: Bool {
    stages.contains { Self.completeEarly.contains($0.operation.name) }
  }

  private static let completeEarly: Set = ["handleEvents", "tryMap", "drop", "dropUntil", "collect2", "retry"]

  private func playScripts(_ run: Run) -> Outcome {
    // A publisher's rule violations are forwarded, as in Combine.
    let subscriber = RandomSubscriber(run, demand: demand, answers: answers, checks: isRogue ? .thread : .all)
    let pipeline = build(run)
    (run.pipeline, run.subscriber) = (pipeline, subscriber)
    pipeline.subscribe(subscriber)
    if isThreaded { playAtOnce(run) } else { for step in scripts[0] { run.play(step) } }
    if isUnordered {
      for source in [Source.first, .second] { run.play(.finish(source)) }
      // Another thread may have taken over.
      wait { subscriber.hasCompleted }
    }
    for _ in 0..<10 { run.play(.advance) }
    var outcome = Outcome()
    let events = subscriber.events
    if isModeled {
      outcome.isCompared = true
      if let difference = difference(of: events) { run.report(difference) }
    }
    outcome.hasDelivered = events.contains { if case .value = $0 { true } else { false } }
    outcome.hasReentered = run.hasReentered
    outcome.hasCrossed = subscriber.hasCrossed
    outcome.hasOverflowed = run.hasOverflowed
    outcome.hasCancelled = subscriber.hasCancelled
    return outcome
  }

  /// Waits for other threads, with a timeout.
  private func wait(until isTrue: () -> Bool) {
    let limit = ContinuousClock.now + .seconds(5)
    while !isTrue(), ContinuousClock.now < limit { sched_yield() }
  }

  private func playAtOnce(_ run: Run) {
    let (group, start) = (DispatchGroup(), Start(scripts.count))
    for (script, queue) in zip(scripts.dropFirst(), helpers) {
      queue.async(group: group) {
        start.wait()
        for step in script { run.play(step) }
      }
    }
    start.wait()
    for step in scripts[0] { run.play(step) }
    group.wait()
  }

  private func build(_ run: Run) -> Pipeline {
    let (first, second) = (PassthroughSubject<Value, Failed>(), CurrentValueSubject<Value, Failed>(run.value(0)))
    run.senders = [.first: SubjectSender(first, run), .second: SubjectSender(second, run)]
    let sequence = (0..<numbers).lazy.map { Value($0, run) }.publisher.setFailureType(to: Failed.self)
    var publishers: [Source: Pipeline] = [
      .first: Pipeline(first), .second: Pipeline(second), .sequence: Pipeline(sequence),
    ]
    if isRogue {
      let rogue = Rogue(run, tickets: tickets)
      run.senders[.rogue] = rogue
      publishers[.rogue] = Pipeline(rogue)
    }
    let closures = Closures(run: run)
    let empty = Pipeline(Empty())
    return stages.reduce(publishers[source] ?? empty) { up, stage in
      stage.operation.attach(up, publishers[stage.other] ?? empty, closures)
    }
  }
}
