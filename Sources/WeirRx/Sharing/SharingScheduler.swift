public import Weir

#if !WEIR_BARE
public import WeirDispatch
#endif

// Safety: all of its properties are constants. The functions call a scheduler, which operators may call on any thread.
// (`MainSchedulerTests`, `DriverTests`)
/// The scheduler of a ``Driver`` or ``Signal``: the main actor, or its substitute in a test.
///
///     let clock = VirtualTimeScheduler()
///     SharingScheduler.mock(scheduler: clock) {
///       results = SearchModel(query: query).results  // makes drivers, which deliver on `clock`
///     }
///
/// A driver or signal keeps the scheduler that is current when it is created from a publisher. Its operators keep that
/// scheduler too. The current scheduler belongs to the task or call, not to the process, so concurrent tests don't
/// share it.
public struct SharingScheduler: Scheduler, @unchecked Sendable {
  /// The time of `MainScheduler`, to which a substitute's time is converted.
  public typealias SchedulerTimeType = MainScheduler.SchedulerTimeType

  /// This scheduler has no options.
  public typealias SchedulerOptions = Never

  /// The substitute for the main actor in this task.
  @TaskLocal
  private static var standIn: SharingScheduler?

  /// The scheduler for drivers and signals that are created now, in this task.
  public static var current: SharingScheduler { standIn ?? main }

  private let clock: () -> SchedulerTimeType
  private let run: (@escaping () -> Void) -> Void
  private let runLater: (SchedulerTimeType, SchedulerTimeType.Stride, @escaping () -> Void) -> Void
  private let runRepeatedly:
    (SchedulerTimeType, SchedulerTimeType.Stride, SchedulerTimeType.Stride, @escaping () -> Void) -> any Cancellable

  /// Runs an action immediately if the caller is on this scheduler; otherwise schedules it.
  private let enter: (@escaping () -> Void) -> Void

  /// The main actor; runs actions immediately where possible, see `MainScheduler`.
  ///
  /// Each value has its own scheduler, so that the pending actions of one driver don't delay another.
  public static var main: SharingScheduler {
    let scheduler = MainScheduler()
    return SharingScheduler(
      clock: { scheduler.now },
      run: { scheduler.schedule($0) },
      runLater: { scheduler.schedule(after: $0, tolerance: $1, $2) },
      runRepeatedly: { scheduler.schedule(after: $0, interval: $1, tolerance: $2, $3) },
      enter: { if MainScheduler.isCurrent { $0() } else { scheduler.schedule($0) } })
  }

  /// Replaces the main actor by another scheduler while an action creates drivers and signals.
  ///
  /// - Threading: the created sequences deliver where the scheduler runs its actions. Closures for `drive` and `emit`
  ///   are isolated to the main actor, so advance a virtual-time scheduler there. Subscriptions are made immediately.
  public static func mock<Result>(scheduler: some Scheduler, action: () throws -> Result) rethrows -> Result {
    try $standIn.withValue(SharingScheduler(standIn: scheduler), operation: action)
  }

  /// The current time.
  public var now: SchedulerTimeType { clock() }

  /// No tolerance.
  public var minimumTolerance: SchedulerTimeType.Stride { .nanoseconds(0) }

  /// Runs the action where values are delivered.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    run(action)
  }

  /// Runs the action at a date, where values are delivered.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    runLater(date, tolerance, action)
  }

  /// Runs the action at a date and then after each interval, where values are delivered.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    runRepeatedly(date, interval, tolerance, action)
  }

  /// The scheduler for subscriptions and requests, which need not wait for pending values.
  @usableFromInline
  var entrance: SharingScheduler {
    SharingScheduler(clock: clock, run: enter, runLater: runLater, runRepeatedly: runRepeatedly, enter: enter)
  }
}

extension SharingScheduler {
  /// A scheduler that converts the substitute's times, in nanoseconds from now, to times of `MainScheduler`.
  init<S: Scheduler>(standIn scheduler: S) {
    let start = scheduler.now
    let origin = MainScheduler.origin
    let converted = { (date: SchedulerTimeType) -> S.SchedulerTimeType in
      start.advanced(by: .nanoseconds(origin.distance(to: date).nanoseconds))
    }
    self.init(
      clock: { origin.advanced(by: .nanoseconds(nanoseconds(in: start.distance(to: scheduler.now)))) },
      run: { scheduler.schedule($0) },
      runLater: { date, _, action in scheduler.schedule(after: converted(date), action) },
      runRepeatedly: { date, interval, _, action in
        scheduler.schedule(after: converted(date), interval: .nanoseconds(interval.nanoseconds), action)
      },
      enter: { $0() })
  }
}

/// The smallest number of nanoseconds that is not less than a stride.
///
/// A scheduler's strides can be created from nanoseconds and compared, but can't report their length.
private func nanoseconds<Stride: Comparable & SchedulerTimeIntervalConvertible>(in stride: Stride) -> Int {
  if stride <= .nanoseconds(0) { return 0 }
  var (tooShort, enough) = (0, 1)
  while Stride.nanoseconds(enough) < stride, enough < .max / 2 { (tooShort, enough) = (enough, enough * 2) }
  while enough - tooShort > 1 {
    let middle = tooShort + (enough - tooShort) / 2
    if .nanoseconds(middle) < stride { tooShort = middle } else { enough = middle }
  }
  return enough
}
