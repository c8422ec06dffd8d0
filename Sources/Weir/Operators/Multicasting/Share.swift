extension Publisher {
  /// Shares one subscription to this publisher among all subscribers, as long as there are any.
  ///
  ///     source    -a-b-c-d-|
  ///     .share()  -a-b-c-d-|
  ///     later     ----^c-d-|
  ///
  /// - Demand: each subscriber's own; this publisher is asked for everything. A value that comes while a subscriber has
  ///   no demand is lost to it.
  /// - Completion and cancellation: who comes late misses what has been sent; after the end, only the end comes. When the
  ///   last has cancelled, this publisher is cancelled.
  /// - Threading: subscribes where the first subscriber does.
  @inlinable
  public func share() -> Publishers.Share<Self> {
    Publishers.Share(upstream: self)
  }
}

extension Publishers {
  /// A publisher that shares one subscription to its upstream.
  public final class Share<Upstream: Publisher>: _DirectPublisher, Equatable {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public final let upstream: Upstream

    @usableFromInline
    let shared: Autoconnect<Multicast<Upstream, PassthroughSubject<Output, Failure>>>

    @usableFromInline
    package let place = Place()

    /// Creates the publisher that the method of the same name returns.
    public init(upstream: Upstream) {
      self.upstream = upstream
      shared = upstream.multicast(subject: PassthroughSubject()).autoconnect()
    }

    /// Attaches a downstream, and subscribes to the upstream if it is the first.
    @inlinable
    public final func _attach(_ downstream: Downstream<Output, Failure>) {
      shared.attach(downstream)
    }

    /// Returns whether both are the same object.
    public static func == (lhs: Share, rhs: Share) -> Bool {
      lhs === rhs
    }
  }
}
