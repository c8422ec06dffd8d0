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
