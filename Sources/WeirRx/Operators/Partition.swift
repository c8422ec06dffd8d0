public import Weir

extension Publisher {
  /// Makes two publishers: of the values for which a predicate holds, and of the others.
  ///
  ///     source                            -1-2-3-4-|
  ///     source.partition { $0 % 2 == 0 }  ---2---4-|
  ///     nonMatches                        -1---3---|
  ///
  /// Each subscribes to this publisher by itself, and asks the predicate by itself. So neither waits for the other, and
  /// none of their values has to be kept. If this publisher is to do its work once, share it first.
  ///
  /// - Demand: each its own; a value that is left out is asked for again.
  /// - Completion and cancellation: unchanged, each for itself.
  /// - Threading: the predicate runs where this publisher delivers.
  @inlinable
  public func partition(
    _ predicate: @escaping (Output) -> Bool
  ) -> (matches: Publishers.Filter<Self>, nonMatches: Publishers.Filter<Self>) {
    (Publishers.Filter(upstream: self, isIncluded: predicate), Publishers.Filter(upstream: self) { !predicate($0) })
  }
}
