extension Publisher {
  /// Sends a value when no other value has followed it for an interval.
  ///
  ///     source                               -a-bc---d-|
  ///     .debounce(for: 2, scheduler: clock)  ------c---|
  ///
  /// - Demand: requests unlimited values from the upstream. A value that is due without demand is dropped.
  /// - Completion and cancellation: the completion drops a pending value. The completion is delivered on the scheduler.
  /// - Threading: values and the completion are delivered on the scheduler. The interval of a value that arrives while
  ///   the subscriber handles another one begins when that has returned.
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
      let timer = TimerSlot()
      let machine = DebounceMachine<Output, Failure>()
      let coordinator = Coordinator("Debounce", consume machine, downstream: downstream, keeping: .last) {
        [scheduler, options, dueTime] coordinator, effect in
        guard case .schedule(let number) = effect else {
          return effect.perform(for: coordinator, with: timer, on: scheduler, every: dueTime, options: options)
        }
        timer.stop(number)
        // Combine passes the options only to the delivery of a value, not to that of the completion.
        scheduler.schedule { coordinator.signal(number) }
      }
      coordinator.attach(to: upstream)
    }
  }
}

extension Publishers.Debounce: Sendable
where
  Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable, Context.SchedulerTimeType.Stride: Sendable
{}
