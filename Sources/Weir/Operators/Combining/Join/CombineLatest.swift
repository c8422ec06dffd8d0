extension Publisher {
  /// Combines the latest values of this publisher and of another, whenever one of them sends.
  ///
  ///     source                 -1-   2   ---   3   -|
  ///     other                  --a   -   --b   -   |
  ///     .combineLatest(other)  --'1a''2a'--'2b''3b'-|
  ///
  /// - Demand: goes to both. A combination for which there is no demand waits, and the next takes its place.
  /// - Completion and cancellation: finishes when both have. The first failure cancels the other.
  /// - Threading: delivery is serialized. A value that arrives during a delivery on another thread is enqueued, and
  ///   that thread delivers it.
  @inlinable
  public func combineLatest<P: Publisher>(_ other: P) -> Publishers.CombineLatest<Self, P> where P.Failure == Failure {
    Publishers.CombineLatest(self, other)
  }
}
