#if canImport(Dispatch)
public import Dispatch
import Synchronization
public import Weir
public import WeirDispatch

/// A scheduler of the main actor, which uses the main queue only if it must.
///
/// - Threading: an action runs at once, before the call returns, if the caller is on the main actor and nothing that was
///   scheduled earlier with this scheduler is still on its way; else on the main queue. So the actions of one scheduler
///   begin in the order in which they were scheduled. One that schedules another from the main actor has it run inside
///   itself.
/// - Time: that of the main queue, on which delayed and repeated actions run.
/// - Cancellation: see `DispatchQueue`.
public final class MainScheduler: Scheduler, Sendable {
  /// How the main queue tells the time.
  public typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType

  /// There is nothing to choose.
  public typealias SchedulerOptions = Never

  /// A scheduler for all who keep one order.
  public static let shared = MainScheduler()

  /// Actions that are on their way to the main queue.
  private let waiting = Atomic<Int>(0)

  /// Makes a scheduler that waits only for its own actions, and not for those of others.
  public init() {}

  /// The time at present.
  public var now: SchedulerTimeType { DispatchQueue.main.now }

  /// None.
  public var minimumTolerance: SchedulerTimeType.Stride { DispatchQueue.main.minimumTolerance }

  /// Runs the action on the main actor: at once, or after what is on its way there.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    // On the main actor nothing that waits can begin meanwhile, and what others send at this moment has no order yet.
    if isOnMainActor(), waiting.load(ordering: .acquiring) == 0 { return action() }
    waiting.wrappingAdd(1, ordering: .acquiringAndReleasing)
    let action = Action(run: action)
    DispatchQueue.main.async { [self] in
      // No longer waiting: what it schedules itself may follow at once.
      waiting.wrappingSubtract(1, ordering: .acquiringAndReleasing)
      action.run()
    }
  }

  /// Runs the action on the main queue once the time has come; never if that is the distant future.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    DispatchQueue.main.schedule(after: date, tolerance: tolerance, options: nil, action)
  }

  /// Runs the action on the main queue once the time has come, and then after each interval.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    DispatchQueue.main.schedule(after: date, interval: interval, tolerance: tolerance, options: nil, action)
  }
}
#endif
