public import Weir

extension Publisher {
  /// Turns each value into a publisher and sends on what the latest of those sends.
  ///
  ///     source                              -1--2-|
  ///     a                                   -^x-!
  ///     b                                   ----^y-y|
  ///     .flatMapLatest { $0 == 1 ? a : b }  --x--y-y|
  ///
  /// - Demand: this publisher is asked for everything; what is outstanding is asked of each new publisher in turn.
  /// - Completion and cancellation: a new publisher cancels the one before. Finishes when this publisher and the latest
  ///   have. The first failure, of either, ends the whole.
  /// - Threading: the closure runs where this publisher delivers; values of several threads are delivered one at a time.
  @inlinable
  public func flatMapLatest<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.SwitchToLatest<P, Publishers.Map<Self, P>> where P.Failure == Failure {
    Publishers.SwitchToLatest(upstream: map(transform))
  }
}

extension Publisher where Failure == Never {
  /// Turns each value into a publisher that can fail, and sends on what the latest of those sends; see
  /// `flatMapLatest` where both fail alike.
  @inlinable
  public func flatMapLatest<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.SwitchToLatest<P, Publishers.Map<Publishers.SetFailureType<Self, P.Failure>, P>> {
    Publishers.SwitchToLatest(
      upstream: Publishers.Map(upstream: setFailureType(to: P.Failure.self), transform: transform))
  }

  /// Turns each value into a publisher that can't fail, and sends on what the latest of those sends; see
  /// `flatMapLatest` where both fail alike.
  @inlinable
  public func flatMapLatest<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.SwitchToLatest<P, Publishers.Map<Self, P>> where P.Failure == Never {
    Publishers.SwitchToLatest(upstream: map(transform))
  }
}

extension Publisher {
  /// Turns each value into a publisher that can't fail, and sends on what the latest of those sends; see
  /// `flatMapLatest` where both fail alike.
  @inlinable
  public func flatMapLatest<P: Publisher>(
    _ transform: @escaping (Output) -> P
  )
    -> Publishers.SwitchToLatest<
      Publishers.SetFailureType<P, Failure>, Publishers.Map<Self, Publishers.SetFailureType<P, Failure>>
    >
  where P.Failure == Never {
    Publishers.SwitchToLatest(upstream: map { transform($0).setFailureType(to: Failure.self) })
  }
}
