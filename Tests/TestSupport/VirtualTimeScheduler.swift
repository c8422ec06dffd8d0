import Weir
import WeirTesting

/// The public virtual-time scheduler, with a time in whole milliseconds from its start, so that `10` is an integer.
final class VirtualTimeScheduler: Scheduler {
  typealias SchedulerOptions = Never

  /// Milliseconds since the scheduler was created.
  struct SchedulerTimeType: Strideable, Hashable {
    var milliseconds: Int

    func distance(to other: Self) -> Stride { Stride(other.milliseconds - milliseconds) }
    func advanced(by stride: Stride) -> Self { Self(milliseconds: milliseconds + stride.magnitude) }

    struct Stride: Comparable, SignedNumeric, SchedulerTimeIntervalConvertible {
      var magnitude: Int

      init(_ milliseconds: Int) { magnitude = milliseconds }
      init(integerLiteral value: Int) { magnitude = value }
      init?<T: BinaryInteger>(exactly source: T) {
        guard let value = Int(exactly: source) else { return nil }
        magnitude = value
      }

      static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }
      static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude + rhs.magnitude) }
      static func - (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude - rhs.magnitude) }
      static func * (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude * rhs.magnitude) }
      static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }

      static func seconds(_ s: Int) -> Self { Self(s * 1000) }
      static func seconds(_ s: Double) -> Self { Self(Int(s * 1000)) }
      static func milliseconds(_ ms: Int) -> Self { Self(ms) }
      static func microseconds(_ us: Int) -> Self { Self(us / 1000) }
      static func nanoseconds(_ ns: Int) -> Self { Self(ns / 1_000_000) }
    }
  }

  private let scheduler = WeirTesting.VirtualTimeScheduler()

  var now: SchedulerTimeType { SchedulerTimeType(milliseconds: Int(scheduler.now.nanoseconds / 1_000_000)) }

  var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// The number of repeating actions that have been scheduled.
  private(set) var timersStarted = 0

  /// The number of pending actions.
  var pendingCount: Int { scheduler.pendingCount }

  func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    userCode("schedule")
    scheduler.schedule(action)
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    userCode("schedule")
    scheduler.schedule(after: .milliseconds(date.milliseconds), action)
  }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    userCode("schedule")
    timersStarted += 1
    let timer = scheduler.schedule(
      after: .milliseconds(date.milliseconds), interval: .milliseconds(interval.magnitude), action)
    return Timer(timer: timer)
  }

  /// Runs all actions that become due within this time, and stops at its end.
  func advance(by stride: SchedulerTimeType.Stride) {
    scheduler.advance(by: .milliseconds(stride.magnitude))
  }

  /// Runs the actions that are due now.
  func runDue() {
    scheduler.advance()
  }

  private struct Timer: Cancellable {
    let timer: any Cancellable

    func cancel() {
      userCode("the cancel of a timer")
      timer.cancel()
    }
  }
}
