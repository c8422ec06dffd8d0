#if !WEIR_BARE
public import Dispatch
public import Weir

/// Makes every dispatch queue a scheduler.
///
/// - Threading: actions run on the queue. A serial queue keeps the order in which immediate actions were scheduled,
///   and that of different dates, but not the order of actions for the same date. A concurrent queue may run several
///   concurrently.
/// - Time: the clock of `DispatchTime`, which stops while the computer sleeps. A tolerance is used exactly as given:
///   the timers of `asyncAfter` would add a tenth of the delay.
/// - Cancellation: idempotent, from any thread. After a cancellation on the queue itself, no action starts. An action
///   that is running while another thread cancels runs to its end. The queue releases a cancelled action when its turn
///   comes.
extension DispatchQueue: Scheduler {
  // Safety: the flags are a number, which Dispatch doesn't mark as `Sendable`; the other properties are.
  // (`DispatchQueueTests`)
  /// Options for a single action.
  public struct SchedulerOptions: @unchecked Sendable {
    /// The quality of service of the action.
    public var qos: DispatchQoS

    /// How the queue treats the action, for instance as a barrier.
    public var flags: DispatchWorkItemFlags

    /// The group that contains the action, from the call that schedules it until it has run.
    ///
    /// A repeating action never completes, so it isn't added to a group.
    public var group: DispatchGroup?

    /// Creates options; omitted options are the queue's own.
    public init(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], group: DispatchGroup? = nil) {
      self.qos = qos
      self.flags = flags
      self.group = group
    }
  }

  /// The current time.
  public var now: SchedulerTimeType {
    SchedulerTimeType(.now())
  }

  /// No tolerance: an action can be scheduled for an exact time.
  public var minimumTolerance: SchedulerTimeType.Stride {
    .nanoseconds(0)
  }

  /// Runs the action on the queue as soon as possible, but never before this call has returned.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let action = Action(run: action)
    async(
      group: options?.group, qos: options?.qos ?? .unspecified, flags: options?.flags ?? [], execute: { action.run() })
  }

  /// Runs the action on the queue at a date; never if that is the distant future.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    // A timer that never fires would retain the action forever.
    if date.dispatchTime == .distantFuture { return }
    let action = Action(run: action)
    let timer = Timer(on: self)
    let group = options?.group
    group?.enter()
    // The handler retains the timer, which would not fire otherwise. Cancelling it breaks the reference cycle.
    timer.source.setEventHandler {
      timer.source.cancel()
      guard let options else { return action.run() }
      // A timer's handler can't be a barrier, so the options are applied to an action on the queue.
      self.schedule(options: options) {
        action.run()
        group?.leave()
      }
    }
    timer.source.schedule(deadline: date.dispatchTime, leeway: tolerance.leeway)
    timer.source.activate()
  }

  /// Runs the action on the queue at a date, and then after each interval.
  ///
  /// Runs for which the queue was too busy are skipped. The repetition stops when the result is cancelled or released.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let action = Action(run: action)
    let timer = Timer(on: self)
    timer.source.setEventHandler(qos: options?.qos ?? .unspecified, flags: options?.flags ?? []) { action.run() }
    timer.source.schedule(
      deadline: date.dispatchTime, repeating: .nanoseconds(max(interval.magnitude, 1)), leeway: tolerance.leeway)
    timer.source.activate()
    return AnyCancellable(anywhere: { timer.source.cancel() })
  }
}

// Safety: any thread may call the methods of a dispatch source. (`DispatchQueueTests`)
/// A timer source, whose protocol isn't marked as `Sendable`.
private struct Timer: @unchecked Sendable {
  let source: any DispatchSourceTimer

  init(on queue: DispatchQueue) {
    source = DispatchSource.makeTimerSource(queue: queue)
  }
}

extension DispatchQueue.SchedulerTimeType.Stride {
  /// This interval as a timer's tolerance, which can't be negative.
  fileprivate var leeway: DispatchTimeInterval {
    .nanoseconds(Swift.max(magnitude, 0))
  }
}
#endif
