#if !WEIR_BARE
import Foundation
import Synchronization
import Weir
import WeirDispatch

// Safety: all of its state is atomic or behind a lock. For the action, see `Action`. (`OperationQueueTests`)
/// An operation that is not ready before its date.
///
/// It runs its action once, even if `main()` is called again, and releases the action after its run or cancellation.
///
/// A queue checks whether an operation is ready, and stores the answer later. An operation that becomes ready in
/// between would never run. So it becomes ready only when it is on the queue. A cancellation makes it ready first,
/// which makes the queue check again.
final class DelayedOperation: Foundation.Operation, Cancellable, @unchecked Sendable {
  private let isDue = Atomic<Bool>(false)
  private let action: Locked<(() -> Void)?>
  private let progress = Locked<(isOnQueue: Bool, isUnwanted: Bool, timer: (any Cancellable)?)>((false, false, nil))

  init(_ action: @escaping () -> Void) {
    self.action = Locked(action)
  }

  /// Adds itself to the queue, and becomes ready at the date.
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
    // A repetition, because it can be cancelled; its first run ends it.
    let timer = clock.schedule(
      after: clock.now.advanced(by: .seconds(max(date.date.timeIntervalSinceNow, 0))), interval: .seconds(1),
      tolerance: .seconds(min(tolerance.magnitude, .greatestFiniteMagnitude))
    ) { [weak self] in self?.becomeDue() }
    let isOver = progress.withLock { progress in
      progress.timer = timer
      return isDue.load(ordering: .acquiring)
    }
    if isOver { endTimer() }
  }

  override var isReady: Bool {
    isDue.load(ordering: .acquiring) && super.isReady
  }

  override func main() {
    action.withLock { $0.take() }?()
  }

  /// Releases the action, and makes the queue release this operation now rather than at its date.
  override func cancel() {
    let released = action.withLock { $0.take() }
    let isOnQueue = progress.withLock { progress in
      progress.isUnwanted = true
      return progress.isOnQueue
    }
    if isOnQueue { leaveQueue() }
    withExtendedLifetime(released) {}
  }

  private func leaveQueue() {
    becomeDue()
    super.cancel()
  }

  private func becomeDue() {
    willChangeValue(for: \.isReady)
    isDue.store(true, ordering: .releasing)
    didChangeValue(for: \.isReady)
    endTimer()
  }

  private func endTimer() {
    progress.withLock { $0.timer.take() }?.cancel()
  }

  private static let clock = DispatchQueue(label: "weir.delayed-operations")
}
#endif
