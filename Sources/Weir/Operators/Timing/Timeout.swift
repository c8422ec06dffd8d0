extension Publisher {
  /// Ends when nothing has come for too long.
  ///
  ///     source                         -a-b--!
  ///     .timeout(3, scheduler: clock)  -a-b--|
  ///
  /// The time is counted from the subscription, from the first request, and from each value.
  ///
  /// - Demand: requests are forwarded immediately. Demand that is returned for a value is requested on the scheduler.
  /// - Completion and cancellation: when the time is up the upstream is cancelled; the end is normal, or `customError`. A
  ///   value that is on its way arrives before. The timer is stopped at the end and at a cancel.
  /// - Threading: the subscription arrives where it is made, everything else on the scheduler. `customError` runs there.
  ///
  /// - Parameters:
  ///   - interval: how long nothing may come.
  ///   - scheduler: what measures the time, and where events are delivered.
  ///   - options: the scheduler's options for each delivery and for the timer.
  ///   - customError: makes the failure; without it the end is normal.
  /// - Returns: a publisher that ends when nothing comes for so long.
  @inlinable
  public func timeout<S: Scheduler>(
    _ interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
    customError: (() -> Failure)? = nil
  ) -> Publishers.Timeout<Self, S> {
    Publishers.Timeout(
      upstream: self, interval: interval, scheduler: scheduler, options: options, customError: customError)
  }
}

extension Publishers {
  /// A publisher that ends when its upstream sends nothing for too long.
  public struct Timeout<Upstream: Publisher, Context: Scheduler>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// How long nothing may come.
    public let interval: Context.SchedulerTimeType.Stride

    /// What measures the time, and where events are delivered.
    public let scheduler: Context

    /// The scheduler's options for each delivery and for the timer.
    public let options: Context.SchedulerOptions?

    /// What makes the failure.
    public let customError: (() -> Upstream.Failure)?

    @usableFromInline
    package let place = Place()

    /// Creates the publisher that the method of the same name returns.
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?, customError: (() -> Publishers.Timeout<Upstream, Context>.Failure)?
    ) {
      self.upstream = upstream
      self.interval = interval
      self.scheduler = scheduler
      self.options = options
      self.customError = customError
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      let timer = TimerSlot()
      let machine = TimeoutMachine<Output, Failure> { [customError] in
        customError.map { .failure($0()) } ?? .finished
      }
      let coordinator = Coordinator("Timeout", machine, downstream: downstream) {
        [scheduler, options, interval] coordinator, effect in
        switch effect {
        case .start(let number):
          timer.start(number) {
            scheduler.schedule(
              after: scheduler.now.advanced(by: interval), interval: interval, tolerance: scheduler.minimumTolerance,
              options: options
            ) { coordinator.signal(number) }
          }
        case .stop:
          timer.stop(.max)
        case .hop(let number):
          scheduler.schedule(options: options) { coordinator.signal(number) }
        }
      }
      coordinator.attach(to: upstream)
    }
  }
}
