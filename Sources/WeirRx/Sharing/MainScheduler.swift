import Synchronization
public import Weir

#if !WEIR_BARE
public import WeirDispatch
#endif

/// A scheduler of the main actor, which uses the main queue only if necessary.
///
/// - Threading: if the caller is on the main actor and no earlier action is pending, an action runs immediately, before
///   the call returns. Otherwise the action runs on the main queue, or in a task on platforms without Dispatch. So the
///   actions of one scheduler start in the order in which they were scheduled. An action that schedules another on the
///   main actor runs it nested.
/// - Time: that of the main queue, on which delayed and repeated actions run.
/// - Cancellation: see `DispatchQueue`.
public final class MainScheduler: Scheduler, Sendable {
  /// This scheduler has no options.
  public typealias SchedulerOptions = Never

  /// The shared scheduler, which keeps one order for all its users.
  public static let shared = MainScheduler()

  /// The number of actions that are pending on the main queue.
  private let waiting = Atomic<Int>(0)

  /// Creates a scheduler that waits only for its own actions.
  public init() {}

  /// The current time.
  public var now: SchedulerTimeType { Self.queue.now }

  /// No tolerance.
  public var minimumTolerance: SchedulerTimeType.Stride { Self.queue.minimumTolerance }

  /// Runs the action on the main actor: immediately, or after the pending actions.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    // On the main actor, no pending action can start meanwhile, and concurrent calls have no order yet.
    if Self.isCurrent, waiting.load(ordering: .acquiring) == 0 { return action() }
    waiting.wrappingAdd(1, ordering: .acquiringAndReleasing)
    Self.queue.schedule { [self] in
      // The action is no longer pending: a nested action may run immediately.
      waiting.wrappingSubtract(1, ordering: .acquiringAndReleasing)
      action()
    }
  }

  /// Runs the action on the main queue at a date; never if that is the distant future.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    Self.queue.schedule(after: date, tolerance: tolerance, options: nil, action)
  }

  /// Runs the action on the main queue at a date, and then after each interval.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    Self.queue.schedule(after: date, interval: interval, tolerance: tolerance, options: nil, action)
  }
}
