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
