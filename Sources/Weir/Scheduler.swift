/// A type that decides when and where a closure runs.
///
/// - Threading: a scheduler decides on which thread its closures run, and in which order. Its closures can run
///   concurrently: the operators preserve the order of a pipeline's events.
/// - Units: each scheduler has its own types of times and strides. ``SchedulerTimeIntervalConvertible`` creates strides
///   from seconds.
public protocol Scheduler<SchedulerTimeType> {
  /// The type of this scheduler's times.
  associatedtype SchedulerTimeType: Strideable where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible

  /// The type of the options for a single action; `Never` if there are none.
  associatedtype SchedulerOptions

  /// The current time.
  var now: SchedulerTimeType { get }

  /// The minimum tolerance of a delivery's time.
  var minimumTolerance: SchedulerTimeType.Stride { get }

  /// Runs the action once, as soon as possible.
  func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)

  /// Runs the action once, at some time after the date.
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

  /// Runs the action at some time after the date, with the minimum tolerance and without options.
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

  /// Runs the action repeatedly, with the minimum tolerance and without options.
  @inlinable
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(after: date, interval: interval, tolerance: minimumTolerance, options: nil, action)
  }
}

/// A type of strides that can be created from units of real time.
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
