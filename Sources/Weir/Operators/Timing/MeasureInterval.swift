extension Publisher {
  /// Sends the time between values instead of the values.
  ///
  ///     source                          --a-b---c|
  ///     .measureInterval(using: clock)  --2-2---4|
  ///
  /// - Demand: forwarded unchanged.
  /// - Completion and cancellation: forwarded unchanged. No interval is sent for the completion.
  /// - Threading: delivers on the thread on which the upstream delivers. The scheduler only provides the time.
  ///
  /// - Parameters:
  ///   - scheduler: the scheduler that measures the time; the first interval begins with the subscription.
  ///   - options: Unused, because nothing is scheduled.
  /// - Returns: a publisher of the times between values.
  @inlinable
  public func measureInterval<S: Scheduler>(
    using scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.MeasureInterval<Self, S> {
    Publishers.MeasureInterval(upstream: self, scheduler: scheduler)
  }
}

extension Publishers {
  /// A publisher of the time between its upstream's values.
  public struct MeasureInterval<Upstream: Publisher, Context: Scheduler>: _DirectPublisher {
    /// A stride of the scheduler's time.
    public typealias Output = Context.SchedulerTimeType.Stride

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The scheduler that measures the time.
    public let scheduler: Context

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, scheduler: Context) {
      self.upstream = upstream
      self.scheduler = scheduler
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(downstream, through: MeasureIntervalOperator<Upstream.Output, _, Failure>(scheduler))
    }
  }
}

@usableFromInline
struct MeasureIntervalOperator<Input, Context: Scheduler, Failure: Error>: ForwardingOperator {
  @usableFromInline
  typealias Output = Context.SchedulerTimeType.Stride

  @usableFromInline
  let scheduler: Context

  /// The time of the previous value, or of the subscription.
  @usableFromInline
  var last: Context.SchedulerTimeType?

  @inlinable
  init(_ scheduler: Context) {
    self.scheduler = scheduler
  }

  @usableFromInline
  static var name: StaticString { "MeasureInterval" }

  @inlinable
  static var requestsReturnedDemand: Bool { true }

  @inlinable
  mutating func begin() {
    last = scheduler.now
  }

  @inlinable
  mutating func next(_ input: Input) -> OperatorResult<Output, Failure> {
    let now = scheduler.now
    let interval = (last ?? now).distance(to: now)
    last = now
    return .emit(interval)
  }
}

extension Publishers.MeasureInterval: Sendable where Upstream: Sendable, Context: Sendable {}
