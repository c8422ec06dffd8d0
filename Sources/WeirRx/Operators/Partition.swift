public import Weir

extension Publisher {
  /// Creates two publishers: of the values for which a predicate holds, and of the others.
  ///
  ///     source                            -1-2-3-4-|
  ///     source.partition { $0 % 2 == 0 }  ---2---4-|
  ///     nonMatches                        -1---3---|
  ///
  /// Each publisher subscribes to this publisher and calls the predicate separately. So neither waits for the other,
  /// and no values are buffered. To run this publisher's work only once, share it first.
  ///
  /// - Demand: each publisher's own. It requests one more value for each value that is filtered out.
  /// - Completion and cancellation: unchanged, independently for each publisher.
  /// - Threading: the predicate runs where this publisher delivers.
  @inlinable
  public func partition(
    _ predicate: @escaping (Output) -> Bool
  ) -> (matches: Publishers.Filter<Self>, nonMatches: Publishers.Filter<Self>) {
    (Publishers.Filter(upstream: self, isIncluded: predicate), Publishers.Filter(upstream: self) { !predicate($0) })
  }
}
