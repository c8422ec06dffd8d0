// Two threads send to a sink on the main actor, which takes the pending values meanwhile.

import Cases
import Dispatch
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

var mainActor: [Case] { [Case("main-actor/sink", needsMainQueue: true) { faultOfSink() }] }
