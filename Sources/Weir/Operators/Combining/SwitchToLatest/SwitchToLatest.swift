extension Publisher where Output: Publisher, Output.Failure == Failure {
  /// Forwards the values of the most recent inner publisher.
  ///
  ///     source                                     -1--2-|
  ///     a                                          -^x-!
  ///     b                                          ----^y-y|
  ///     .map { $0 == 1 ? a : b }.switchToLatest()  --x--y-y|
  ///
  /// - Demand: requests unlimited values from this publisher. The outstanding demand is requested from each new inner
  ///   publisher.
  /// - Completion and cancellation: a new inner publisher cancels the previous one. Finishes when this publisher and
  ///   the latest inner publisher have finished. The first failure of either is forwarded, and cancels the other.
  /// - Threading: delivery is serialized. A value that arrives during a delivery on another thread is enqueued, and
  ///   that thread delivers it.
  @inlinable
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
    Publishers.SwitchToLatest(upstream: self)
  }
}

extension Publisher where Failure == Never, Output: Publisher {
  /// Forwards the values of the latest inner publisher, which can fail; see `switchToLatest` with equal failures.
  @inlinable
  public func switchToLatest()
    -> Publishers.SwitchToLatest<Output, Publishers.SetFailureType<Self, Output.Failure>>
  {
    setFailureType(to: Output.Failure.self).switchToLatest()
  }
}

extension Publisher where Failure == Never, Output: Publisher, Output.Failure == Never {
  /// Forwards the values of the latest inner publisher, if neither can fail; see the general `switchToLatest`.
  @inlinable
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
    Publishers.SwitchToLatest(upstream: self)
  }
}

extension Publisher where Output: Publisher, Output.Failure == Never {
  /// Forwards the values of the latest inner publisher, which never fails; see `switchToLatest` with equal failures.
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
  /// A publisher that forwards the values of the most recent inner publisher.
  @frozen
  public struct SwitchToLatest<P: Publisher, Upstream: Publisher>: _DirectPublisher
  where P == Upstream.Output, P.Failure == Upstream.Failure {
    /// The output type of the inner publishers.
    public typealias Output = P.Output

    /// The failure type of all publishers.
    public typealias Failure = P.Failure

    /// The upstream, which sends publishers.
    public let upstream: Upstream

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(downstream, toLatestOf: { $0 }, named: "SwitchToLatest")
    }
  }
}

extension Publisher {
  /// Attaches a downstream to the latest of the publishers that a closure creates from this publisher's values.
  @inlinable
  package func attach<Opened: Publisher>(
    _ downstream: consuming Downstream<Opened.Output, Failure>, toLatestOf open: @escaping (Output) -> Opened,
    named name: StaticString
  ) where Opened.Failure == Failure {
    let coordinator = Coordinator(name, SwitchMachine<Opened.Output, Failure>(), downstream: downstream)
    // As in Combine, the downstream receives its subscription before the upstream is subscribed to.
    coordinator.begin()
    coordinator.attach(to: self, takingScalars: true, opening: open)
  }
}

extension Publishers.SwitchToLatest: Sendable where Upstream: Sendable {}
