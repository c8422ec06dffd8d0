// Written by .ci/arities: change that.

extension Publisher {
  /// Sends on the values of this publisher and of two others; see ``merge(with:)-(B)``.
  @inlinable
  public func merge<B: Publisher, C: Publisher>(with b: B, _ c: C) -> Publishers.Merge3<Self, B, C>
  where B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure {
    Publishers.Merge3(self, b, c)
  }

  /// Sends on the values of this publisher and of three others; see ``merge(with:)-(B)``.
  @inlinable
  public func merge<B: Publisher, C: Publisher, D: Publisher>(with b: B, _ c: C, _ d: D)
    -> Publishers.Merge4<Self, B, C, D>
  where
    B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output,
    D.Failure == Failure
  {
    Publishers.Merge4(self, b, c, d)
  }

  /// Sends on the values of this publisher and of four others; see ``merge(with:)-(B)``.
  @inlinable
  public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher>(with b: B, _ c: C, _ d: D, _ e: E)
    -> Publishers.Merge5<Self, B, C, D, E>
  where
    B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output,
    D.Failure == Failure, E.Output == Output, E.Failure == Failure
  {
    Publishers.Merge5(self, b, c, d, e)
  }

  /// Sends on the values of this publisher and of five others; see ``merge(with:)-(B)``.
  @inlinable
  public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher>(
    with b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) -> Publishers.Merge6<Self, B, C, D, E, F>
  where
    B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output,
    D.Failure == Failure, E.Output == Output, E.Failure == Failure, F.Output == Output, F.Failure == Failure
  {
    Publishers.Merge6(self, b, c, d, e, f)
  }

  /// Sends on the values of this publisher and of six others; see ``merge(with:)-(B)``.
  @inlinable
  public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher>(
    with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
  ) -> Publishers.Merge7<Self, B, C, D, E, F, G>
  where
    B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output,
    D.Failure == Failure, E.Output == Output, E.Failure == Failure, F.Output == Output, F.Failure == Failure,
    G.Output == Output, G.Failure == Failure
  {
    Publishers.Merge7(self, b, c, d, e, f, g)
  }

  /// Sends on the values of this publisher and of seven others; see ``merge(with:)-(B)``.
  @inlinable
  public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher, H: Publisher>(
    with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
  ) -> Publishers.Merge8<Self, B, C, D, E, F, G, H>
  where
    B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output,
    D.Failure == Failure, E.Output == Output, E.Failure == Failure, F.Output == Output, F.Failure == Failure,
    G.Output == Output, G.Failure == Failure, H.Output == Output, H.Failure == Failure
  {
    Publishers.Merge8(self, b, c, d, e, f, g, h)
  }

}

extension Publishers {
  /// A publisher of the values of two publishers as they come.
  @frozen
  public struct Merge<A: Publisher, B: Publisher>: _DirectPublisher where A.Output == B.Output, A.Failure == B.Failure {
    /// The values are those of all.
    public typealias Output = A.Output

    /// The failure is that of the first to fail.
    public typealias Failure = A.Failure

    /// One of the publishers.
    public let a: A

    /// One of the publishers.
    public let b: B

    @usableFromInline
    package let place = Place()

    /// Makes the operator; `merge` is the usual way.
    @inlinable
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      let coordinator = Coordinator(merging: 2, downstream: downstream)
      coordinator.attach(to: a, as: 0)
      coordinator.attach(to: b, as: 1)
    }

    /// Merges another into the same operator.
    @inlinable
    public func merge<Z: Publisher>(with other: Z) -> Publishers.Merge3<A, B, Z>
    where Z.Output == Output, Z.Failure == Failure {
      Publishers.Merge3(a, b, other)
    }

    /// Merges two more into the same operator.
    @inlinable
    public func merge<Z: Publisher, Y: Publisher>(with z: Z, _ y: Y) -> Publishers.Merge4<A, B, Z, Y>
    where Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure {
      Publishers.Merge4(a, b, z, y)
    }

    /// Merges three more into the same operator.
    @inlinable
    public func merge<Z: Publisher, Y: Publisher, X: Publisher>(with z: Z, _ y: Y, _ x: X)
      -> Publishers.Merge5<A, B, Z, Y, X>
    where
      Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure, X.Output == Output,
      X.Failure == Failure
    {
      Publishers.Merge5(a, b, z, y, x)
    }

    /// Merges four more into the same operator.
    @inlinable
    public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher>(with z: Z, _ y: Y, _ x: X, _ w: W)
      -> Publishers.Merge6<A, B, Z, Y, X, W>
    where
      Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure, X.Output == Output,
      X.Failure == Failure, W.Output == Output, W.Failure == Failure
    {
      Publishers.Merge6(a, b, z, y, x, w)
    }

    /// Merges five more into the same operator.
    @inlinable
    public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher, V: Publisher>(
      with z: Z, _ y: Y, _ x: X, _ w: W, _ v: V
    ) -> Publishers.Merge7<A, B, Z, Y, X, W, V>
    where
      Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure, X.Output == Output,
      X.Failure == Failure, W.Output == Output, W.Failure == Failure, V.Output == Output, V.Failure == Failure
    {
      Publishers.Merge7(a, b, z, y, x, w, v)
    }

    /// Merges six more into the same operator.
    @inlinable
    public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher, V: Publisher, U: Publisher>(
      with z: Z, _ y: Y, _ x: X, _ w: W, _ v: V, _ u: U
    ) -> Publishers.Merge8<A, B, Z, Y, X, W, V, U>
    where
      Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure, X.Output == Output,
      X.Failure == Failure, W.Output == Output, W.Failure == Failure, V.Output == Output, V.Failure == Failure,
      U.Output == Output, U.Failure == Failure
    {
      Publishers.Merge8(a, b, z, y, x, w, v, u)
    }

  }
}

extension Publishers.Merge: Equatable where A: Equatable, B: Equatable {}

extension Publishers.Merge: Sendable where A: Sendable, B: Sendable {}

extension Publishers {
  /// A publisher of the values of three publishers as they come.
  @frozen
  public struct Merge3<A: Publisher, B: Publisher, C: Publisher>: _DirectPublisher
  where A.Output == B.Output, A.Failure == B.Failure, B.Output == C.Output, B.Failure == C.Failure {
    /// The values are those of all.
    public typealias Output = A.Output

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

    /// Makes the operator; `merge` is the usual way.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C) {
      self.a = a
      self.b = b
      self.c = c
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      let coordinator = Coordinator(merging: 3, downstream: downstream)
      coordinator.attach(to: a, as: 0)
      coordinator.attach(to: b, as: 1)
      coordinator.attach(to: c, as: 2)
    }

    /// Merges another into the same operator.
    @inlinable
    public func merge<Z: Publisher>(with other: Z) -> Publishers.Merge4<A, B, C, Z>
    where Z.Output == Output, Z.Failure == Failure {
      Publishers.Merge4(a, b, c, other)
    }

    /// Merges two more into the same operator.
    @inlinable
    public func merge<Z: Publisher, Y: Publisher>(with z: Z, _ y: Y) -> Publishers.Merge5<A, B, C, Z, Y>
    where Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure {
      Publishers.Merge5(a, b, c, z, y)
    }

    /// Merges three more into the same operator.
    @inlinable
    public func merge<Z: Publisher, Y: Publisher, X: Publisher>(with z: Z, _ y: Y, _ x: X)
      -> Publishers.Merge6<A, B, C, Z, Y, X>
    where
      Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure, X.Output == Output,
      X.Failure == Failure
    {
      Publishers.Merge6(a, b, c, z, y, x)
    }

    /// Merges four more into the same operator.
    @inlinable
    public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher>(with z: Z, _ y: Y, _ x: X, _ w: W)
      -> Publishers.Merge7<A, B, C, Z, Y, X, W>
    where
      Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure, X.Output == Output,
      X.Failure == Failure, W.Output == Output, W.Failure == Failure
    {
      Publishers.Merge7(a, b, c, z, y, x, w)
    }

    /// Merges five more into the same operator.
    @inlinable
    public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher, V: Publisher>(
      with z: Z, _ y: Y, _ x: X, _ w: W, _ v: V
    ) -> Publishers.Merge8<A, B, C, Z, Y, X, W, V>
    where
      Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure, X.Output == Output,
      X.Failure == Failure, W.Output == Output, W.Failure == Failure, V.Output == Output, V.Failure == Failure
    {
      Publishers.Merge8(a, b, c, z, y, x, w, v)
    }

  }
}

extension Publishers.Merge3: Equatable where A: Equatable, B: Equatable, C: Equatable {}

extension Publishers.Merge3: Sendable where A: Sendable, B: Sendable, C: Sendable {}

extension Publishers {
  /// A publisher of the values of four publishers as they come.
  @frozen
  public struct Merge4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: _DirectPublisher
  where
    A.Output == B.Output, A.Failure == B.Failure, B.Output == C.Output, B.Failure == C.Failure, C.Output == D.Output,
    C.Failure == D.Failure
  {
    /// The values are those of all.
    public typealias Output = A.Output

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

    /// Makes the operator; `merge` is the usual way.
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
      let coordinator = Coordinator(merging: 4, downstream: downstream)
      coordinator.attach(to: a, as: 0)
      coordinator.attach(to: b, as: 1)
      coordinator.attach(to: c, as: 2)
      coordinator.attach(to: d, as: 3)
    }

    /// Merges another into the same operator.
    @inlinable
    public func merge<Z: Publisher>(with other: Z) -> Publishers.Merge5<A, B, C, D, Z>
    where Z.Output == Output, Z.Failure == Failure {
      Publishers.Merge5(a, b, c, d, other)
    }

    /// Merges two more into the same operator.
    @inlinable
    public func merge<Z: Publisher, Y: Publisher>(with z: Z, _ y: Y) -> Publishers.Merge6<A, B, C, D, Z, Y>
    where Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure {
      Publishers.Merge6(a, b, c, d, z, y)
    }

    /// Merges three more into the same operator.
    @inlinable
    public func merge<Z: Publisher, Y: Publisher, X: Publisher>(with z: Z, _ y: Y, _ x: X)
      -> Publishers.Merge7<A, B, C, D, Z, Y, X>
    where
      Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure, X.Output == Output,
      X.Failure == Failure
    {
      Publishers.Merge7(a, b, c, d, z, y, x)
    }

    /// Merges four more into the same operator.
    @inlinable
    public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher>(with z: Z, _ y: Y, _ x: X, _ w: W)
      -> Publishers.Merge8<A, B, C, D, Z, Y, X, W>
    where
      Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure, X.Output == Output,
      X.Failure == Failure, W.Output == Output, W.Failure == Failure
    {
      Publishers.Merge8(a, b, c, d, z, y, x, w)
    }

  }
}

extension Publishers.Merge4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}

extension Publishers.Merge4: Sendable where A: Sendable, B: Sendable, C: Sendable, D: Sendable {}

extension Publishers {
  /// A publisher of the values of five publishers as they come.
  @frozen
  public struct Merge5<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher>: _DirectPublisher
  where
    A.Output == B.Output, A.Failure == B.Failure, B.Output == C.Output, B.Failure == C.Failure, C.Output == D.Output,
    C.Failure == D.Failure, D.Output == E.Output, D.Failure == E.Failure
  {
    /// The values are those of all.
    public typealias Output = A.Output

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

    /// One of the publishers.
    public let e: E

    @usableFromInline
    package let place = Place()

    /// Makes the operator; `merge` is the usual way.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
      self.e = e
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      let coordinator = Coordinator(merging: 5, downstream: downstream)
      coordinator.attach(to: a, as: 0)
      coordinator.attach(to: b, as: 1)
      coordinator.attach(to: c, as: 2)
      coordinator.attach(to: d, as: 3)
      coordinator.attach(to: e, as: 4)
    }

    /// Merges another into the same operator.
    @inlinable
    public func merge<Z: Publisher>(with other: Z) -> Publishers.Merge6<A, B, C, D, E, Z>
    where Z.Output == Output, Z.Failure == Failure {
      Publishers.Merge6(a, b, c, d, e, other)
    }

    /// Merges two more into the same operator.
    @inlinable
    public func merge<Z: Publisher, Y: Publisher>(with z: Z, _ y: Y) -> Publishers.Merge7<A, B, C, D, E, Z, Y>
    where Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure {
      Publishers.Merge7(a, b, c, d, e, z, y)
    }

    /// Merges three more into the same operator.
    @inlinable
    public func merge<Z: Publisher, Y: Publisher, X: Publisher>(with z: Z, _ y: Y, _ x: X)
      -> Publishers.Merge8<A, B, C, D, E, Z, Y, X>
    where
      Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure, X.Output == Output,
      X.Failure == Failure
    {
      Publishers.Merge8(a, b, c, d, e, z, y, x)
    }

  }
}

extension Publishers.Merge5: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable {}

extension Publishers.Merge5: Sendable where A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable {}

extension Publishers {
  /// A publisher of the values of six publishers as they come.
  @frozen
  public struct Merge6<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher>:
    _DirectPublisher
  where
    A.Output == B.Output, A.Failure == B.Failure, B.Output == C.Output, B.Failure == C.Failure, C.Output == D.Output,
    C.Failure == D.Failure, D.Output == E.Output, D.Failure == E.Failure, E.Output == F.Output, E.Failure == F.Failure
  {
    /// The values are those of all.
    public typealias Output = A.Output

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

    /// One of the publishers.
    public let e: E

    /// One of the publishers.
    public let f: F

    @usableFromInline
    package let place = Place()

    /// Makes the operator; `merge` is the usual way.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
      self.e = e
      self.f = f
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      let coordinator = Coordinator(merging: 6, downstream: downstream)
      coordinator.attach(to: a, as: 0)
      coordinator.attach(to: b, as: 1)
      coordinator.attach(to: c, as: 2)
      coordinator.attach(to: d, as: 3)
      coordinator.attach(to: e, as: 4)
      coordinator.attach(to: f, as: 5)
    }

    /// Merges another into the same operator.
    @inlinable
    public func merge<Z: Publisher>(with other: Z) -> Publishers.Merge7<A, B, C, D, E, F, Z>
    where Z.Output == Output, Z.Failure == Failure {
      Publishers.Merge7(a, b, c, d, e, f, other)
    }

    /// Merges two more into the same operator.
    @inlinable
    public func merge<Z: Publisher, Y: Publisher>(with z: Z, _ y: Y) -> Publishers.Merge8<A, B, C, D, E, F, Z, Y>
    where Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure {
      Publishers.Merge8(a, b, c, d, e, f, z, y)
    }

  }
}

extension Publishers.Merge6: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable {}

extension Publishers.Merge6: Sendable
where A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable {}

extension Publishers {
  /// A publisher of the values of seven publishers as they come.
  @frozen
  public struct Merge7<
    A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher
  >: _DirectPublisher
  where
    A.Output == B.Output, A.Failure == B.Failure, B.Output == C.Output, B.Failure == C.Failure, C.Output == D.Output,
    C.Failure == D.Failure, D.Output == E.Output, D.Failure == E.Failure, E.Output == F.Output, E.Failure == F.Failure,
    F.Output == G.Output, F.Failure == G.Failure
  {
    /// The values are those of all.
    public typealias Output = A.Output

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

    /// One of the publishers.
    public let e: E

    /// One of the publishers.
    public let f: F

    /// One of the publishers.
    public let g: G

    @usableFromInline
    package let place = Place()

    /// Makes the operator; `merge` is the usual way.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
      self.e = e
      self.f = f
      self.g = g
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      let coordinator = Coordinator(merging: 7, downstream: downstream)
      coordinator.attach(to: a, as: 0)
      coordinator.attach(to: b, as: 1)
      coordinator.attach(to: c, as: 2)
      coordinator.attach(to: d, as: 3)
      coordinator.attach(to: e, as: 4)
      coordinator.attach(to: f, as: 5)
      coordinator.attach(to: g, as: 6)
    }

    /// Merges another into the same operator.
    @inlinable
    public func merge<Z: Publisher>(with other: Z) -> Publishers.Merge8<A, B, C, D, E, F, G, Z>
    where Z.Output == Output, Z.Failure == Failure {
      Publishers.Merge8(a, b, c, d, e, f, g, other)
    }

  }
}

extension Publishers.Merge7: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable, G: Equatable {}

extension Publishers.Merge7: Sendable
where A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable, G: Sendable {}

extension Publishers {
  /// A publisher of the values of eight publishers as they come.
  @frozen
  public struct Merge8<
    A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher, H: Publisher
  >: _DirectPublisher
  where
    A.Output == B.Output, A.Failure == B.Failure, B.Output == C.Output, B.Failure == C.Failure, C.Output == D.Output,
    C.Failure == D.Failure, D.Output == E.Output, D.Failure == E.Failure, E.Output == F.Output, E.Failure == F.Failure,
    F.Output == G.Output, F.Failure == G.Failure, G.Output == H.Output, G.Failure == H.Failure
  {
    /// The values are those of all.
    public typealias Output = A.Output

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

    /// One of the publishers.
    public let e: E

    /// One of the publishers.
    public let f: F

    /// One of the publishers.
    public let g: G

    /// One of the publishers.
    public let h: H

    @usableFromInline
    package let place = Place()

    /// Makes the operator; `merge` is the usual way.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
      self.e = e
      self.f = f
      self.g = g
      self.h = h
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      let coordinator = Coordinator(merging: 8, downstream: downstream)
      coordinator.attach(to: a, as: 0)
      coordinator.attach(to: b, as: 1)
      coordinator.attach(to: c, as: 2)
      coordinator.attach(to: d, as: 3)
      coordinator.attach(to: e, as: 4)
      coordinator.attach(to: f, as: 5)
      coordinator.attach(to: g, as: 6)
      coordinator.attach(to: h, as: 7)
    }

  }
}

extension Publishers.Merge8: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable, G: Equatable, H: Equatable {}

extension Publishers.Merge8: Sendable
where A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable, G: Sendable, H: Sendable {}
