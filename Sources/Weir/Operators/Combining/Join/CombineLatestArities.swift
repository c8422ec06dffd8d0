// Written by .ci/arities: change that.

extension Publisher {
  /// Does the same and transforms each group with a closure; see ``combineLatest(_:)``.
  @inlinable
  public func combineLatest<P: Publisher, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest<Self, P>, T> where P.Failure == Failure {
    Publishers.CombineLatest(self, other).map { transform($0.0, $0.1) }
  }

  /// Combines the latest values of this publisher and two others; see ``combineLatest(_:)``.
  @inlinable
  public func combineLatest<P: Publisher, Q: Publisher>(_ publisher1: P, _ publisher2: Q)
    -> Publishers.CombineLatest3<Self, P, Q> where P.Failure == Failure, Q.Failure == Failure
  {
    Publishers.CombineLatest3(self, publisher1, publisher2)
  }

  /// Does the same and transforms each group with a closure; see ``combineLatest(_:)``.
  @inlinable
  public func combineLatest<P: Publisher, Q: Publisher, T>(
    _ publisher1: P, _ publisher2: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest3<Self, P, Q>, T> where P.Failure == Failure, Q.Failure == Failure {
    Publishers.CombineLatest3(self, publisher1, publisher2).map { transform($0.0, $0.1, $0.2) }
  }

  /// Combines the latest values of this publisher and three others; see ``combineLatest(_:)``.
  @inlinable
  public func combineLatest<P: Publisher, Q: Publisher, R: Publisher>(_ publisher1: P, _ publisher2: Q, _ publisher3: R)
    -> Publishers.CombineLatest4<Self, P, Q, R> where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure
  {
    Publishers.CombineLatest4(self, publisher1, publisher2, publisher3)
  }

  /// Does the same and transforms each group with a closure; see ``combineLatest(_:)``.
  @inlinable
  public func combineLatest<P: Publisher, Q: Publisher, R: Publisher, T>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R,
    _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest4<Self, P, Q, R>, T>
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    Publishers.CombineLatest4(self, publisher1, publisher2, publisher3).map { transform($0.0, $0.1, $0.2, $0.3) }
  }

}

extension Publishers {
  /// A publisher of the latest values of two publishers.
  @frozen
  public struct CombineLatest<A: Publisher, B: Publisher>: _DirectPublisher where A.Failure == B.Failure {
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

    /// Makes the operator; `combineLatest` is the usual way.
    @inlinable
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      let machine = JoinMachine<LatestStore2<A.Output, B.Output>, Failure>(
        count: 2, store: LatestStore2())
      let coordinator = Coordinator("CombineLatest", machine, downstream: downstream)
      coordinator.attach(to: a, as: 0) { .a($0) }
      coordinator.attach(to: b, as: 1) { .b($0) }
    }

  }
}

extension Publishers.CombineLatest: Equatable where A: Equatable, B: Equatable {}

extension Publishers.CombineLatest: Sendable where A: Sendable, B: Sendable {}

extension Publishers {
  /// A publisher of the latest values of three publishers.
  @frozen
  public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: _DirectPublisher
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

    /// Makes the operator; `combineLatest` is the usual way.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C) {
      self.a = a
      self.b = b
      self.c = c
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      let machine = JoinMachine<LatestStore3<A.Output, B.Output, C.Output>, Failure>(
        count: 3, store: LatestStore3())
      let coordinator = Coordinator("CombineLatest", machine, downstream: downstream)
      coordinator.attach(to: a, as: 0) { .a($0) }
      coordinator.attach(to: b, as: 1) { .b($0) }
      coordinator.attach(to: c, as: 2) { .c($0) }
    }

  }
}

extension Publishers.CombineLatest3: Equatable where A: Equatable, B: Equatable, C: Equatable {}

extension Publishers.CombineLatest3: Sendable where A: Sendable, B: Sendable, C: Sendable {}

extension Publishers {
  /// A publisher of the latest values of four publishers.
  @frozen
  public struct CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: _DirectPublisher
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

    /// Makes the operator; `combineLatest` is the usual way.
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
      let machine = JoinMachine<LatestStore4<A.Output, B.Output, C.Output, D.Output>, Failure>(
        count: 4, store: LatestStore4())
      let coordinator = Coordinator("CombineLatest", machine, downstream: downstream)
      coordinator.attach(to: a, as: 0) { .a($0) }
      coordinator.attach(to: b, as: 1) { .b($0) }
      coordinator.attach(to: c, as: 2) { .c($0) }
      coordinator.attach(to: d, as: 3) { .d($0) }
    }

  }
}

extension Publishers.CombineLatest4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}

extension Publishers.CombineLatest4: Sendable where A: Sendable, B: Sendable, C: Sendable, D: Sendable {}

/// The latest values of two upstreams.
@usableFromInline
struct LatestStore2<A, B>: JoinStore {
  @usableFromInline
  var a: A?

  @usableFromInline
  var b: B?

  /// Something has changed since the last combination was taken.
  @usableFromInline
  var isFresh = false

  @inlinable
  init() {}

  @inlinable
  mutating func put(_ input: Either2<A, B>) {
    switch input {
    case .a(let value): a = value
    case .b(let value): b = value
    }
    isFresh = true
  }

  @inlinable
  mutating func take() -> (A, B)? {
    guard isFresh, let a, let b else { return nil }
    isFresh = false
    return (a, b)
  }

  @inlinable
  func isExhausted(_ finished: JoinSides) -> Bool {
    finished.count == 2 && !(isFresh && a != nil && b != nil)
  }
}

/// The latest values of three upstreams.
@usableFromInline
struct LatestStore3<A, B, C>: JoinStore {
  @usableFromInline
  var a: A?

  @usableFromInline
  var b: B?

  @usableFromInline
  var c: C?

  /// Something has changed since the last combination was taken.
  @usableFromInline
  var isFresh = false

  @inlinable
  init() {}

  @inlinable
  mutating func put(_ input: Either3<A, B, C>) {
    switch input {
    case .a(let value): a = value
    case .b(let value): b = value
    case .c(let value): c = value
    }
    isFresh = true
  }

  @inlinable
  mutating func take() -> (A, B, C)? {
    guard isFresh, let a, let b, let c else { return nil }
    isFresh = false
    return (a, b, c)
  }

  @inlinable
  func isExhausted(_ finished: JoinSides) -> Bool {
    finished.count == 3 && !(isFresh && a != nil && b != nil && c != nil)
  }
}

/// The latest values of four upstreams.
@usableFromInline
struct LatestStore4<A, B, C, D>: JoinStore {
  @usableFromInline
  var a: A?

  @usableFromInline
  var b: B?

  @usableFromInline
  var c: C?

  @usableFromInline
  var d: D?

  /// Something has changed since the last combination was taken.
  @usableFromInline
  var isFresh = false

  @inlinable
  init() {}

  @inlinable
  mutating func put(_ input: Either4<A, B, C, D>) {
    switch input {
    case .a(let value): a = value
    case .b(let value): b = value
    case .c(let value): c = value
    case .d(let value): d = value
    }
    isFresh = true
  }

  @inlinable
  mutating func take() -> (A, B, C, D)? {
    guard isFresh, let a, let b, let c, let d else { return nil }
    isFresh = false
    return (a, b, c, d)
  }

  @inlinable
  func isExhausted(_ finished: JoinSides) -> Bool {
    finished.count == 4 && !(isFresh && a != nil && b != nil && c != nil && d != nil)
  }
}
