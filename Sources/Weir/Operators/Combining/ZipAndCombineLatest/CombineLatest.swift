extension Publisher {
  /// Combines the latest values of this publisher and of another each time one of them sends a value.
  ///
  ///     source                 -1-   2    ---   3    -|
  ///     other                  --a   -    --b   -    |
  ///     .combineLatest(other)  --'1a' '2a'--'2b' '3b'-|
  ///
  /// - Demand: forwarded to both publishers. A combination without demand is kept, and the next combination replaces
  ///   it.
  /// - Completion and cancellation: finishes when both publishers have finished. The first failure cancels the other
  ///   publisher.
  /// - Threading: delivery is serialized. A value that arrives during a delivery on another thread is enqueued, and
  ///   that thread delivers it.
  @inlinable
  public func combineLatest<P: Publisher>(_ other: P) -> Publishers.CombineLatest<Self, P> where P.Failure == Failure {
    Publishers.CombineLatest(self, other)
  }
}
