extension Publisher {
  /// Forwards values until another publisher sends one.
  ///
  ///     source                           -1-2!
  ///     other                            ----(a!)
  ///     .prefix(untilOutputFrom: other)  -1-2|
  ///
  /// - Demand: forwarded unchanged. One value is requested from the other publisher.
  /// - Completion and cancellation: the other publisher's value cancels both, and the operator finishes. The other's
  ///   completion is ignored. A completion of this publisher cancels the other.
  /// - Threading: delivery is serialized. A value that arrives during a delivery on another thread is enqueued, and
  ///   that thread delivers it.
  @inlinable
  public func prefix<P: Publisher>(untilOutputFrom publisher: P) -> Publishers.PrefixUntilOutput<Self, P> {
    Publishers.PrefixUntilOutput(upstream: self, other: publisher)
  }
}

extension Publishers {
  /// A publisher of the values that arrive before another publisher's first value.
  @frozen
  public struct PrefixUntilOutput<Upstream: Publisher, Other: Publisher>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The publisher whose first value finishes the operator.
    public let other: Other

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that `prefix` returns.
    @inlinable
    public init(upstream: Upstream, other: Other) {
      self.upstream = upstream
      self.other = other
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      let coordinator = Coordinator(
        "PrefixUntilOutput", UntilMachine<Output, Failure>(opensAtSignal: false), downstream: downstream)
      coordinator.attach(toSignals: other, as: 1) { _ in .finished }
      coordinator.attach(to: upstream)
    }
  }
}

extension Publishers.PrefixUntilOutput: Sendable where Upstream: Sendable, Other: Sendable {}
