import Weir
import WeirTesting

/// A virtual-time scheduler that immediately runs work that is due now, for tests that don't advance the time.
///
/// Safety: a test runs on one thread.
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
