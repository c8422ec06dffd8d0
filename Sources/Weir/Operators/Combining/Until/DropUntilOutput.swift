extension Publisher {
  /// Leaves values out until another publisher sends one.
  ///
  ///     source                         -1-2-   3-4-|
  ///     other                          ----(a!)
  ///     .drop(untilOutputFrom: other)  -----   3-4-|
  ///
  /// - Demand: unchanged; a value that is left out is not asked for again. The other is asked for one value.
  /// - Completion and cancellation: the other is cancelled at its value; its end before that ends the whole. The end of
  ///   this publisher cancels the other.
  /// - Threading: delivery is serialized. A value that arrives during a delivery on another thread is enqueued, and
  ///   that thread delivers it.
  @inlinable
  public func drop<P: Publisher>(untilOutputFrom publisher: P) -> Publishers.DropUntilOutput<Self, P>
  where P.Failure == Failure {
    Publishers.DropUntilOutput(upstream: self, other: publisher)
  }
}

extension Publishers {
  /// A publisher of the values that come after the first of another publisher.
  @frozen
  public struct DropUntilOutput<Upstream: Publisher, Other: Publisher>: _DirectPublisher
  where Upstream.Failure == Other.Failure {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The failure is that of either.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The publisher whose first value opens the way.
    public let other: Other

    @usableFromInline
    package let place = Place()

    /// Makes the operator; `drop` is the usual way.
    @inlinable
    public init(upstream: Upstream, other: Other) {
      self.upstream = upstream
      self.other = other
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      let coordinator = Coordinator(
        "DropUntilOutput", UntilMachine<Output, Failure>(opensAtSignal: true), downstream: downstream)
      coordinator.begin()
      coordinator.attach(toSignals: other, as: 1) { $0 }
      coordinator.attach(to: upstream)
    }
  }
}

extension Publishers.DropUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}

extension Publishers.DropUntilOutput: Sendable where Upstream: Sendable, Other: Sendable {}
