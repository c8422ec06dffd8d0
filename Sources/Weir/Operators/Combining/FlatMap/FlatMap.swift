extension Publisher {
  /// Maps each value to an inner publisher, and merges their values.
  ///
  ///     source                        -1--2-|
  ///     a                             -^x-x--x   |
  ///     b                             ----^y-y   |
  ///     .flatMap { $0 == 1 ? a : b }  --x-xy-(xy)|
  ///
  /// - Demand: requests `maxPublishers` values from this publisher, and one more each time an inner publisher has
  ///   finished and its values have been delivered. Unlimited demand is forwarded to every inner publisher. With finite
  ///   demand, one value ahead is requested from each inner publisher.
  /// - Completion and cancellation: finishes when this publisher and all inner publishers have finished. The first
  ///   failure cancels the others.
  /// - Threading: the closure runs on the thread on which this publisher delivers. Delivery is serialized. A value that
  ///   arrives during a delivery on another thread is enqueued, and that thread delivers it.
  @inlinable
  public func flatMap<T, P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where T == P.Output, P.Failure == Failure {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}

extension Publisher where Failure == Never {
  /// Maps each value to an inner publisher that can fail; see `flatMap` with equal failure types.
  @inlinable
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> {
    setFailureType(to: P.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
  }

  /// Maps each value to an inner publisher that never fails; see `flatMap` with equal failure types.
  @inlinable
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}

extension Publisher {
  /// Maps each value to an inner publisher that never fails; see `flatMap` with equal failure types.
  @inlinable
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self> where P.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers) { transform($0).setFailureType(to: Failure.self) }
  }
}

extension Publishers {
  /// A publisher that maps each upstream value to an inner publisher and merges their values.
  @frozen
  public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: _DirectPublisher
  where NewPublisher.Failure == Upstream.Failure {
    /// The output type of the inner publishers.
    public typealias Output = NewPublisher.Output

    /// The failure type of all publishers.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The maximum number of concurrent inner publishers.
    public let maxPublishers: Subscribers.Demand

    /// The closure that maps a value to an inner publisher.
    public let transform: (Upstream.Output) -> NewPublisher

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(
      upstream: Upstream, maxPublishers: Subscribers.Demand,
      transform: @escaping (Upstream.Output) -> NewPublisher
    ) {
      self.upstream = upstream
      self.maxPublishers = maxPublishers
      self.transform = transform
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      Coordinator("FlatMap", MergedUpstreams(limit: maxPublishers), downstream, answersRequests: true)
        .attach(to: upstream, takingScalars: maxPublishers == .unlimited, opening: transform)
    }
  }
}
