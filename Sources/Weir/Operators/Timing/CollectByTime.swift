extension Publisher {
  /// Gathers the values of each time interval into an array.
  ///
  ///     source                       -a-b-       -cd-       -|
  ///     .collect(.byTime(clock, 4))  ----'[a, b]'---'[c, d]'-|
  ///
  /// The intervals are counted from the subscription. A full array does not restart the interval. An interval without
  /// values sends nothing.
  ///
  /// - Demand: with `byTime`, each request requests one value, and each value requests the next one, as in Combine. So
  ///   a subject drops what a second thread sends while it delivers, as it does for each subscriber that requests one
  ///   value at a time. A `buffer` in front keeps it. With `byTimeOrCount`, each requested array requests `count`
  ///   values. Gathered values are kept until there is demand. A full array stays as it is; other values join those of
  ///   the next interval.
  /// - Completion and cancellation: before a normal completion, the gathered values are sent as soon as there is
  ///   demand. A failure drops them. The timer stops at the completion and at a cancellation.
  /// - Threading: arrays and the completion are delivered on the scheduler. One action of the scheduler sends at most
  ///   200 arrays. Another action sends the rest, so that other work of the scheduler can run.
  ///
  /// - Parameters:
  ///   - strategy: how long values are gathered, on which scheduler, and how many at most.
  ///   - options: the scheduler's options for each delivery and for the timer.
  /// - Returns: a publisher of arrays.
  ///
  /// - Precondition: the count of `byTimeOrCount` is positive.
  @inlinable
  public func collect<S: Scheduler>(
    _ strategy: Publishers.TimeGroupingStrategy<S>, options: S.SchedulerOptions? = nil
  ) -> Publishers.CollectByTime<Self, S> {
    Publishers.CollectByTime(upstream: self, strategy: strategy, options: options)
  }
}

extension Publishers {
  /// The conditions that complete an array of gathered values.
  public enum TimeGroupingStrategy<Context: Scheduler> {
    /// Time: one array for each interval of this length.
    case byTime(Context, Context.SchedulerTimeType.Stride)

    /// Time or count: an array is sent when its interval ends, or earlier when it has this many values.
    ///
    ///     source                                 -ab       c-    --d-    --|
    ///     .collect(.byTimeOrCount(clock, 4, 2))  --'[a, b]'-'[c]'---'[d]'--|
    case byTimeOrCount(Context, Context.SchedulerTimeType.Stride, Int)
  }

  /// A publisher of arrays of the values of each time interval.
  public struct CollectByTime<Upstream: Publisher, Context: Scheduler>: _DirectPublisher {
    /// An array of the upstream's values.
    public typealias Output = [Upstream.Output]

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The conditions that complete an array.
    public let strategy: Publishers.TimeGroupingStrategy<Context>

    /// The scheduler's options for each delivery and for the timer.
    public let options: Context.SchedulerOptions?

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that `collect` returns.
    @inlinable
    public init(
      upstream: Upstream, strategy: Publishers.TimeGroupingStrategy<Context>, options: Context.SchedulerOptions?
    ) {
      self.upstream = upstream
      self.strategy = strategy
      self.options = options
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      let (scheduler, interval, count) = strategy.parts
      let (timer, loop) = (TimerSlot(), SchedulingLoop())
      let machine = CollectByTimeMachine<Upstream.Output, Failure>(count: count)
      let coordinator = Coordinator("CollectByTime", consume machine, downstream: downstream) {
        [options] coordinator, effect in
        switch effect {
        case .start(let number):
          timer.start(number) { scheduler.schedule(every: interval, options: options) { coordinator.signal(number) } }
        case .stop(let number):
          timer.stop(number)
        case .schedule(let number):
          loop.run(number) { number in scheduler.schedule(options: options) { coordinator.signal(number) } }
        }
      }
      if count == nil { coordinator.attachOneByOne(to: upstream) } else { coordinator.attach(to: upstream) }
    }
  }
}

extension Publishers.TimeGroupingStrategy {
  @usableFromInline
  var parts: (scheduler: Context, interval: Context.SchedulerTimeType.Stride, count: Int?) {
    switch self {
    case .byTime(let scheduler, let interval):
      return (scheduler, interval, nil)
    case .byTimeOrCount(let scheduler, let interval, let count):
      if count <= 0 { fatalError("collect(.byTimeOrCount) requires a count of at least 1, not \(count).") }
      return (scheduler, interval, count)
    }
  }
}

extension Publishers.TimeGroupingStrategy: Sendable
where Context: Sendable, Context.SchedulerTimeType.Stride: Sendable {}

extension Publishers.CollectByTime: Sendable
where
  Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable, Context.SchedulerTimeType.Stride: Sendable
{}
