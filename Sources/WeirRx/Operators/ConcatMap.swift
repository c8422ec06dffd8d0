public import Weir

extension Publisher {
  /// Maps each value to a publisher, and forwards the values of these publishers one after the other.
  ///
  ///     source                          -1------(2|)
  ///     asked                           1-------1
  ///     a                               -^x-x--x|
  ///     asked                           -∞
  ///     b                               --------^   y-y|
  ///     asked                           --------∞
  ///     .concatMap { $0 == 1 ? a : b }  --x-x--x-   y-y|
  ///
  /// - Demand: requests one value at a time from this publisher, the next when the previous inner publisher has
  ///   finished and its values have been delivered. Unlimited demand is forwarded to the inner publisher. With finite
  ///   demand, the inner publisher is asked for one value ahead.
  /// - Completion and cancellation: finishes when this publisher and the last inner publisher have finished. The first
  ///   failure terminates the operator.
  /// - Threading: the closure runs where this publisher delivers. Delivery is serialized.
  @inlinable
  public func concatMap<P: Publisher>(_ transform: @escaping (Output) -> P) -> Publishers.FlatMap<P, Self>
  where P.Failure == Failure {
    flatMap(maxPublishers: .max(1), transform)
  }
}

extension Publisher where Failure == Never {
  /// Maps each value to a publisher that can fail; see `concatMap` with equal failure types.
  @inlinable
  public func concatMap<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> {
    flatMap(maxPublishers: .max(1), transform)
  }

  /// Maps each value to a publisher that can't fail; see `concatMap` with equal failure types.
  @inlinable
  public func concatMap<P: Publisher>(_ transform: @escaping (Output) -> P) -> Publishers.FlatMap<P, Self>
  where P.Failure == Never {
    flatMap(maxPublishers: .max(1), transform)
  }
}

extension Publisher {
  /// Maps each value to a publisher that can't fail; see `concatMap` with equal failure types.
  @inlinable
  public func concatMap<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self> where P.Failure == Never {
    flatMap(maxPublishers: .max(1), transform)
  }
}
