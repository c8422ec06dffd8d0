#if WEIR_BARE
public import Weir
#else
public import Dispatch
import Weir
public import WeirDispatch
#endif

// What a scheduler of the main actor needs of the queue behind it: the main queue, or tasks on platforms without
// Dispatch.
extension MainScheduler {
  #if !WEIR_BARE
  /// The time of the main queue.
  public typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType

  static var queue: DispatchQueue { .main }

  /// Whether the caller runs on the main actor.
  static var isCurrent: Bool { isOnMainActor() }

  /// A time from which others are measured: not zero, which means "now" to Dispatch.
  static let origin = SchedulerTimeType(DispatchTime(uptimeNanoseconds: 1))
  #else
  /// The time of the continuous clock.
  public typealias SchedulerTimeType = ActorScheduler.SchedulerTimeType

  static let queue = ActorScheduler(MainActor.shared)

  /// Whether the caller is known to run on the main actor; actions of others hop.
  static var isCurrent: Bool { isRunningOnMainActor() }

  /// A time from which others are measured.
  static let origin = SchedulerTimeType(.now)
  #endif
}

extension MainScheduler.SchedulerTimeType.Stride {
  /// The number of nanoseconds, at most the largest `Int`.
  var nanoseconds: Int {
    #if !WEIR_BARE
    magnitude
    #else
    Int(exactly: (duration / .nanoseconds(1)).rounded()) ?? (duration < .zero ? .min : .max)
    #endif
  }
}
