public import Weir

extension Publisher {
  /// Turns each value into a publisher and sends on what those send, one after the other.
  ///
  ///     source                          -1------(2|)
  ///     asked                           1-------1
  ///     a                               -^x-x--x|
  ///     asked                           -∞
  ///     b                               --------^   y-y|
  ///     asked                           --------∞
  ///     .concatMap { $0 == 1 ? a : b }  --x-x--x-   y-y|
  ///
  /// - Demand: one value is asked of this publisher at a time, the next when the publisher of the one before has finished.
  ///   Unlimited demand goes to that; with a finite demand it is asked for one value ahead.
  /// - Completion and cancellation: finishes when this publisher and the last of the others have. The first failure ends
  ///   the whole.
  /// - Threading: the closure runs where this publisher delivers; values of several threads are delivered one at a time.
  @inlinable
  public func concatMap<P: Publisher>(_ transform: @escaping (Output) -> P) -> Publishers.FlatMap<P, Self>
  where P.Failure == Failure {
    flatMap(maxPublishers: .max(1), transform)
  }
}

extension Publisher where Failure == Never {
  /// Turns each value into a publisher that can fail, and sends on what those send, one after the other; see
  /// `concatMap` where both fail alike.
  @inlinable
  public func concatMap<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> {
    flatMap(maxPublishers: .max(1), transform)
  }

  /// Turns each value into a publisher that can't fail, and sends on what those send, one after the other; see
  /// `concatMap` where both fail alike.
  @inlinable
  public func concatMap<P: Publisher>(_ transform: @escaping (Output) -> P) -> Publishers.FlatMap<P, Self>
  where P.Failure == Never {
    flatMap(maxPublishers: .max(1), transform)
  }
}

extension Publisher {
  /// Turns each value into a publisher that can't fail, and sends on what those send, one after the other; see
  /// `concatMap` where both fail alike.
  @inlinable
  public func concatMap<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self> where P.Failure == Never {
    flatMap(maxPublishers: .max(1), transform)
  }
}
