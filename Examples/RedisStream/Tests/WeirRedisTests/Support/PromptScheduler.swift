import Weir
import WeirTesting

/// Virtual time in which what is due now runs at once, for those who don't advance it.
///
/// Unchecked because all of a test runs on one thread.
final class PromptScheduler: Scheduler, @unchecked Sendable {
  let time = VirtualTimeScheduler()
  private var isRunning = false

  var now: VirtualTime { time.now }

  var minimumTolerance: VirtualTime.Stride { 0 }

  func schedule(options: Never?, _ action: @escaping () -> Void) {
    time.schedule(action)
    if isRunning { return }
    isRunning = true
    time.advance()
    isRunning = false
  }

  func schedule(
    after date: VirtualTime, tolerance: VirtualTime.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    time.schedule(after: date, action)
  }

  func schedule(
    after date: VirtualTime, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    time.schedule(after: date, interval: interval, action)
  }
}
