// Written by .ci/arities: change that.

/// The input of one of two upstreams.
@usableFromInline
@frozen
enum Either2<A, B> {
  case a(A), b(B)
}

/// The input of one of three upstreams.
@usableFromInline
@frozen
enum Either3<A, B, C> {
  case a(A), b(B), c(C)
}

/// The input of one of four upstreams.
@usableFromInline
@frozen
enum Either4<A, B, C, D> {
  case a(A), b(B), c(C), d(D)
}

@usableFromInline
enum AOf2<A, B>: InletEntry {
  @inlinable
  static func wrap(_ value: A) -> Either2<A, B> { .a(value) }
}

@usableFromInline
enum BOf2<A, B>: InletEntry {
  @inlinable
  static func wrap(_ value: B) -> Either2<A, B> { .b(value) }
}

@usableFromInline
enum AOf3<A, B, C>: InletEntry {
  @inlinable
  static func wrap(_ value: A) -> Either3<A, B, C> { .a(value) }
}

@usableFromInline
enum BOf3<A, B, C>: InletEntry {
  @inlinable
  static func wrap(_ value: B) -> Either3<A, B, C> { .b(value) }
}

@usableFromInline
enum COf3<A, B, C>: InletEntry {
  @inlinable
  static func wrap(_ value: C) -> Either3<A, B, C> { .c(value) }
}

@usableFromInline
enum AOf4<A, B, C, D>: InletEntry {
  @inlinable
  static func wrap(_ value: A) -> Either4<A, B, C, D> { .a(value) }
}

@usableFromInline
enum BOf4<A, B, C, D>: InletEntry {
  @inlinable
  static func wrap(_ value: B) -> Either4<A, B, C, D> { .b(value) }
}

@usableFromInline
enum COf4<A, B, C, D>: InletEntry {
  @inlinable
  static func wrap(_ value: C) -> Either4<A, B, C, D> { .c(value) }
}

@usableFromInline
enum DOf4<A, B, C, D>: InletEntry {
  @inlinable
  static func wrap(_ value: D) -> Either4<A, B, C, D> { .d(value) }
}
