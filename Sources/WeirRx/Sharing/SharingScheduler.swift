#if canImport(Dispatch)
public import Dispatch
public import Weir
public import WeirDispatch

// Safety: all of its properties are constants. The functions call a scheduler, which operators may call on any thread.
// (`MainSchedulerTests`, `DriverTests`)
/// Where a ``Driver`` or ``Signal`` delivers: on the main actor, or on what stands in for it in a test.
///
///     let clock = VirtualTimeScheduler()
///     SharingScheduler.mock(scheduler: clock) {
///       results = SearchModel(query: query).results  // makes drivers, which deliver on `clock`
///     }
///
/// A driver or signal keeps the scheduler that is current where it is made from a publisher; what operators make of it
/// keeps it too. The current one belongs to the task, or to the call, and not to the process: tests that run at the same
/// time don't see each other's.
public struct SharingScheduler: Scheduler, @unchecked Sendable {
  /// How the main queue tells the time; that of a scheduler that stands in is converted.
  public typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType

  /// There is nothing to choose.
  public typealias SchedulerOptions = Never

  /// What stands in for the main actor, in this task.
  @TaskLocal
  private static var standIn: SharingScheduler?

  /// The scheduler that a driver or signal is made with, here and now.
  public static var current: SharingScheduler { standIn ?? main }

  private let clock: () -> SchedulerTimeType
  private let run: (@escaping () -> Void) -> Void
  private let runLater: (SchedulerTimeType, SchedulerTimeType.Stride, @escaping () -> Void) -> Void
  private let runRepeatedly:
    (SchedulerTimeType, SchedulerTimeType.Stride, SchedulerTimeType.Stride, @escaping () -> Void) -> any Cancellable

  /// Runs an action at once if the caller is where this scheduler delivers, else schedules it.
  private let enter: (@escaping () -> Void) -> Void

  /// The main actor: at once where possible, see `MainScheduler`.
  ///
  /// Each is a scheduler of its own, so what one driver has on its way doesn't make another wait.
  public static var main: SharingScheduler {
    let scheduler = MainScheduler()
    return SharingScheduler(
      clock: { scheduler.now },
      run: { scheduler.schedule($0) },
      runLater: { scheduler.schedule(after: $0, tolerance: $1, $2) },
      runRepeatedly: { scheduler.schedule(after: $0, interval: $1, tolerance: $2, $3) },
      enter: { if isOnMainActor() { $0() } else { scheduler.schedule($0) } })
  }

  /// Lets another scheduler stand in for the main actor while an action makes drivers and signals.
  ///
  /// - Threading: what was made delivers wherever the scheduler runs its work. Closures given to `drive` and `emit` are
  ///   the main actor's, so a scheduler of virtual time is to be advanced there. Subscriptions are made at once.
  public static func mock<Result>(scheduler: some Scheduler, action: () throws -> Result) rethrows -> Result {
    try $standIn.withValue(SharingScheduler(standIn: scheduler), operation: action)
  }

  /// The time at present.
  public var now: SchedulerTimeType { clock() }

  /// None.
  public var minimumTolerance: SchedulerTimeType.Stride { .nanoseconds(0) }

  /// Runs the action where values are delivered.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    run(action)
  }

  /// Runs the action where values are delivered, once the time has come.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    runLater(date, tolerance, action)
  }

  /// Runs the action where values are delivered, once the time has come and then after each interval.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    runRepeatedly(date, interval, tolerance, action)
  }

  /// For subscribing and asking: unlike a value, these need not wait for what is on its way.
  var entrance: SharingScheduler {
    SharingScheduler(clock: clock, run: enter, runLater: runLater, runRepeatedly: runRepeatedly, enter: enter)
  }
}

extension SharingScheduler {
  /// A scheduler whose times, counted in nanoseconds from now, are put in the place of the main queue's.
  init<S: Scheduler>(standIn scheduler: S) {
    let start = scheduler.now
    // Not zero, which means "now" to Dispatch.
    let origin = SchedulerTimeType(DispatchTime(uptimeNanoseconds: 1))
    let converted = { (date: SchedulerTimeType) -> S.SchedulerTimeType in
      start.advanced(by: .nanoseconds(origin.distance(to: date).magnitude))
    }
    self.init(
      clock: { origin.advanced(by: .nanoseconds(nanoseconds(in: start.distance(to: scheduler.now)))) },
      run: { scheduler.schedule($0) },
      runLater: { date, _, action in scheduler.schedule(after: converted(date), action) },
      runRepeatedly: { date, interval, _, action in
        scheduler.schedule(after: converted(date), interval: .nanoseconds(interval.magnitude), action)
      },
      enter: { $0() })
  }
}

/// The least number of nanoseconds that is not less than a stride: a scheduler's strides can be made of nanoseconds and
/// compared, but don't tell their length.
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
#endif
