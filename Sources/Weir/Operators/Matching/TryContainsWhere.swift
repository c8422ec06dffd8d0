extension Publisher {
  /// Sends whether a throwing predicate is true for any value.
  ///
  ///     source                       -1-(0!)
  ///     .tryContains(where: isEven)  ---#
  ///
  /// - Demand: requests unlimited values from the upstream. The result is delivered when there is demand.
  /// - Completion and cancellation: the first such value cancels the upstream, and the result is `true`. Without one
  ///   the result is `false`. An error that the closure throws cancels the upstream and becomes the failure.
  /// - Threading: the closure runs on the thread on which the upstream delivers.
  @inlinable
  public func tryContains(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryContainsWhere<Self> {
    Publishers.TryContainsWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of whether a throwing predicate is true for any of the upstream's values.
  @frozen
  public struct TryContainsWhere<Upstream: Publisher>: _DirectPublisher {
    /// Whether the condition holds.
    public typealias Output = Bool

    /// Any error that the closure throws or the upstream fails with.
    public typealias Failure = any Error

    /// The upstream publisher.
    public let upstream: Upstream

    /// The predicate.
    public let predicate: (Upstream.Output) throws -> Bool

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(
        downstream, through: ContainsWhereOperator<_, Throwing<Upstream.Failure>>(true, predicate),
        named: "TryContainsWhere")
    }
  }
}
