extension Publisher {
  /// Sends the last value for which a throwing predicate is true, before the completion.
  ///
  ///     source                   -1-2-(0!)
  ///     .tryLast(where: isEven)  -----#
  ///
  /// - Demand: requests unlimited values from the upstream. The value is delivered when there is demand.
  /// - Completion and cancellation: without such a value the publisher only finishes. A failure drops the value. An
  ///   error that the closure throws cancels the upstream and becomes the failure.
  /// - Threading: the closure runs on the thread on which the upstream delivers.
  @inlinable
  public func tryLast(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryLastWhere<Self> {
    Publishers.TryLastWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of the last value for which a throwing predicate is true.
  @frozen
  public struct TryLastWhere<Upstream: Publisher>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

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
        downstream, through: LastWhereOperator<_, Throwing<Upstream.Failure>>(predicate), named: "TryLastWhere")
    }
  }
}
