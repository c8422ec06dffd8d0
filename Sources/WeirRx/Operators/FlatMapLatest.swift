public import Weir

extension Publisher {
  /// Maps each value to a publisher, and forwards the values of the latest one.
  ///
  ///     source                              -1--2-|
  ///     a                                   -^x-!
  ///     b                                   ----^y-y|
  ///     .flatMapLatest { $0 == 1 ? a : b }  --x--y-y|
  ///
  /// - Demand: requests unlimited demand from this publisher. Requests the outstanding demand from each new inner
  ///   publisher.
  /// - Completion and cancellation: a new inner publisher cancels the previous one. Finishes when this publisher and
  ///   the latest inner publisher have finished. The first failure of either terminates the operator.
  /// - Threading: the closure runs where this publisher delivers. Delivery is serialized.
  @inlinable
  public func flatMapLatest<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMapLatest<P, Self> where P.Failure == Failure {
    Publishers.FlatMapLatest(upstream: self, transform: transform)
  }
}

extension Publisher where Failure == Never {
  /// Maps each value to a publisher that can fail; see `flatMapLatest` with equal failure types.
  @inlinable
  public func flatMapLatest<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMapLatest<P, Publishers.SetFailureType<Self, P.Failure>> {
    Publishers.FlatMapLatest(upstream: setFailureType(to: P.Failure.self), transform: transform)
  }

  /// Maps each value to a publisher that can't fail; see `flatMapLatest` with equal failure types.
  @inlinable
  public func flatMapLatest<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMapLatest<P, Self> where P.Failure == Never {
    Publishers.FlatMapLatest(upstream: self, transform: transform)
  }
}

extension Publisher {
  /// Maps each value to a publisher that can't fail; see `flatMapLatest` with equal failure types.
  @inlinable
  public func flatMapLatest<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMapLatest<Publishers.SetFailureType<P, Failure>, Self> where P.Failure == Never {
    Publishers.FlatMapLatest(upstream: self) { transform($0).setFailureType(to: Failure.self) }
  }
}

extension Publishers {
  /// A publisher that maps each value to an inner publisher and forwards the values of the latest one.
  @frozen
  public struct FlatMapLatest<NewPublisher: Publisher, Upstream: Publisher>: _DirectPublisher
  where NewPublisher.Failure == Upstream.Failure {
    /// The values are those of the inner publishers.
    public typealias Output = NewPublisher.Output

    /// The failure is that of the first to fail.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The closure that maps a value to a publisher.
    public let transform: (Upstream.Output) -> NewPublisher

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the operator; the method of the same name is the usual way to create it.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> NewPublisher) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(downstream, toLatestOf: transform, named: "FlatMapLatest")
    }
  }
}
