public import Weir

extension Publisher {
  /// Forwards the events of this publisher or of another, whichever sends or completes first.
  ///
  ///     source             -!
  ///     other              -a--b-c-|
  ///     .amb(with: other)  -a--b-c-|
  ///
  /// - Demand: subscribes to both before it requests values, and ignores values that precede a request. It then
  ///   forwards demand to this publisher first, and to the other unless this one has already won. Afterwards demand is
  ///   forwarded to the winner.
  /// - Completion and cancellation: the loser is cancelled before the first event is delivered. A failure wins too.
  /// - Threading: if both send concurrently, one wins. Values are delivered where they arrive.
  @inlinable
  public func amb<P: Publisher>(with other: P) -> Publishers.Amb<Self, P>
  where P.Output == Output, P.Failure == Failure {
    Publishers.Amb(self, other)
  }
}

extension Collection where Element: Publisher {
  /// Forwards the events of the first of these publishers to send or complete; see `Publisher.amb(with:)`.
  ///
  ///     a                -!
  ///     b                -3-4-|
  ///     c                -!
  ///     [a, b, c].amb()  -3-4-|
  ///
  /// Without publishers it finishes immediately.
  @inlinable
  public func amb() -> Publishers.AmbMany<Element> {
    Publishers.AmbMany(self)
  }
}

extension Publishers {
  /// A publisher of the events of the first of two publishers that sends or completes.
  public struct Amb<A: Publisher, B: Publisher>: _DirectPublisher where A.Output == B.Output, A.Failure == B.Failure {
    /// The values are those of the winner.
    public typealias Output = A.Output

    /// The failure is that of the winner.
    public typealias Failure = A.Failure

    /// The publisher from which values are requested first.
    public let a: A

    /// The publisher from which values are requested second.
    public let b: B

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the operator; the method of the same name is the usual way to create it.
    @inlinable
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      let coordinator = Coordinator(amongst: 2, downstream: downstream)
      coordinator.attach(to: a, as: 0)
      coordinator.attach(to: b, as: 1)
    }
  }

  /// A publisher of the events of the first of several publishers that sends or completes.
  public struct AmbMany<Upstream: Publisher>: _DirectPublisher {
    /// The values are those of the winner.
    public typealias Output = Upstream.Output

    /// The failure is that of the winner.
    public typealias Failure = Upstream.Failure

    /// The publishers, in the order in which values are requested from them.
    public let publishers: [Upstream]

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the operator from a sequence of publishers.
    @inlinable
    public init<S: Swift.Sequence>(_ publishers: S) where S.Element == Upstream {
      self.publishers = Array(publishers)
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      if publishers.isEmpty { return Downstream.complete(downstream, with: .finished) }
      let coordinator = Coordinator(amongst: publishers.count, downstream: downstream)
      for (number, publisher) in publishers.enumerated() { coordinator.attach(to: publisher, as: number) }
    }
  }
}

extension Publishers.Amb: Equatable where A: Equatable, B: Equatable {}

extension Publishers.AmbMany: Equatable where Upstream: Equatable {}

extension Coordinator {
  /// Creates a coordinator of `count` upstreams, which forwards the first one to send or complete.
  @inlinable
  convenience init<Value, Failure: Error>(amongst count: Int, downstream: consuming Downstream<Value, Failure>)
  where Machine == AmbMachine<Value, Failure> {
    self.init("Amb", AmbMachine(count: count), downstream: downstream) { coordinator, _ in
      for number in 0..<count { coordinator.signal(number) }
    }
  }
}

extension Publishers.Amb: Sendable where A: Sendable, B: Sendable {}

extension Publishers.AmbMany: Sendable where Upstream: Sendable {}
