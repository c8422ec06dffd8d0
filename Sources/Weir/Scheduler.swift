/// Declares when and where a closure runs.
///
/// - Threading: a scheduler decides on which thread its closures run, and in which order. One whose closures may run
///   at the same time as each other still keeps the order of a pipeline: the operators see to it.
/// - Units: times and strides are the scheduler's own; ``SchedulerTimeIntervalConvertible`` makes strides of seconds.
public protocol Scheduler<SchedulerTimeType> {
  /// How this scheduler tells the time.
  associatedtype SchedulerTimeType: Strideable where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible

  /// What can be chosen for a single piece of work; `Never` if nothing can.
  associatedtype SchedulerOptions

  /// The current time.
  var now: SchedulerTimeType { get }

  /// The least tolerance that can be asked for.
  var minimumTolerance: SchedulerTimeType.Stride { get }

  /// Runs the action as soon as possible.
  func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)

  /// Runs the action at some time after the date.
  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void)

  /// Runs the action at some time after the date, and again after each interval until the result is cancelled.
  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable
}

extension Scheduler {
  /// Runs the action as soon as possible, without options.
  @inlinable
  public func schedule(_ action: @escaping () -> Void) {
    schedule(options: nil, action)
  }

  /// Runs the action at some time after the date, with the least tolerance and without options.
  @inlinable
  public func schedule(after date: SchedulerTimeType, _ action: @escaping () -> Void) {
    schedule(after: date, tolerance: minimumTolerance, options: nil, action)
  }

  /// Runs the action at some time after the date, without options.
  @inlinable
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, _ action: @escaping () -> Void
  ) {
    schedule(after: date, tolerance: tolerance, options: nil, action)
  }

  /// Runs the action repeatedly, without options.
  @inlinable
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(after: date, interval: interval, tolerance: tolerance, options: nil, action)
  }

  /// Runs the action repeatedly, with the least tolerance and without options.
  @inlinable
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(after: date, interval: interval, tolerance: minimumTolerance, options: nil, action)
  }
}

/// Makes strides of a scheduler's time from the units of the clock on the wall.
public protocol SchedulerTimeIntervalConvertible {
  /// A stride of this many seconds.
  static func seconds(_ s: Int) -> Self

  /// A stride of this many seconds, including fractions.
  static func seconds(_ s: Double) -> Self

  /// A stride of this many milliseconds.
  static func milliseconds(_ ms: Int) -> Self

  /// A stride of this many microseconds.
  static func microseconds(_ us: Int) -> Self

  /// A stride of this many nanoseconds.
  static func nanoseconds(_ ns: Int) -> Self
}
