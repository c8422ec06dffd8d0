extension Publisher {
  /// Gathers the values of each stretch of time into an array.
  ///
  ///     source                       -a-b-       -c-d       -|
  ///     .collect(.byTime(clock, 4))  ----'[a, b]'---'[c, d]'-|
  ///
  /// The time is divided from the subscription on, and a full array doesn't change that. A stretch in which nothing comes
  /// sends nothing.
  ///
  /// - Demand: by time, each request asks for one value, and each value for the next, as in Combine. So a subject drops
  ///   what a second thread sends while it delivers, as it does to all that ask for one at a time; a `buffer` in front
  ///   keeps it. By time or count, asks for as many values as fill the arrays that are asked for. What has been gathered
  ///   is kept until there is demand: it joins the values of the next stretch, or waits as the full array that it is.
  /// - Completion and cancellation: what has been gathered is sent before a normal end, as soon as there is demand for it.
  ///   A failure drops it. The timer is stopped at the end and at a cancel.
  /// - Threading: arrays and the completion arrive on the scheduler. One action of the scheduler sends at most 200 arrays,
  ///   and another action the rest, so that other work has its turn.
  ///
  /// - Parameters:
  ///   - strategy: how long values are gathered, on which scheduler, and how many at the most.
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
  /// What ends an array of gathered values.
  public enum TimeGroupingStrategy<Context: Scheduler> {
    /// The time: one array for each stretch of so long.
    case byTime(Context, Context.SchedulerTimeType.Stride)

    /// The time, or before that so many values.
    ///
    ///     source                                 -ab       c-    ---d    --|
    ///     .collect(.byTimeOrCount(clock, 4, 2))  --'[a, b]'-'[c]'---'[d]'--|
    case byTimeOrCount(Context, Context.SchedulerTimeType.Stride, Int)
  }

  /// A publisher of arrays of the values that came in each stretch of time.
  public struct CollectByTime<Upstream: Publisher, Context: Scheduler>: _DirectPublisher {
    /// An array of the upstream's values.
    public typealias Output = [Upstream.Output]

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// What ends an array.
    public let strategy: Publishers.TimeGroupingStrategy<Context>

    /// The scheduler's options for each delivery and for the timer.
    public let options: Context.SchedulerOptions?

    @usableFromInline
    package let place = Place()

    /// Creates the publisher that `collect` returns.
    public init(
      upstream: Upstream, strategy: Publishers.TimeGroupingStrategy<Context>, options: Context.SchedulerOptions?
    ) {
      self.upstream = upstream
      self.strategy = strategy
      self.options = options
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      let (scheduler, interval, count) = strategy.parts
      let timer = TimerSlot()
      let machine = CollectByTimeMachine<Upstream.Output, Failure>(count: count)
      let coordinator = Coordinator("CollectByTime", machine, downstream: downstream) {
        [options] coordinator, effect in
        switch effect {
        case .start:
          timer.start(0) {
            scheduler.schedule(
              after: scheduler.now.advanced(by: interval), interval: interval, tolerance: scheduler.minimumTolerance,
              options: options
            ) { coordinator.signal(0) }
          }
        case .stop:
          timer.stop(.max)
        case .hop:
          scheduler.schedule(options: options) { coordinator.signal(1) }
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
      if count <= 0 { fatalError("An array of collected values needs a positive count: at least 1, not \(count).") }
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
