#if canImport(Dispatch)
public import Dispatch
public import Weir

/// Makes every dispatch queue a scheduler.
///
/// - Threading: actions run on the queue. A serial queue keeps the order in which they were scheduled; a concurrent one
///   may run several at once.
/// - Time: the clock of `DispatchTime`, which stands still while the computer sleeps. A tolerance is kept as it is given:
///   the timers of `asyncAfter` would add a tenth of the delay on their own.
/// - Cancellation: idempotent, from any thread. No action begins after a cancel on the queue itself; one that runs on the
///   queue while another thread cancels comes to its end. The queue lets go of a cancelled action when it gets to it.
extension DispatchQueue: Scheduler {
  // Safety: the flags are a number, which Dispatch doesn't mark as `Sendable`; the other properties are. (`DispatchQueueTests`)
  /// What can be chosen for a single action.
  public struct SchedulerOptions: @unchecked Sendable {
    /// How important the action is.
    public var qos: DispatchQoS

    /// How the queue treats the action, for instance as a barrier.
    public var flags: DispatchWorkItemFlags

    /// The group that waits for the action, from when it is scheduled until it has run.
    ///
    /// One that repeats never has run, so no group waits for it.
    public var group: DispatchGroup?

    /// Makes options; what is left out is left to the queue.
    public init(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], group: DispatchGroup? = nil) {
      self.qos = qos
      self.flags = flags
      self.group = group
    }
  }

  /// The time at present.
  public var now: SchedulerTimeType {
    SchedulerTimeType(.now())
  }

  /// None: an action may be asked for at an exact time.
  public var minimumTolerance: SchedulerTimeType.Stride {
    .nanoseconds(0)
  }

  /// Runs the action on the queue as soon as possible, but never before this call has returned.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let action = Action(run: action)
    async(
      group: options?.group, qos: options?.qos ?? .unspecified, flags: options?.flags ?? [], execute: { action.run() })
  }

  /// Runs the action on the queue once the time has come; never if that is the distant future.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    // A timer that never fires would keep the action forever.
    if date.dispatchTime == .distantFuture { return }
    let action = Action(run: action)
    let timer = Timer(on: self)
    let group = options?.group
    group?.enter()
    // The handler keeps the timer, without which it would not fire; cancelling breaks the circle.
    timer.source.setEventHandler {
      timer.source.cancel()
      guard let options else { return action.run() }
      // A timer's handler can't be a barrier, so the choices are left to the queue.
      self.schedule(options: options) {
        action.run()
        group?.leave()
      }
    }
    timer.source.schedule(deadline: date.dispatchTime, leeway: tolerance.leeway)
    timer.source.activate()
  }

  /// Runs the action on the queue once the time has come, and then after each interval.
  ///
  /// Runs that the queue was too busy for are left out. It ends when the result is cancelled or let go of.
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
    return AnyCancellable { timer.source.cancel() }
  }
}

// Safety: the methods of a dispatch source may be called on any thread. (`DispatchQueueTests`)
/// A timer source, whose protocol doesn't say that it is `Sendable`.
private struct Timer: @unchecked Sendable {
  let source: any DispatchSourceTimer

  init(on queue: DispatchQueue) {
    source = DispatchSource.makeTimerSource(queue: queue)
  }
}

extension DispatchQueue.SchedulerTimeType.Stride {
  /// This as a timer's tolerance, which can't be negative.
  fileprivate var leeway: DispatchTimeInterval {
    .nanoseconds(Swift.max(magnitude, 0))
  }
}
#endif
