public import Weir

extension Publisher {
  /// Sends the latest value of another publisher each time this one sends a value.
  ///
  ///     source                  -1-2-3--4-|
  ///     other                   --a---b--|
  ///     .withLatestFrom(other)  ---a-a--b-|
  ///
  /// - Demand: forwarded to this publisher. A value that arrives before the other's first value is dropped, and one
  ///   more is requested. Requests unlimited demand from the other publisher, before it requests values from this one.
  /// - Completion and cancellation: this publisher's completion cancels the other. The other's finish is ignored after
  ///   its first value. Without a value it finishes the operator, because no value could follow. The other's failure
  ///   always fails the operator.
  /// - Threading: delivery is serialized: the thread that is delivering also delivers what other threads send
  ///   meanwhile.
  @inlinable
  public func withLatestFrom<P: Publisher>(
    _ other: P
  ) -> Publishers.Map<Publishers.WithLatestFrom<Self, P>, P.Output> where P.Failure == Failure {
    Publishers.WithLatestFrom(upstream: self, other: other).map { $0.1 }
  }

  /// Combines each value of this publisher with the latest of another; see ``withLatestFrom(_:)``.
  @inlinable
  public func withLatestFrom<P: Publisher, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> Publishers.Map<Publishers.WithLatestFrom<Self, P>, T> where P.Failure == Failure {
    Publishers.WithLatestFrom(upstream: self, other: other).map { transform($0.0, $0.1) }
  }

  /// Sends the latest values of two others each time this publisher sends a value; see ``withLatestFrom(_:)``.
  @inlinable
  public func withLatestFrom<P: Publisher, Q: Publisher>(
    _ publisher1: P, _ publisher2: Q
  )
    -> Publishers.Map<Publishers.WithLatestFrom<Self, Publishers.CombineLatest<P, Q>>, (P.Output, Q.Output)>
  where P.Failure == Failure, Q.Failure == Failure {
    withLatestFrom(publisher1.combineLatest(publisher2))
  }

  /// Combines each value of this publisher with the latest of two others; see ``withLatestFrom(_:)``.
  @inlinable
  public func withLatestFrom<P: Publisher, Q: Publisher, T>(
    _ publisher1: P, _ publisher2: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> T
  ) -> Publishers.Map<Publishers.WithLatestFrom<Self, Publishers.CombineLatest<P, Q>>, T>
  where P.Failure == Failure, Q.Failure == Failure {
    withLatestFrom(publisher1.combineLatest(publisher2)) { transform($0, $1.0, $1.1) }
  }

  /// Sends the latest values of three others each time this publisher sends a value; see ``withLatestFrom(_:)``.
  @inlinable
  public func withLatestFrom<P: Publisher, Q: Publisher, R: Publisher>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R
  )
    -> Publishers.Map<
      Publishers.WithLatestFrom<Self, Publishers.CombineLatest3<P, Q, R>>, (P.Output, Q.Output, R.Output)
    >
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    withLatestFrom(publisher1.combineLatest(publisher2, publisher3))
  }

  /// Combines each value of this publisher with the latest of three others; see ``withLatestFrom(_:)``.
  @inlinable
  public func withLatestFrom<P: Publisher, Q: Publisher, R: Publisher, T>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R,
    _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> T
  ) -> Publishers.Map<Publishers.WithLatestFrom<Self, Publishers.CombineLatest3<P, Q, R>>, T>
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    withLatestFrom(publisher1.combineLatest(publisher2, publisher3)) { transform($0, $1.0, $1.1, $1.2) }
  }
}

extension Publishers {
  /// A publisher of the upstream's values, each with the latest of another publisher.
  public struct WithLatestFrom<Upstream: Publisher, Other: Publisher>: _DirectPublisher
  where Upstream.Failure == Other.Failure {
    /// A value of the upstream, and the other publisher's latest value.
    public typealias Output = (Upstream.Output, Other.Output)

    /// The failure is that of either.
    public typealias Failure = Upstream.Failure

    /// The publisher whose values trigger a delivery.
    public let upstream: Upstream

    /// The publisher that supplies the latest value.
    public let other: Other

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the operator; the method of the same name is the usual way to create it.
    @inlinable
    public init(upstream: Upstream, other: Other) {
      self.upstream = upstream
      self.other = other
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      let machine = LatestMachine<Upstream.Output, Other.Output, Failure>(takesOnce: false)
      let coordinator = Coordinator("WithLatestFrom", consume machine, downstream: downstream, keeping: .last)
      coordinator.attach(to: other, as: 1) { .b($0) }
      coordinator.attach(to: upstream, as: 0) { .a($0) }
    }
  }
}

extension Publishers.WithLatestFrom: Equatable where Upstream: Equatable, Other: Equatable {}
