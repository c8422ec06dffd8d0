extension Publisher {
  /// Turns each value into a publisher and sends on what all of those send, as it comes.
  ///
  ///     source                        -1--2-|
  ///     a                             -^x-x--x   |
  ///     b                             ----^y-y   |
  ///     .flatMap { $0 == 1 ? a : b }  --x-xy-(xy)|
  ///
  /// - Demand: so many values are asked of this publisher at first, and one more whenever one of the others finishes.
  ///   Unlimited demand goes to all of those; with a finite demand each is asked for one value ahead.
  /// - Completion and cancellation: finishes when this publisher and all of the others have. The first failure cancels
  ///   the rest.
  /// - Threading: the closure runs where this publisher delivers; values of several threads are delivered one at a time,
  ///   by the thread that came first.
  @inlinable
  public func flatMap<T, P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where T == P.Output, P.Failure == Failure {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}

extension Publisher where Failure == Never {
  /// Turns each value into a publisher that can fail, and sends on what all of those send; see
  /// `flatMap` where both fail alike.
  @inlinable
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> {
    setFailureType(to: P.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
  }

  /// Maps each value to a publisher that never fails, and merges their values.
  @inlinable
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}

extension Publisher {
  /// Maps each value to a publisher that never fails, and merges their values.
  @inlinable
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self> where P.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers) { transform($0).setFailureType(to: Failure.self) }
  }
}

extension Publishers {
  /// A publisher of what the publishers send that a closure makes of the upstream's values.
  @frozen
  public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: _DirectPublisher
  where NewPublisher.Failure == Upstream.Failure {
    /// The values are those of the publishers that the closure makes.
    public typealias Output = NewPublisher.Output

    /// The failure type of all publishers.
    public typealias Failure = Upstream.Failure

    /// The publisher whose values become publishers.
    public let upstream: Upstream

    /// How many of them may be open at once.
    public let maxPublishers: Subscribers.Demand

    /// What makes a publisher of a value.
    public let transform: (Upstream.Output) -> NewPublisher

    @usableFromInline
    package let place = Place()

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
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      Coordinator("FlatMap", GatheredUpstreams(limit: maxPublishers), downstream, answersRequests: true)
        .attach(to: upstream, opening: transform)
    }
  }
}
