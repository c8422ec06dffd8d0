extension Publisher {
  /// Pairs the values of this publisher with those of another, in order.
  ///
  ///     source       -1-   -2--   3-   |
  ///     asked        1--   -∞
  ///     other        --a   ---b   -c   !
  ///     asked        1--   -∞
  ///     demand       1--   -∞
  ///     .zip(other)  --'1a'---'2b'-'3c'|
  ///
  /// - Demand: forwarded to both publishers. Values of the faster publisher are buffered without a limit.
  /// - Completion and cancellation: finishes when a publisher has finished and all its values are paired. The first
  ///   failure cancels the other publisher and drops the buffered values.
  /// - Threading: delivery is serialized. A value that arrives during a delivery on another thread is enqueued, and
  ///   that thread delivers it.
  @inlinable
  public func zip<P: Publisher>(_ other: P) -> Publishers.Zip<Self, P> where P.Failure == Failure {
    Publishers.Zip(self, other)
  }
}
