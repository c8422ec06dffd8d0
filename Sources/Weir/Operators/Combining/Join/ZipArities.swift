// Written by .ci/arities: change that.

extension Publisher {
  /// Does the same and transforms each group with a closure; see ``zip(_:)``.
  @inlinable
  public func zip<P: Publisher, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> Publishers.Map<Publishers.Zip<Self, P>, T> where P.Failure == Failure {
    Publishers.Zip(self, other).map { transform($0.0, $0.1) }
  }

  /// Groups the values of this publisher and two others; see ``zip(_:)``.
  @inlinable
  public func zip<P: Publisher, Q: Publisher>(_ publisher1: P, _ publisher2: Q) -> Publishers.Zip3<Self, P, Q>
  where P.Failure == Failure, Q.Failure == Failure {
    Publishers.Zip3(self, publisher1, publisher2)
  }

  /// Does the same and transforms each group with a closure; see ``zip(_:)``.
  @inlinable
  public func zip<P: Publisher, Q: Publisher, T>(
    _ publisher1: P, _ publisher2: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> T
  ) -> Publishers.Map<Publishers.Zip3<Self, P, Q>, T> where P.Failure == Failure, Q.Failure == Failure {
    Publishers.Zip3(self, publisher1, publisher2).map { transform($0.0, $0.1, $0.2) }
  }

  /// Groups the values of this publisher and three others; see ``zip(_:)``.
  @inlinable
  public func zip<P: Publisher, Q: Publisher, R: Publisher>(_ publisher1: P, _ publisher2: Q, _ publisher3: R)
    -> Publishers.Zip4<Self, P, Q, R> where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure
  {
    Publishers.Zip4(self, publisher1, publisher2, publisher3)
  }

  /// Does the same and transforms each group with a closure; see ``zip(_:)``.
  @inlinable
  public func zip<P: Publisher, Q: Publisher, R: Publisher, T>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R,
    _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> T
  ) -> Publishers.Map<Publishers.Zip4<Self, P, Q, R>, T>
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    Publishers.Zip4(self, publisher1, publisher2, publisher3).map { transform($0.0, $0.1, $0.2, $0.3) }
  }

}

extension Publishers {
  /// A publisher of the values of two publishers, grouped by their order.
  @frozen
  public struct Zip<A: Publisher, B: Publisher>: _DirectPublisher where A.Failure == B.Failure {
    /// A value of each.
    public typealias Output = (A.Output, B.Output)

    /// The failure is that of the first to fail.
    public typealias Failure = A.Failure

    /// One of the publishers.
    public let a: A

    /// One of the publishers.
    public let b: B

    @usableFromInline
    package let place = Place()

    /// Makes the operator; `zip` is the usual way.
    @inlinable
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      attach(downstream, prefetch: nil)
    }

    /// Attaches a downstream, and requests `prefetch` values ahead from each publisher.
    @inlinable
    package func attach(_ downstream: Downstream<Output, Failure>, prefetch: Int?) {
      let machine = JoinMachine<ZipStore2<A.Output, B.Output>, Failure>(
        count: 2, store: ZipStore2(), prefetch: prefetch)
      let coordinator = Coordinator("Zip", machine, downstream: downstream, answersRequests: true)
      coordinator.attach(to: a, as: 0) { .a($0) }
      coordinator.attach(to: b, as: 1) { .b($0) }
    }
  }
}

extension Publishers.Zip: Equatable where A: Equatable, B: Equatable {}

extension Publishers.Zip: Sendable where A: Sendable, B: Sendable {}

extension Publishers {
  /// A publisher of the values of three publishers, grouped by their order.
  @frozen
  public struct Zip3<A: Publisher, B: Publisher, C: Publisher>: _DirectPublisher
  where A.Failure == B.Failure, B.Failure == C.Failure {
    /// A value of each.
    public typealias Output = (A.Output, B.Output, C.Output)

    /// The failure is that of the first to fail.
    public typealias Failure = A.Failure

    /// One of the publishers.
    public let a: A

    /// One of the publishers.
    public let b: B

    /// One of the publishers.
    public let c: C

    @usableFromInline
    package let place = Place()

    /// Makes the operator; `zip` is the usual way.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C) {
      self.a = a
      self.b = b
      self.c = c
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      attach(downstream, prefetch: nil)
    }

    /// Attaches a downstream, and requests `prefetch` values ahead from each publisher.
    @inlinable
    package func attach(_ downstream: Downstream<Output, Failure>, prefetch: Int?) {
      let machine = JoinMachine<ZipStore3<A.Output, B.Output, C.Output>, Failure>(
        count: 3, store: ZipStore3(), prefetch: prefetch)
      let coordinator = Coordinator("Zip", machine, downstream: downstream, answersRequests: true)
      coordinator.attach(to: a, as: 0) { .a($0) }
      coordinator.attach(to: b, as: 1) { .b($0) }
      coordinator.attach(to: c, as: 2) { .c($0) }
    }
  }
}

extension Publishers.Zip3: Equatable where A: Equatable, B: Equatable, C: Equatable {}

extension Publishers.Zip3: Sendable where A: Sendable, B: Sendable, C: Sendable {}

extension Publishers {
  /// A publisher of the values of four publishers, grouped by their order.
  @frozen
  public struct Zip4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: _DirectPublisher
  where A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure {
    /// A value of each.
    public typealias Output = (A.Output, B.Output, C.Output, D.Output)

    /// The failure is that of the first to fail.
    public typealias Failure = A.Failure

    /// One of the publishers.
    public let a: A

    /// One of the publishers.
    public let b: B

    /// One of the publishers.
    public let c: C

    /// One of the publishers.
    public let d: D

    @usableFromInline
    package let place = Place()

    /// Makes the operator; `zip` is the usual way.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C, _ d: D) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      attach(downstream, prefetch: nil)
    }

    /// Attaches a downstream, and requests `prefetch` values ahead from each publisher.
    @inlinable
    package func attach(_ downstream: Downstream<Output, Failure>, prefetch: Int?) {
      let machine = JoinMachine<ZipStore4<A.Output, B.Output, C.Output, D.Output>, Failure>(
        count: 4, store: ZipStore4(), prefetch: prefetch)
      let coordinator = Coordinator("Zip", machine, downstream: downstream, answersRequests: true)
      coordinator.attach(to: a, as: 0) { .a($0) }
      coordinator.attach(to: b, as: 1) { .b($0) }
      coordinator.attach(to: c, as: 2) { .c($0) }
      coordinator.attach(to: d, as: 3) { .d($0) }
    }
  }
}

extension Publishers.Zip4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}

extension Publishers.Zip4: Sendable where A: Sendable, B: Sendable, C: Sendable, D: Sendable {}

/// The values of two upstreams that wait for each other.
@usableFromInline
struct ZipStore2<A, B>: JoinStore {
  @usableFromInline
  var a = Fifo<A>()

  @usableFromInline
  var b = Fifo<B>()

  @inlinable
  init() {}

  @inlinable
  mutating func put(_ input: Either2<A, B>) {
    switch input {
    case .a(let value): a.append(value)
    case .b(let value): b.append(value)
    }
  }

  @inlinable
  mutating func take() -> (A, B)? {
    guard !a.isEmpty, !b.isEmpty else { return nil }
    guard let a = a.popFirst(), let b = b.popFirst() else { return nil }
    return (a, b)
  }

  @inlinable
  func isExhausted(_ finished: JoinSides) -> Bool {
    finished.contains(0) && a.isEmpty || finished.contains(1) && b.isEmpty
  }
}

/// The values of three upstreams that wait for each other.
@usableFromInline
struct ZipStore3<A, B, C>: JoinStore {
  @usableFromInline
  var a = Fifo<A>()

  @usableFromInline
  var b = Fifo<B>()

  @usableFromInline
  var c = Fifo<C>()

  @inlinable
  init() {}

  @inlinable
  mutating func put(_ input: Either3<A, B, C>) {
    switch input {
    case .a(let value): a.append(value)
    case .b(let value): b.append(value)
    case .c(let value): c.append(value)
    }
  }

  @inlinable
  mutating func take() -> (A, B, C)? {
    guard !a.isEmpty, !b.isEmpty, !c.isEmpty else { return nil }
    guard let a = a.popFirst(), let b = b.popFirst(), let c = c.popFirst() else { return nil }
    return (a, b, c)
  }

  @inlinable
  func isExhausted(_ finished: JoinSides) -> Bool {
    finished.contains(0) && a.isEmpty || finished.contains(1) && b.isEmpty || finished.contains(2) && c.isEmpty
  }
}

/// The values of four upstreams that wait for each other.
@usableFromInline
struct ZipStore4<A, B, C, D>: JoinStore {
  @usableFromInline
  var a = Fifo<A>()

  @usableFromInline
  var b = Fifo<B>()

  @usableFromInline
  var c = Fifo<C>()

  @usableFromInline
  var d = Fifo<D>()

  @inlinable
  init() {}

  @inlinable
  mutating func put(_ input: Either4<A, B, C, D>) {
    switch input {
    case .a(let value): a.append(value)
    case .b(let value): b.append(value)
    case .c(let value): c.append(value)
    case .d(let value): d.append(value)
    }
  }

  @inlinable
  mutating func take() -> (A, B, C, D)? {
    guard !a.isEmpty, !b.isEmpty, !c.isEmpty, !d.isEmpty else { return nil }
    guard let a = a.popFirst(), let b = b.popFirst(), let c = c.popFirst(), let d = d.popFirst() else { return nil }
    return (a, b, c, d)
  }

  @inlinable
  func isExhausted(_ finished: JoinSides) -> Bool {
    finished.contains(0) && a.isEmpty || finished.contains(1) && b.isEmpty || finished.contains(2) && c.isEmpty
      || finished.contains(3) && d.isEmpty
  }
}
