extension Publisher {
  /// Sends the minimum value, in the order of a throwing closure, before the completion.
  ///
  ///     source                  -2-1-3-|
  ///     .tryMin(by: isOrdered)  -------(1|)
  ///
  /// - Demand: requests unlimited values from the upstream. The value is delivered when there is demand.
  /// - Completion and cancellation: as with ``min(by:)``. An error that the closure throws cancels the upstream and
  ///   becomes the failure.
  /// - Threading: the closure runs on the thread on which the upstream delivers.
  @inlinable
  public func tryMin(
    by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool
  ) -> Publishers.TryComparison<Self> {
    tryMax { try areInIncreasingOrder($1, $0) }
  }

  /// Sends the maximum value, in the order of a throwing closure, before the completion.
  ///
  ///     source                  -2-3-(0!)
  ///     .tryMax(by: isOrdered)  -----#
  ///
  /// - Demand: requests unlimited values from the upstream. The value is delivered when there is demand.
  /// - Completion and cancellation: as with ``max(by:)``. An error that the closure throws cancels the upstream and
  ///   becomes the failure.
  /// - Threading: the closure runs on the thread on which the upstream delivers.
  @inlinable
  public func tryMax(
    by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool
  ) -> Publishers.TryComparison<Self> {
    Publishers.TryComparison(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
  }
}

extension Publishers {
  /// A publisher of the minimum or the maximum value in the order of a throwing closure.
  @frozen
  public struct TryComparison<Upstream: Publisher>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// Any error that the closure throws or the upstream fails with.
    public typealias Failure = any Error

    /// The upstream publisher.
    public let upstream: Upstream

    /// The closure that decides whether the second value replaces the first.
    public let areInIncreasingOrder: (Upstream.Output, Upstream.Output) throws -> Bool

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that `tryMin` and `tryMax` return.
    @inlinable
    public init(upstream: Upstream, areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.areInIncreasingOrder = areInIncreasingOrder
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(
        downstream, through: ComparisonOperator<_, Throwing<Upstream.Failure>>(areInIncreasingOrder),
        named: "TryComparison")
    }
  }
}
