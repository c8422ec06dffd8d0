extension Publisher {
  /// Delivers values and the completion on a scheduler.
  ///
  ///     source               -a-b-|
  ///     .receive(on: clock)  -a-b-|
  ///
  /// - Demand: requests are forwarded immediately. Demand that is returned for a value is requested on the scheduler.
  /// - Completion and cancellation: the order of events is preserved, also on a concurrent scheduler. A cancellation
  ///   drops the events that are in flight.
  /// - Threading: the subscription is delivered on the subscribing thread. Values and the completion are delivered on
  ///   the scheduler.
  @inlinable
  public func receive<S: Scheduler>(on scheduler: S, options: S.SchedulerOptions? = nil)
    -> Publishers.ReceiveOn<Self, S>
  {
    Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options)
  }

  /// Delivers values and the completion on a scheduler, with a hop for each value or for all pending values.
  ///
  /// - Demand: requests are forwarded immediately. Demand that is returned for a value is requested on the scheduler.
  /// - Completion and cancellation: the order of events is preserved, also on a concurrent scheduler. A cancellation
  ///   drops the events that are in flight.
  /// - Threading: the subscription is delivered on the subscribing thread. Values and the completion are delivered on
  ///   the scheduler. With `.oneForAll`, one hop delivers up to 200 pending values, before other work of the scheduler.
  ///   Another hop delivers the rest.
  @inlinable
  public func receive<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil, hops: Publishers.HopStrategy
  ) -> Publishers.ReceiveOn<Self, S> {
    Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options, hops: hops)
  }
}

extension Publishers {
  /// How often a scheduler is used to deliver values.
  public enum HopStrategy: Hashable, Sendable {
    /// Once for each value, and for the completion.
    case oneForEach

    /// Once for up to 200 values that are pending when the scheduler runs the hop.
    ///
    /// This is many times faster when values arrive in quick succession.
    case oneForAll
  }

  /// A publisher that delivers its upstream's events on a scheduler.
  public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The scheduler that delivers events.
    public let scheduler: Context

    /// The scheduler's options for each delivery.
    public let options: Context.SchedulerOptions?

    /// How often the scheduler is used.
    public let hops: HopStrategy

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.init(upstream: upstream, scheduler: scheduler, options: options, hops: .oneForEach)
    }

    /// Creates the publisher that `receive(on:options:hops:)` returns.
    @inlinable
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?, hops: HopStrategy) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
      self.hops = hops
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      let hop = Hop("ReceiveOn", drains: hops == .oneForAll, for: downstream) { [scheduler, options] action, _ in
        scheduler.schedule(options: options, action)
      }
      upstream.attach(hop.events)
    }
  }
}

extension Publishers.ReceiveOn: Sendable
where Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable {}
