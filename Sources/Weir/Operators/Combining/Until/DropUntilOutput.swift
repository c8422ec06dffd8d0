extension Publisher {
  /// Drops values until another publisher sends one.
  ///
  ///     source                         -1-2-   3-4-|
  ///     other                          ----(a!)
  ///     .drop(untilOutputFrom: other)  -----   3-4-|
  ///
  /// - Demand: forwarded unchanged. Dropped values are not requested again. One value is requested from the other
  ///   publisher.
  /// - Completion and cancellation: the other publisher's value cancels its subscription. If the other completes
  ///   without a value, its completion is forwarded. A completion of this publisher cancels the other.
  /// - Threading: delivery is serialized. A value that arrives during a delivery on another thread is enqueued, and
  ///   that thread delivers it.
  @inlinable
  public func drop<P: Publisher>(untilOutputFrom publisher: P) -> Publishers.DropUntilOutput<Self, P>
  where P.Failure == Failure {
    Publishers.DropUntilOutput(upstream: self, other: publisher)
  }
}

extension Publishers {
  /// A publisher of the values that arrive after another publisher's first value.
  @frozen
  public struct DropUntilOutput<Upstream: Publisher, Other: Publisher>: _DirectPublisher
  where Upstream.Failure == Other.Failure {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The failure type of both publishers.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The publisher whose first value ends the dropping.
    public let other: Other

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that `drop` returns.
    @inlinable
    public init(upstream: Upstream, other: Other) {
      self.upstream = upstream
      self.other = other
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      let coordinator = Coordinator(
        "DropUntilOutput", UntilMachine<Output, Failure>(opensAtSignal: true), downstream: downstream)
      coordinator.begin()
      coordinator.attach(toSignals: other, as: 1) { $0.erased }
      coordinator.attach(to: upstream)
    }
  }
}

extension Publishers.DropUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}

extension Publishers.DropUntilOutput: Sendable where Upstream: Sendable, Other: Sendable {}
