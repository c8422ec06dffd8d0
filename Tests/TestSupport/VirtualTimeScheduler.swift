import Weir

/// A scheduler whose time moves only when it is told to.
///
/// Work of equal times runs in the order in which it was scheduled.
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

  private struct Work {
    let due: SchedulerTimeType
    let order: Int
    let action: () -> Void
  }

  private(set) var now = SchedulerTimeType(milliseconds: 0)
  private var pending: [Work] = []
  private var scheduled = 0

  var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// How many pieces of work are waiting.
  var pendingCount: Int { pending.count }

  func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    enqueue(at: now, action)
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    enqueue(at: date, action)
  }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let timer = Timer(scheduler: self, interval: interval, action: action)
    timer.start(at: date)
    return timer
  }

  /// Runs what is due until this much later, and stops there.
  func advance(by stride: SchedulerTimeType.Stride) {
    let end = now.advanced(by: stride)
    while let next = pending.indices.min(by: { isEarlier(pending[$0], pending[$1]) }), pending[next].due <= end {
      let work = pending.remove(at: next)
      now = max(now, work.due)
      work.action()
    }
    now = end
  }

  /// Runs what is due now.
  func runDue() {
    advance(by: 0)
  }

  private func isEarlier(_ a: Work, _ b: Work) -> Bool {
    (a.due, a.order) < (b.due, b.order)
  }

  @discardableResult
  private func enqueue(at due: SchedulerTimeType, _ action: @escaping () -> Void) -> Int {
    scheduled += 1
    pending.append(Work(due: due, order: scheduled, action: action))
    return scheduled
  }

  private final class Timer: Cancellable {
    private let scheduler: VirtualTimeScheduler
    private let interval: SchedulerTimeType.Stride
    private var action: (() -> Void)?
    private var entry = 0

    init(scheduler: VirtualTimeScheduler, interval: SchedulerTimeType.Stride, action: @escaping () -> Void) {
      self.scheduler = scheduler
      self.interval = interval
      self.action = action
    }

    func start(at due: SchedulerTimeType) {
      entry = scheduler.enqueue(at: due) { [self] in
        action?()
        if action != nil { start(at: due.advanced(by: interval)) }
      }
    }

    func cancel() {
      action = nil
      scheduler.pending.removeAll { $0.order == entry }
    }
  }
}
