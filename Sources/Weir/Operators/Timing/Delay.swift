extension Publisher {
  /// Delivers values and the completion later, on a scheduler.
  ///
  ///     source                            -a-b-|
  ///     .delay(for: 3, scheduler: clock)  ----a-b-|
  ///
  /// - Demand: forwarded unchanged. Demand that is returned for a value is requested on the scheduler.
  /// - Completion and cancellation: a failure is delayed too. The order of events is preserved. A cancellation drops
  ///   the pending events.
  /// - Threading: the subscription is delivered on the subscribing thread. Values and the completion are delivered on
  ///   the scheduler.
  ///
  /// - Parameters:
  ///   - interval: the delay.
  ///   - tolerance: the tolerance of the delivery's time; the scheduler's minimum if it is `nil`.
  ///   - scheduler: the scheduler that delivers events.
  ///   - options: the scheduler's options for each delivery.
  /// - Returns: a publisher of the same events, delayed.
  @inlinable
  public func delay<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> Publishers.Delay<Self, S> {
    Publishers.Delay(
      upstream: self, interval: interval, tolerance: tolerance ?? scheduler.minimumTolerance, scheduler: scheduler,
      options: options)
  }
}

extension Publishers {
  /// A publisher that delivers its upstream's events later.
  public struct Delay<Upstream: Publisher, Context: Scheduler>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The delay.
    public let interval: Context.SchedulerTimeType.Stride

    /// The tolerance of the delivery's time.
    public let tolerance: Context.SchedulerTimeType.Stride

    /// The scheduler that delivers events.
    public let scheduler: Context

    /// The scheduler's options for each delivery.
    public let options: Context.SchedulerOptions?

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, tolerance: Context.SchedulerTimeType.Stride,
      scheduler: Context, options: Context.SchedulerOptions? = nil
    ) {
      self.upstream = upstream
      self.interval = interval
      self.tolerance = tolerance
      self.scheduler = scheduler
      self.options = options
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      let hop = Hop("Delay", for: downstream) { [scheduler, options, interval, tolerance] action, isOverdue in
        if isOverdue { return scheduler.schedule(options: options, action) }
        let due = scheduler.now.advanced(by: interval)
        scheduler.schedule(after: due, tolerance: tolerance, options: options, action)
      }
      upstream.attach(hop.events)
    }
  }
}

extension Publishers.Delay: Sendable
where
  Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable, Context.SchedulerTimeType.Stride: Sendable
{}
