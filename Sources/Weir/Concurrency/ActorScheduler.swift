/// A scheduler that runs its actions on an actor.
///
///     downloads.receive(on: ActorScheduler(library))         // an actor of yours
///     downloads.receive(on: ActorScheduler(MainActor.shared))
///
/// - Threading: actions run on the actor, one at a time, in the order in which they were scheduled, never before the call
///   that schedules one has returned. After 200 actions in a row other work on the actor has its turn. `MainScheduler`, in
///   `WeirRx`, runs them at once where it can.
/// - Time: that of `ContinuousClock`; a ``ClockScheduler`` made for the actor goes by another.
/// - Cancellation: idempotent, from any thread. No action begins after a cancel on the actor.
public struct ActorScheduler: Scheduler, Sendable {
  /// A moment of the continuous clock.
  public typealias SchedulerTimeType = ClockScheduler<ContinuousClock>.SchedulerTimeType

  /// This scheduler has no options.
  public typealias SchedulerOptions = Never

  private let scheduler: ClockScheduler<ContinuousClock>

  /// Makes a scheduler of an actor; copies of it keep one order.
  public init(_ actor: any Actor) {
    scheduler = ClockScheduler(ContinuousClock(), on: actor)
  }

  /// The current time.
  public var now: SchedulerTimeType { scheduler.now }

  /// Returns `nil`.
  public var minimumTolerance: DurationStride { scheduler.minimumTolerance }

  /// Runs the action on the actor as soon as its turn comes.
  public func schedule(options: Never?, _ action: @escaping () -> Void) {
    scheduler.schedule(options: options, action)
  }

  /// Runs the action on the actor once the time has come.
  public func schedule(
    after date: SchedulerTimeType, tolerance: DurationStride, options: Never?, _ action: @escaping () -> Void
  ) {
    scheduler.schedule(after: date, tolerance: tolerance, options: options, action)
  }

  /// Runs the action on the actor once the time has come, and then after each interval until the result is cancelled.
  public func schedule(
    after date: SchedulerTimeType, interval: DurationStride, tolerance: DurationStride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    scheduler.schedule(after: date, interval: interval, tolerance: tolerance, options: options, action)
  }
}
