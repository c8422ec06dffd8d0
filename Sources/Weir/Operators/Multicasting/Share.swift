extension Publisher {
  /// Shares one subscription to this publisher among all subscribers, while there are any.
  ///
  ///     source    -a-b-c-d-|
  ///     .share()  -a-b-c-d-|
  ///     later     ----^c-d-|
  ///
  /// - Demand: each subscriber has its own, and this publisher receives unlimited demand. A value that arrives while a
  ///   subscriber has no demand is dropped for that subscriber.
  /// - Completion and cancellation: a late subscriber does not receive earlier values. After the completion it receives
  ///   only the completion. When the last subscriber has cancelled, the subscription to this publisher is cancelled.
  /// - Threading: subscribes on the thread of the first subscriber.
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
    let shared: SharedUpstream<Output, Failure>

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
      shared = SharedUpstream { upstream.subscribe($0, keep: $1) }
    }

    /// Attaches a downstream, and subscribes to the upstream if it is the first.
    @inlinable
    public final func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      shared.attach(downstream)
    }

    /// Returns whether both are the same object.
    public static func == (lhs: Share, rhs: Share) -> Bool {
      lhs === rhs
    }
  }
}
