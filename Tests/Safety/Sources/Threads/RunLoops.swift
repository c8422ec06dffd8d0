// Immediate actions of one run loop, which several threads schedule while it runs.

import Cases
import Dispatch
import Foundation
import Synchronization
import Weir
import WeirFoundation

/// A run loop that runs on its own thread until it is ended.
private final class LoopThread: Sendable {
  // Safety: written before the semaphore is signaled, and read afterwards.
  nonisolated(unsafe) private(set) var loop: RunLoop = .main
  private let hasEnded = Atomic<Bool>(false)

  init() {
    let hasStarted = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [self] in
      loop = .current
      hasStarted.signal()
      while !hasEnded.load(ordering: .acquiring) { loop.run(until: Date() + 0.001) }
    }
    hasStarted.wait()
  }

  func end() { hasEnded.store(true, ordering: .releasing) }
}

/// Describes the first fault of several rounds, in which two threads send to a sink that receives on a run loop.
private func faultOfReceiving() -> String? {
  let (thread, count) = (LoopThread(), 2_000)
  defer { thread.end() }
  for _ in 0..<20 {
    let (subject, watch) = (PassthroughSubject<Item, Oops>(), Watch())
    let isInOrder = Atomic<Bool>(true)
    nonisolated(unsafe) var last = [-2, -1]
    let sink = subject.receive(on: thread.loop).sink(
      receiveCompletion: { _ in watch.complete() },
      receiveValue: { item in
        watch.enter {
          if item.number != last[item.number % 2] + 2 { isInOrder.store(false, ordering: .relaxed) }
          last[item.number % 2] = item.number
        }
      })
    let isDone = onTwoThreads { (thread: Int) in
      for number in 0..<count { subject.send(Item(2 * number + thread)) }
    }
    guard isDone else { return "the senders are stuck" }
    subject.send(completion: .finished)
    if let fault = withExtendedLifetime(sink, { watch.fault(expecting: 2 * count) }) { return fault }
    if !isInOrder.load(ordering: .relaxed) { return "the items of a thread came in another order" }
  }
  return nil
}

/// Describes a fault of short-lived run loops, whose threads end while actions may be pending.
///
/// An action runs, or is released with its thread.
private func faultOfShortLives() -> String? {
  for _ in 0..<200 {
    let living = Living()
    schedule(on: LoopThread(), living)
    if living.wait() { continue }
    return "\(living.count.load(ordering: .acquiring)) actions stay after their run loop"
  }
  return nil
}

private func schedule(on thread: LoopThread, _ living: Living) {
  // Foundation never releases a timer that is pending when its thread ends, and the first action needs one.
  let isReady = DispatchSemaphore(value: 0)
  thread.loop.schedule { isReady.signal() }
  isReady.wait()
  for _ in 0..<50 {
    let item = Counted(living)
    thread.loop.schedule { _ = item }
  }
  thread.end()
}

var runLoops: [Case] {
  [
    Case("run-loop/receiving") { faultOfReceiving() },
    Case("run-loop/short-lives") { faultOfShortLives() },
  ]
}
