extension Publisher {
  /// Completes when no value arrives for an interval.
  ///
  ///     source                         -a-b--!
  ///     .timeout(3, scheduler: clock)  -a-b--|
  ///
  /// The interval restarts at the subscription, at the first request, and at each value.
  ///
  /// - Demand: requests are forwarded immediately. Demand that is returned for a value is requested on the scheduler.
  /// - Completion and cancellation: when the interval ends, the upstream is cancelled. The completion is normal, or the
  ///   failure that `customError` creates. Values that are in flight are delivered first. The timer stops at the
  ///   completion and at a cancellation.
  /// - Threading: the subscription is delivered on the subscribing thread. Values and the completion are delivered on
  ///   the scheduler, and `customError` runs there.
  ///
  /// - Parameters:
  ///   - interval: the maximum time without a value.
  ///   - scheduler: the scheduler that measures the time and delivers events.
  ///   - options: the scheduler's options for each delivery and for the timer.
  ///   - customError: creates the failure; without it the completion is normal.
  /// - Returns: a publisher that completes when no value arrives for the interval.
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
  /// A publisher that completes when its upstream sends no value for an interval.
  public struct Timeout<Upstream: Publisher, Context: Scheduler>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The maximum time without a value.
    public let interval: Context.SchedulerTimeType.Stride

    /// The scheduler that measures the time and delivers events.
    public let scheduler: Context

    /// The scheduler's options for each delivery and for the timer.
    public let options: Context.SchedulerOptions?

    /// The closure that creates the failure.
    public let customError: (() -> Upstream.Failure)?

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
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
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      let timeout = HopTimeout(completion: { [customError] in customError.map { .failure($0()) } ?? .finished }) {
        [scheduler, options, interval] in scheduler.schedule(every: interval, options: options, $0)
      }
      let hop = Hop("Timeout", timeout: timeout, for: downstream) { [scheduler, options] action, _ in
        scheduler.schedule(options: options, action)
      }
      upstream.attach(hop.events)
    }
  }
}
