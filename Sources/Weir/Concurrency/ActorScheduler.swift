/// A scheduler that runs its actions on an actor.
///
///     downloads.receive(on: ActorScheduler(library))         // an actor of yours
///     downloads.receive(on: ActorScheduler(MainActor.shared))
///
/// - Threading: actions run on the actor, one at a time, in the order in which they were scheduled. An action never
///   runs before the call that schedules it has returned. After 200 actions in a row, other work on the actor can run.
///   `MainScheduler`, in `WeirRx`, runs actions immediately where it can.
/// - Time: that of `ContinuousClock`. Use a ``ClockScheduler`` for the actor to choose another clock.
/// - Cancellation: idempotent, on any thread. No action begins after a cancellation on the actor.
public struct ActorScheduler: Scheduler, Sendable {
  /// An instant of the continuous clock.
  public typealias SchedulerTimeType = ClockScheduler<ContinuousClock>.SchedulerTimeType

  /// This scheduler has no options.
  public typealias SchedulerOptions = Never

  private let scheduler: ClockScheduler<ContinuousClock>

  /// Creates a scheduler for an actor, which it doesn't retain; copies of it share one order.
  ///
  /// After the actor has been deallocated, actions run one at a time on another actor.
  public init(_ actor: any Actor) {
    scheduler = ClockScheduler(ContinuousClock(), on: actor)
  }

  /// The current time.
  public var now: SchedulerTimeType { scheduler.now }

  /// A stride of zero.
  public var minimumTolerance: DurationStride { scheduler.minimumTolerance }

  /// Runs the action on the actor, behind the actions that are enqueued.
  public func schedule(options: Never?, _ action: @escaping () -> Void) {
    scheduler.schedule(options: options, action)
  }

  /// Runs the action on the actor when the date is reached.
  public func schedule(
    after date: SchedulerTimeType, tolerance: DurationStride, options: Never?, _ action: @escaping () -> Void
  ) {
    scheduler.schedule(after: date, tolerance: tolerance, options: options, action)
  }

  /// Runs the action on the actor when the date is reached, and after each interval until the result is cancelled.
  public func schedule(
    after date: SchedulerTimeType, interval: DurationStride, tolerance: DurationStride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    scheduler.schedule(after: date, interval: interval, tolerance: tolerance, options: options, action)
  }
}
