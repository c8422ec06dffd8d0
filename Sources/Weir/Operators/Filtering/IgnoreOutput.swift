extension Publisher {
  /// Drops all values, and forwards only the completion.
  ///
  ///     source           -1-2-3-|
  ///     asked            ∞
  ///     .ignoreOutput()  -------|
  ///
  /// - Demand: requests unlimited values, in addition to the downstream's requests.
  /// - Completion and cancellation: forwarded unchanged.
  /// - Threading: delivers on the thread on which the upstream delivers.
  @inlinable
  public func ignoreOutput() -> Publishers.IgnoreOutput<Self> {
    Publishers.IgnoreOutput(upstream: self)
  }
}

extension Publishers {
  /// A publisher of only the upstream's completion.
  @frozen
  public struct IgnoreOutput<Upstream: Publisher>: _DirectPublisher {
    /// This publisher sends no values.
    public typealias Output = Never

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
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
      upstream.attach(
        Downstream(
          face: downstream.face.behind("IgnoreOutput"),
          begin: { [begin = downstream.begin] subscription in
            begin(subscription)
            subscription.request(.unlimited)
          },
          end: downstream.end,
          next: { (_: Upstream.Output) in .none }))
    }
  }
}

extension Publishers.IgnoreOutput: Equatable where Upstream: Equatable {}

extension Publishers.IgnoreOutput: Sendable where Upstream: Sendable {}
