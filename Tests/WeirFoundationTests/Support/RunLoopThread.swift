import Dispatch
import Foundation
import Synchronization

// Safety: other threads only add to the run loop, which allows that.
/// A thread that runs its run loop, from a call until its deallocation.
final class RunLoopThread: @unchecked Sendable {
  let loop: RunLoop
  private let gate: DispatchSemaphore
  private let life = Life()

  private final class Life: Sendable {
    let isTerminated = Atomic<Bool>(false)
  }

  init(isRunning: Bool = true) {
    nonisolated(unsafe) var found: RunLoop?
    let ready = DispatchSemaphore(value: 0)
    let gate = DispatchSemaphore(value: isRunning ? 1 : 0)
    Thread.detachNewThread { [life] in
      found = .current
      // Without a timer the run loop would return immediately.
      let timer = Timer(timeInterval: 1000, repeats: true) { _ in }
      RunLoop.current.add(timer, forMode: .default)
      ready.signal()
      gate.wait()
      while !life.isTerminated.load(ordering: .acquiring) {
        _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 60))
      }
    }
    ready.wait()
    guard let found else { preconditionFailure("The thread has no run loop.") }
    loop = found
    self.gate = gate
  }

  deinit {
    life.isTerminated.store(true, ordering: .releasing)
    gate.signal()
  }

  func run() { gate.signal() }
}

/// Runs a body on a new thread with its own run loop, and waits for it.
///
/// The objects that the body creates stay on that thread.
func onRunLoop<Result>(_ body: @escaping (RunLoop) -> Result) -> Result? {
  nonisolated(unsafe) let body = body
  nonisolated(unsafe) var result: Result?
  let done = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    result = body(.current)
    done.signal()
  }
  done.wait()
  return result
}

extension RunLoop {
  /// Runs until a condition holds; returns `false` after a timeout.
  @discardableResult
  func run(until condition: () -> Bool) -> Bool {
    let limit = Date(timeIntervalSinceNow: 300)
    while !condition(), Date() < limit { _ = run(mode: .default, before: Date(timeIntervalSinceNow: 0.01)) }
    return condition()
  }
}
