extension Publisher {
  /// Sends at most one value in each interval, either the first or the latest.
  ///
  ///     source                                             -a-bc---d--|
  ///     .throttle(for: 3, scheduler: clock, latest: true)  -a--c---d--|
  ///
  /// - Demand: requests unlimited values from the upstream. A value that arrives without demand is dropped,
  ///   unless it replaces the one that is scheduled.
  /// - Completion and cancellation: a scheduled value is delivered before the completion, which is delayed until then.
  /// - Threading: values and the completion are delivered on the scheduler.
  ///
  /// - Parameters:
  ///   - interval: the minimum time between two values.
  ///   - scheduler: the scheduler that measures the time and delivers values.
  ///   - latest: whether a value replaces the one that is scheduled; otherwise it is dropped.
  /// - Returns: a publisher of at most one value in each interval.
  @inlinable
  public func throttle<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
  ) -> Publishers.Throttle<Self, S> {
    Publishers.Throttle(upstream: self, interval: interval, scheduler: scheduler, latest: latest)
  }
}

extension Publishers {
  /// A publisher of at most one value in each interval.
  public struct Throttle<Upstream: Publisher, Context: Scheduler>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The minimum time between two values.
    public let interval: Context.SchedulerTimeType.Stride

    /// The scheduler that measures the time and delivers values.
    public let scheduler: Context

    /// Whether a value replaces the one that is scheduled.
    public let latest: Bool

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context, latest: Bool
    ) {
      self.upstream = upstream
      self.interval = interval
      self.scheduler = scheduler
      self.latest = latest
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      let lastDelivery = LastDelivery { [scheduler] in scheduler.now }
      let machine = ThrottleMachine<Output, Failure>(latest: latest)
      let coordinator = Coordinator(
        "Throttle", consume machine, downstream: downstream, keeping: latest ? .last : .first
      ) { [scheduler, interval] coordinator, effect in
        lastDelivery.run(effect.rawValue) { number in
          let isValue = number == ThrottleEffect.scheduleValue.rawValue
          // Pending work doesn't retain the scheduler. (`PendingWorkTests`)
          let arrive = { [weak lastDelivery] in
            if isValue { lastDelivery?.note() }
            coordinator.signal(0)
          }
          let now = scheduler.now
          if isValue, let due = lastDelivery.time?.advanced(by: interval), due > now {
            scheduler.schedule(after: due, arrive)
          } else {
            scheduler.schedule(arrive)
          }
        }
      }
      coordinator.attach(to: upstream)
    }
  }
}

/// The time of the last delivery, which each delivery writes before the next is scheduled.
///
/// Performance: it is also the loop that schedules, which saves an object.
@usableFromInline
final class LastDelivery<Time>: SchedulingLoop {
  @usableFromInline
  let lock = Locked(())

  // Performance: beside the lock, because unspecialized code would look up the type of a lock that contains it.

  // Safety: a thread accesses it only while it has the lock. (`ThrottleTests`, `Threads/repeating`)
  @usableFromInline
  @exclusivity(unchecked)
  var last: Time?

  @usableFromInline
  let now: () -> Time

  @inlinable
  init(now: @escaping () -> Time) {
    self.now = now
  }

  @inlinable
  var time: Time? { lock.withLock { _ in last } }

  /// Records the time, before a value is delivered.
  @inlinable
  func note() {
    var time: Time? = now()
    lock.withLock { _ in swap(&last, &time) }
  }
}

extension Publishers.Throttle: Sendable
where
  Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable, Context.SchedulerTimeType.Stride: Sendable
{}
