extension Publisher {
  /// Delivers values and the completion later, on a scheduler.
  ///
  ///     source                            -a-b-|
  ///     .delay(for: 3, scheduler: clock)  ----a-b-|
  ///
  /// - Demand: unchanged; what a value brings back is requested from the scheduler.
  /// - Completion and cancellation: a failure is delayed too. The order is kept. After a cancel nothing arrives.
  /// - Threading: the subscription is delivered on the subscribing thread. Values and the completion are delivered on
  ///   the scheduler.
  ///
  /// - Parameters:
  ///   - interval: how much later.
  ///   - tolerance: by how much the delivery may be off; the scheduler's least if there is none.
  ///   - scheduler: where events are delivered.
  ///   - options: the scheduler's options for each delivery.
  /// - Returns: a publisher of the same events, later.
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

    /// How much later.
    public let interval: Context.SchedulerTimeType.Stride

    /// By how much the delivery may be off.
    public let tolerance: Context.SchedulerTimeType.Stride

    /// Where events are delivered.
    public let scheduler: Context

    /// The scheduler's options for each delivery.
    public let options: Context.SchedulerOptions?

    @usableFromInline
    package let place = Place()

    /// Creates the publisher that the method of the same name returns.
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
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.hop("Delay", for: downstream) { [scheduler, options, interval, tolerance] isOverdue, arrive in
        if isOverdue { return scheduler.schedule(options: options, arrive) }
        let due = scheduler.now.advanced(by: interval)
        scheduler.schedule(after: due, tolerance: tolerance, options: options, arrive)
      }
    }
  }
}

extension Publishers.Delay: Sendable
where
  Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable, Context.SchedulerTimeType.Stride: Sendable
{}
