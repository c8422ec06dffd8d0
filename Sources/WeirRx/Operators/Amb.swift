public import Weir

extension Publisher {
  /// Sends on the values of this publisher or of another, whichever is the first to send a value or to end.
  ///
  ///     source             -!
  ///     other              -a--b-c-|
  ///     .amb(with: other)  -a--b-c-|
  ///
  /// - Demand: both are subscribed to before one is asked for anything; then what is requested goes to this one, and to the
  ///   other unless that has decided it. From then on it goes to the one that won.
  /// - Completion and cancellation: the other one is cancelled before the first event goes out. A failure wins too.
  /// - Threading: of events that come at once from several threads one wins; values go out where they come from.
  @inlinable
  public func amb<P: Publisher>(with other: P) -> Publishers.Amb<Self, P>
  where P.Output == Output, P.Failure == Failure {
    Publishers.Amb(self, other)
  }
}

extension Collection where Element: Publisher {
  /// Sends on the values of the first of these publishers to send a value or to end; see `Publisher.amb(with:)`.
  ///
  ///     a                -!
  ///     b                -3-4-|
  ///     c                -!
  ///     [a, b, c].amb()  -3-4-|
  ///
  /// Without any it finishes at once.
  @inlinable
  public func amb() -> Publishers.AmbMany<Element> {
    Publishers.AmbMany(self)
  }
}

extension Publishers {
  /// A publisher of the values of the first of two publishers to send one or to end.
  public struct Amb<A: Publisher, B: Publisher>: _DirectPublisher where A.Output == B.Output, A.Failure == B.Failure {
    /// The values are those of one of them.
    public typealias Output = A.Output

    /// The failure is that of one of them.
    public typealias Failure = A.Failure

    /// The publisher that is asked first.
    public let a: A

    /// The publisher that is asked second.
    public let b: B

    @usableFromInline
    package let place = Place()

    /// Makes the operator; the method of the same name is the usual way.
    @inlinable
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      let coordinator = Coordinator(amongst: 2, downstream: downstream)
      coordinator.attach(to: a, as: 0)
      coordinator.attach(to: b, as: 1)
    }
  }

  /// A publisher of the values of the first of any number of publishers to send one or to end.
  public struct AmbMany<Upstream: Publisher>: _DirectPublisher {
    /// The values are those of one of them.
    public typealias Output = Upstream.Output

    /// The failure is that of one of them.
    public typealias Failure = Upstream.Failure

    /// The publishers, in the order in which they are asked.
    public let publishers: [Upstream]

    @usableFromInline
    package let place = Place()

    /// Makes the operator of the publishers in a sequence.
    @inlinable
    public init<S: Swift.Sequence>(_ publishers: S) where S.Element == Upstream {
      self.publishers = Array(publishers)
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      if publishers.isEmpty { return downstream.receive(emptyWith: .finished) }
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
  convenience init<Value, Failure: Error>(amongst count: Int, downstream: Downstream<Value, Failure>)
  where Machine == AmbMachine<Value, Failure> {
    self.init("Amb", AmbMachine(count: count), downstream: downstream) { coordinator, _ in
      for number in 0..<count { coordinator.signal(number) }
    }
  }
}

extension Publishers.Amb: Sendable where A: Sendable, B: Sendable {}

extension Publishers.AmbMany: Sendable where Upstream: Sendable {}
