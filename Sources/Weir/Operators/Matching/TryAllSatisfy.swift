extension Publisher {
  /// Tells whether a closure that may throw is true for every value.
  ///
  ///     source                  -2-4-6-|
  ///     .tryAllSatisfy(isEven)  -------('true'|)
  ///
  /// - Demand: asks for everything; the answer waits for demand.
  /// - Completion and cancellation: cancels the upstream at the first value for which it is false; without one, also
  ///   without any value, the answer at the end is true. An error that the closure throws cancels the upstream and
  ///   becomes the failure.
  /// - Threading: the closure runs where the upstream delivers.
  @inlinable
  public func tryAllSatisfy(_ predicate: @escaping (Output) throws -> Bool) -> Publishers.TryAllSatisfy<Self> {
    Publishers.TryAllSatisfy(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of whether a closure that may throw is true for all values.
  @frozen
  public struct TryAllSatisfy<Upstream: Publisher>: _DirectPublisher {
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
        downstream, through: ContainsWhereWork<_, Trying<Upstream.Failure>>(false, predicate), named: "TryAllSatisfy")
    }
  }
}
