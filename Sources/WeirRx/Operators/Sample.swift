public import Weir

extension Publisher {
  /// Sends the latest value, if it is new, each time a trigger sends a value.
  ///
  ///     source            -1-2----3-|
  ///     trigger           ---a-b--c-!
  ///     .sample(trigger)  ---2----3-|
  ///
  /// - Demand: forwarded to the trigger, plus one for each trigger value that finds no new value. Requests unlimited
  ///   demand from this publisher before it requests values from the trigger. Only this publisher's latest value is
  ///   kept.
  /// - Completion and cancellation: the completion of this publisher or of the trigger completes the operator, and
  ///   drops an unsent value. The other publisher is cancelled.
  /// - Threading: values are delivered where the trigger delivers. Delivery is serialized.
  @inlinable
  public func sample<P: Publisher>(_ trigger: P) -> Publishers.Sample<Self, P> where P.Failure == Failure {
    Publishers.Sample(upstream: self, trigger: trigger)
  }
}

extension Publishers {
  /// A publisher of the upstream's latest value at each value of a trigger.
  public struct Sample<Upstream: Publisher, Trigger: Publisher>: _DirectPublisher
  where Upstream.Failure == Trigger.Failure {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output

    /// The failure is that of either.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The publisher whose values trigger a delivery.
    public let trigger: Trigger

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the operator; the method of the same name is the usual way to create it.
    @inlinable
    public init(upstream: Upstream, trigger: Trigger) {
      self.upstream = upstream
      self.trigger = trigger
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      Sampled(upstream: upstream, trigger: trigger).map { $0.1 }.attach(downstream)
    }
  }
}

extension Publishers.Sample: Equatable where Upstream: Equatable, Trigger: Equatable {}

/// A publisher of the trigger's values, each with the upstream's latest value.
@usableFromInline
struct Sampled<Upstream: Publisher, Trigger: Publisher>: _DirectPublisher where Upstream.Failure == Trigger.Failure {
  @usableFromInline
  typealias Output = (Trigger.Output, Upstream.Output)

  @usableFromInline
  typealias Failure = Upstream.Failure

  @usableFromInline
  let upstream: Upstream

  @usableFromInline
  let trigger: Trigger

  @inlinable
  init(upstream: Upstream, trigger: Trigger) {
    self.upstream = upstream
    self.trigger = trigger
  }

  @inlinable
  func _attach(_ downstream: consuming Downstream<Output, Failure>) {
    let machine = LatestMachine<Trigger.Output, Upstream.Output, Failure>(takesOnce: true)
    let coordinator = Coordinator("Sample", consume machine, downstream: downstream, keeping: .last)
    coordinator.attach(to: upstream, as: 1) { .b($0) }
    coordinator.attach(to: trigger, as: 0) { .a($0) }
  }
}

extension Publishers.Sample: Sendable where Upstream: Sendable, Trigger: Sendable {}
