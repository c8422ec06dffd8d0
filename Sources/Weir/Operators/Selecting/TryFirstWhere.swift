extension Publisher {
  /// Sends the first value for which a closure that may throw is true, and finishes.
  ///
  ///     source                    -1-3-(4!)
  ///     .tryFirst(where: isEven)  -----(4|)
  ///
  /// - Demand: asks for everything; the value waits for demand.
  /// - Completion and cancellation: cancels the upstream at that value. Without one it ends as the upstream does, and
  ///   an error that the closure throws cancels the upstream and becomes the failure.
  /// - Threading: the closure runs where the upstream delivers.
  @inlinable
  public func tryFirst(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryFirstWhere<Self> {
    Publishers.TryFirstWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of the first value for which a closure that may throw is true.
  @frozen
  public struct TryFirstWhere<Upstream: Publisher>: _DirectPublisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output

    /// Whatever the closure throws or the upstream fails with.
    public typealias Failure = any Error

    /// The publisher whose values these are.
    public let upstream: Upstream

    /// Tells whether a value is the one.
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
        downstream, through: FirstWhereWork<_, Trying<Upstream.Failure>>(predicate), named: "TryFirstWhere")
    }
  }
}
