extension Publisher {
  /// Sends a value when no other value has followed it for an interval.
  ///
  ///     source                               -a-bc---d-|
  ///     .debounce(for: 2, scheduler: clock)  ------c---|
  ///
  /// - Demand: requests unlimited values from the upstream. A value that is due without demand is dropped.
  /// - Completion and cancellation: the completion drops a pending value. The completion is delivered on the scheduler.
  /// - Threading: values and the completion are delivered on the scheduler. The interval of a value begins when it
  ///   arrives, also while the subscriber handles another one. A value that is due is then delivered when that has
  ///   returned; no later value or completion drops it. Which of two values is delivered is not defined if the second one
  ///   arrives exactly when the first one is due.
  ///
  /// - Parameters:
  ///   - dueTime: how long no other value must follow.
  ///   - scheduler: the scheduler that measures the time and delivers values.
  ///   - options: the scheduler's options for the timer that delivers a value. The completion is scheduled without
  ///     options, as in Combine.
  /// - Returns: a publisher of the values that were followed by a pause.
  @inlinable
  public func debounce<S: Scheduler>(
    for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Debounce<Self, S> {
    Publishers.Debounce(upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// A publisher of the values that no other value followed for an interval.
  public struct Debounce<Upstream: Publisher, Context: Scheduler>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// How long no other value must follow.
    public let dueTime: Context.SchedulerTimeType.Stride

    /// The scheduler that measures the time and delivers values.
    public let scheduler: Context

    /// The scheduler's options for the timer that delivers a value.
    public let options: Context.SchedulerOptions?

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(
      upstream: Upstream, dueTime: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?
    ) {
      self.upstream = upstream
      self.dueTime = dueTime
      self.scheduler = scheduler
      self.options = options
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      let hop = DebounceHop(
        for: downstream,
        startTimer: { [scheduler, options, dueTime] hop, number in
          scheduler.schedule(every: dueTime, options: options) { hop.fire(number) }
        },
        schedule: { [scheduler, options] action, isOverdue in
          // Combine passes the options only to the delivery of a value, not to that of the completion.
          scheduler.schedule(options: isOverdue ? options : nil, action)
        })
      upstream.attach(hop.debouncedEvents)
    }
  }
}

extension Publishers.Debounce: Sendable
where
  Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable, Context.SchedulerTimeType.Stride: Sendable
{}
