extension Publisher {
  /// Delivers values and the completion on a scheduler.
  ///
  ///     source         --1--2--|
  ///     receive(on: s) ---1--2--|   on s
  ///
  /// - Demand: requests go upstream at once; what a value brings back is requested from the scheduler.
  /// - Completion and cancellation: the order is kept, on a concurrent scheduler too. After a cancel nothing that is on
  ///   its way arrives.
  /// - Threading: the subscription arrives where it is made, everything else on the scheduler.
  @inlinable
  public func receive<S: Scheduler>(on scheduler: S, options: S.SchedulerOptions? = nil)
    -> Publishers.ReceiveOn<Self, S>
  {
    Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// A publisher that delivers its upstream's events on a scheduler.
  public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output

    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The publisher whose events are delivered.
    public let upstream: Upstream

    /// Where they are delivered.
    public let scheduler: Context

    /// What is chosen for each delivery.
    public let options: Context.SchedulerOptions?

    /// Makes the operator; the method of the same name is the usual way.
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    /// Attaches a subscriber.
    @inlinable
    @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.hop("ReceiveOn", for: subscriber) { [scheduler, options] arrive in
        scheduler.schedule(options: options, arrive)
      }
    }
  }
}
