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
  ) -> Publishers.FlatMapLatest<P, Self> where P.Failure == Failure {
    Publishers.FlatMapLatest(upstream: self, transform: transform)
  }
}

extension Publisher where Failure == Never {
  /// Turns each value into a publisher that can fail, and sends on what the latest of those sends; see
  /// `flatMapLatest` where both fail alike.
  @inlinable
  public func flatMapLatest<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMapLatest<P, Publishers.SetFailureType<Self, P.Failure>> {
    Publishers.FlatMapLatest(upstream: setFailureType(to: P.Failure.self), transform: transform)
  }

  /// Turns each value into a publisher that can't fail, and sends on what the latest of those sends; see
  /// `flatMapLatest` where both fail alike.
  @inlinable
  public func flatMapLatest<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMapLatest<P, Self> where P.Failure == Never {
    Publishers.FlatMapLatest(upstream: self, transform: transform)
  }
}

extension Publisher {
  /// Turns each value into a publisher that can't fail, and sends on what the latest of those sends; see
  /// `flatMapLatest` where both fail alike.
  @inlinable
  public func flatMapLatest<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMapLatest<Publishers.SetFailureType<P, Failure>, Self> where P.Failure == Never {
    Publishers.FlatMapLatest(upstream: self) { transform($0).setFailureType(to: Failure.self) }
  }
}

extension Publishers {
  /// A publisher of what the latest of the publishers sends that a closure makes of the upstream's values.
  @frozen
  public struct FlatMapLatest<NewPublisher: Publisher, Upstream: Publisher>: _DirectPublisher
  where NewPublisher.Failure == Upstream.Failure {
    /// The values are those of the publishers that the closure makes.
    public typealias Output = NewPublisher.Output

    /// The failure is that of the first to fail.
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are turned into publishers.
    public let upstream: Upstream

    /// Makes a publisher of a value.
    public let transform: (Upstream.Output) -> NewPublisher

    @usableFromInline
    package let place = Place()

    /// Makes the operator; the method of the same name is the usual way.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> NewPublisher) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(downstream, toLatestOf: transform, named: "FlatMapLatest")
    }
  }
}
