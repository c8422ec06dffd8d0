extension Publisher {
  /// Lets values through until another publisher sends one.
  ///
  ///     source                           -1-2!
  ///     other                            ----(a!)
  ///     .prefix(untilOutputFrom: other)  -1-2|
  ///
  /// - Demand: unchanged. The other is asked for one value.
  /// - Completion and cancellation: the other's value cancels both and finishes; its end means nothing. The end of this
  ///   publisher cancels the other.
  /// - Threading: delivery is serialized. A value that arrives during a delivery on another thread is enqueued, and
  ///   that thread delivers it.
  @inlinable
  public func prefix<P: Publisher>(untilOutputFrom publisher: P) -> Publishers.PrefixUntilOutput<Self, P> {
    Publishers.PrefixUntilOutput(upstream: self, other: publisher)
  }
}

extension Publishers {
  /// A publisher of the values that come before the first of another publisher.
  @frozen
  public struct PrefixUntilOutput<Upstream: Publisher, Other: Publisher>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The publisher whose first value ends the whole.
    public let other: Other

    @usableFromInline
    package let place = Place()

    /// Makes the operator; `prefix` is the usual way.
    @inlinable
    public init(upstream: Upstream, other: Other) {
      self.upstream = upstream
      self.other = other
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      let coordinator = Coordinator(
        "PrefixUntilOutput", UntilMachine<Output, Failure>(opensAtSignal: false), downstream: downstream)
      coordinator.attach(toSignals: other, as: 1) { _ in .finished }
      coordinator.attach(to: upstream)
    }
  }
}

extension Publishers.PrefixUntilOutput: Sendable where Upstream: Sendable, Other: Sendable {}
