extension Publisher {
  /// Tells whether a closure that may throw is true for any value.
  ///
  ///     source                       -1-(0!)
  ///     .tryContains(where: isEven)  ---#
  ///
  /// - Demand: asks for everything; the answer waits for demand.
  /// - Completion and cancellation: cancels the upstream at that value; without one the answer at the end is false, and
  ///   an error that the closure throws cancels the upstream and becomes the failure.
  /// - Threading: the closure runs where the upstream delivers.
  @inlinable
  public func tryContains(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryContainsWhere<Self> {
    Publishers.TryContainsWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of whether a closure that may throw is true for any value.
  @frozen
  public struct TryContainsWhere<Upstream: Publisher>: _DirectPublisher {
    /// Whether it is so.
    public typealias Output = Bool

    /// Whatever the closure throws or the upstream fails with.
    public typealias Failure = any Error

    /// The publisher whose values are looked at.
    public let upstream: Upstream

    /// Tells whether a value counts.
    public let predicate: (Upstream.Output) throws -> Bool

    @usableFromInline
    package let place = Place()

    /// Makes the operator; the method of the same name is the usual way.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(
        downstream, through: ContainsWhereWork<_, Trying<Upstream.Failure>>(true, predicate), named: "TryContainsWhere")
    }
  }
}
