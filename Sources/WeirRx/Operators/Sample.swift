public import Weir

extension Publisher {
  /// Sends the latest value whenever a trigger sends one, if it is new.
  ///
  ///     source            -1-2----3-|
  ///     trigger           ---a-b--c-!
  ///     .sample(trigger)  ---2----3-|
  ///
  /// - Demand: goes to the trigger; one that finds nothing new is asked for again. This publisher is asked for everything,
  ///   before the trigger is asked; of its values only the latest is kept, the others are dropped.
  /// - Completion and cancellation: the end of this publisher or of the trigger ends the whole, and drops what has not
  ///   been sent. The other one is cancelled.
  /// - Threading: values go out where the trigger delivers; several threads are taken one at a time.
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

    /// The publisher whose values these are.
    public let upstream: Upstream

    /// The publisher whose values say when.
    public let trigger: Trigger

    @usableFromInline
    package let place = Place()

    /// Makes the operator; the method of the same name is the usual way.
    @inlinable
    public init(upstream: Upstream, trigger: Trigger) {
      self.upstream = upstream
      self.trigger = trigger
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      Sampled(upstream: upstream, trigger: trigger).map { $0.1 }.attach(downstream)
    }
  }
}

extension Publishers.Sample: Equatable where Upstream: Equatable, Trigger: Equatable {}

/// A publisher of the trigger's values with those that they find.
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
  func _attach(_ downstream: Downstream<Output, Failure>) {
    let machine = LatestMachine<Trigger.Output, Upstream.Output, Failure>(takesOnce: true)
    let coordinator = Coordinator("Sample", machine, downstream: downstream)
    coordinator.attach(to: upstream, as: 1) { .b($0) }
    coordinator.attach(to: trigger, as: 0) { .a($0) }
  }
}

extension Publishers.Sample: Sendable where Upstream: Sendable, Trigger: Sendable {}
