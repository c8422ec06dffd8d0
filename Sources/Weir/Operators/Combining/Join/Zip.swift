extension Publisher {
  /// Pairs the values of this publisher with those of another, by their order.
  ///
  ///     source       -1-   -2--   3-   |
  ///     asked        1--   -∞
  ///     other        --a   ---b   -c   !
  ///     asked        1--   -∞
  ///     demand       1--   -∞
  ///     .zip(other)  --'1a'---'2b'-'3c'|
  ///
  /// - Demand: goes to both. Values of the faster one wait without a limit for those of the slower.
  /// - Completion and cancellation: finishes when one has finished whose values are all paired. The first failure cancels
  ///   the other and overtakes what is waiting.
  /// - Threading: delivery is serialized. A value that arrives during a delivery on another thread is enqueued, and
  ///   that thread delivers it.
  @inlinable
  public func zip<P: Publisher>(_ other: P) -> Publishers.Zip<Self, P> where P.Failure == Failure {
    Publishers.Zip(self, other)
  }
}
