extension Publisher where Output: Publisher, Output.Failure == Failure {
  /// Sends on the values of the latest of the publishers that this one sends.
  ///
  ///     source                                     -1--2-|
  ///     a                                          -^x-!
  ///     b                                          ----^y-y|
  ///     .map { $0 == 1 ? a : b }.switchToLatest()  --x--y-y|
  ///
  /// - Demand: this publisher is asked for everything; what is outstanding is asked of each new publisher in turn.
  /// - Completion and cancellation: a new publisher cancels the one before. Finishes when this publisher and the latest
  ///   have. The first failure, of either, ends the whole.
  /// - Threading: delivery is serialized. A value that arrives during a delivery on another thread is enqueued, and
  ///   that thread delivers it.
  @inlinable
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
    Publishers.SwitchToLatest(upstream: self)
  }
}

extension Publisher where Failure == Never, Output: Publisher {
  /// Sends on the values of the latest of the publishers, which can fail; see `switchToLatest` where both fail alike.
  @inlinable
  public func switchToLatest()
    -> Publishers.SwitchToLatest<Output, Publishers.SetFailureType<Self, Output.Failure>>
  {
    setFailureType(to: Output.Failure.self).switchToLatest()
  }
}

extension Publisher where Failure == Never, Output: Publisher, Output.Failure == Never {
  /// Sends on the values of the latest of the publishers, none of which can fail.
  @inlinable
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
    Publishers.SwitchToLatest(upstream: self)
  }
}

extension Publisher where Output: Publisher, Output.Failure == Never {
  /// Sends on the values of the latest of the publishers, which can't fail themselves.
  @inlinable
  public func switchToLatest()
    -> Publishers.SwitchToLatest<
      Publishers.SetFailureType<Output, Failure>, Publishers.Map<Self, Publishers.SetFailureType<Output, Failure>>
    >
  {
    map { $0.setFailureType(to: Failure.self) }.switchToLatest()
  }
}

extension Publishers {
  /// A publisher of what the latest of the publishers sends that its upstream sends.
  @frozen
  public struct SwitchToLatest<P: Publisher, Upstream: Publisher>: _DirectPublisher
  where P == Upstream.Output, P.Failure == Upstream.Failure {
    /// The values are those of the latest publisher.
    public typealias Output = P.Output

    /// The failure type of all publishers.
    public typealias Failure = P.Failure

    /// The publisher of publishers.
    public let upstream: Upstream

    @usableFromInline
    package let place = Place()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(downstream, toLatestOf: { $0 }, named: "SwitchToLatest")
    }
  }
}

extension Publisher {
  /// Attaches a downstream that hears the latest of the publishers which a closure makes of values.
  @inlinable
  package func attach<Opened: Publisher>(
    _ downstream: Downstream<Opened.Output, Failure>, toLatestOf open: @escaping (Output) -> Opened,
    named name: StaticString
  ) where Opened.Failure == Failure {
    let coordinator = Coordinator(name, SwitchMachine<Opened.Output, Failure>(), downstream: downstream)
    // The subscription goes downstream first, as in Combine.
    coordinator.begin()
    coordinator.attach(to: self, opening: open)
  }
}

extension Publishers.SwitchToLatest: Sendable where Upstream: Sendable {}
