// .ci/twins writes TryAllSatisfy.swift from this file.

extension Publisher {
  /// Sends whether a predicate is true for every value.
  ///
  ///     source                  -1-2-(3!)
  ///     .allSatisfy { $0 < 3 }  -----('false'|)
  ///
  /// - Demand: requests unlimited values from the upstream. The result is delivered when there is demand.
  /// - Completion and cancellation: the first value for which the predicate is false cancels the upstream, and the
  ///   result is `false`. Without such a value the result is `true`, also for an upstream without values.
  /// - Threading: the closure runs on the thread on which the upstream delivers.
  @inlinable
  public func allSatisfy(_ predicate: @escaping (Output) -> Bool) -> Publishers.AllSatisfy<Self> {
    Publishers.AllSatisfy(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of whether a predicate is true for all of the upstream's values.
  @frozen
  public struct AllSatisfy<Upstream: Publisher>: _DirectPublisher {
    /// Whether the condition holds.
    public typealias Output = Bool

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The predicate.
    public let predicate: (Upstream.Output) -> Bool

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(
        downstream, through: ContainsWhereOperator<_, NonThrowing<Failure>>(false, predicate), named: "AllSatisfy")
    }
  }
}
