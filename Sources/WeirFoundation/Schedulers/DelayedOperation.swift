import Foundation
import Synchronization
import Weir
import WeirDispatch

// Sendable because all of its state is atomic or locked.
/// An operation that is not ready before its time.
///
/// It runs its action once, even if somebody calls `main()` again, and lets go of it when it has run or is cancelled.
///
/// A queue asks whether an operation is ready, and remembers the answer later: an operation that becomes ready in between
/// would never run. So it becomes ready when it is on the queue, and before it is cancelled, which makes the queue ask.
///
/// Safety: what changes is atomic or behind a lock. (`OperationQueueTests`)
final class DelayedOperation: Foundation.Operation, Cancellable, @unchecked Sendable {
  private let isDue = Atomic<Bool>(false)
  private let action: Locked<Kept<() -> Void>?>
  private let progress = Locked(Progress())

  private struct Progress {
    var isOnQueue = false
    var isUnwanted = false
    var isTimeUp = false

    /// What makes it ready.
    ///
    /// It is cancelled with the operation, so that no timer outlives a cancel.
    var timer: (any Cancellable)?
  }

  init(_ action: @escaping () -> Void) {
    self.action = Locked(Kept(action))
  }

  /// Whether a timer is pending.
  var hasTimer: Bool { progress.withLock { $0.timer != nil } }

  /// Goes on the queue, and becomes ready once the time has come.
  func add(
    to queue: OperationQueue, after date: OperationQueue.SchedulerTimeType,
    tolerance: OperationQueue.SchedulerTimeType.Stride
  ) {
    queue.addOperation(self)
    let isUnwanted = progress.withLock { progress in
      progress.isOnQueue = true
      return progress.isUnwanted
    }
    if isUnwanted { return leaveQueue() }
    let clock = Self.clock
    // It repeats only because a timer that doesn't can't be cancelled.
    let timer = clock.schedule(
      after: clock.now.advanced(by: .seconds(date.date.timeIntervalSinceNow)), interval: .seconds(366 * 86_400),
      tolerance: .seconds(tolerance.magnitude)
    ) { [weak self] in self?.timeIsUp() }
    let isNeeded = progress.withLock { progress in
      if progress.isUnwanted || progress.isTimeUp { return false }
      progress.timer = timer
      return true
    }
    if !isNeeded { timer.cancel() }
  }

  override var isReady: Bool {
    isDue.load(ordering: .acquiring) && super.isReady
  }

  override func main() {
    action.withLock { $0.take() }?.closure()
  }

  /// Lets go of the action, and makes the queue let go of this now instead of at its time.
  override func cancel() {
    let released = action.withLock { $0.take() }
    let (isOnQueue, timer) = progress.withLock { progress in
      progress.isUnwanted = true
      return (progress.isOnQueue, progress.timer.take())
    }
    timer?.cancel()
    if isOnQueue { leaveQueue() }
    withExtendedLifetime(released) {}
  }

  private func timeIsUp() {
    let timer = progress.withLock { progress in
      progress.isTimeUp = true
      return progress.timer.take()
    }
    timer?.cancel()
    becomeDue()
  }

  private func leaveQueue() {
    becomeDue()
    super.cancel()
  }

  private func becomeDue() {
    willChangeValue(for: \.isReady)
    isDue.store(true, ordering: .releasing)
    didChangeValue(for: \.isReady)
  }

  private static let clock = DispatchQueue(label: "weir.delayed-operations")
}
