import Weir
import WeirTesting

/// The scheduler that users get, with a time that counts in whole milliseconds from its start: so `10` is short, and
/// an integer.
final class VirtualTimeScheduler: Scheduler {
  typealias SchedulerOptions = Never

  /// Milliseconds since the scheduler was made.
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

  /// How many pieces of work are waiting.
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
    let timer = scheduler.schedule(
      after: .milliseconds(date.milliseconds), interval: .milliseconds(interval.magnitude), action)
    return Timer(timer: timer)
  }

  /// Runs what is due until this much later, and stops there.
  func advance(by stride: SchedulerTimeType.Stride) {
    scheduler.advance(by: .milliseconds(stride.magnitude))
  }

  /// Runs what is due now.
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
