// Written by .ci/arities: change that.

/// The input of one of two upstreams.
@usableFromInline
@frozen
package enum Either2<A, B> {
  case a(A), b(B)
}

/// The input of one of three upstreams.
@usableFromInline
@frozen
package enum Either3<A, B, C> {
  case a(A), b(B), c(C)
}

/// The input of one of four upstreams.
@usableFromInline
@frozen
package enum Either4<A, B, C, D> {
  case a(A), b(B), c(C), d(D)
}

@usableFromInline
package enum AOf2<A, B>: InletEntry {
  @inlinable
  package static func wrap(_ value: A) -> Either2<A, B> { .a(value) }
}

@usableFromInline
package enum BOf2<A, B>: InletEntry {
  @inlinable
  package static func wrap(_ value: B) -> Either2<A, B> { .b(value) }
}

@usableFromInline
package enum AOf3<A, B, C>: InletEntry {
  @inlinable
  package static func wrap(_ value: A) -> Either3<A, B, C> { .a(value) }
}

@usableFromInline
package enum BOf3<A, B, C>: InletEntry {
  @inlinable
  package static func wrap(_ value: B) -> Either3<A, B, C> { .b(value) }
}

@usableFromInline
package enum COf3<A, B, C>: InletEntry {
  @inlinable
  package static func wrap(_ value: C) -> Either3<A, B, C> { .c(value) }
}

@usableFromInline
package enum AOf4<A, B, C, D>: InletEntry {
  @inlinable
  package static func wrap(_ value: A) -> Either4<A, B, C, D> { .a(value) }
}

@usableFromInline
package enum BOf4<A, B, C, D>: InletEntry {
  @inlinable
  package static func wrap(_ value: B) -> Either4<A, B, C, D> { .b(value) }
}

@usableFromInline
package enum COf4<A, B, C, D>: InletEntry {
  @inlinable
  package static func wrap(_ value: C) -> Either4<A, B, C, D> { .c(value) }
}

@usableFromInline
package enum DOf4<A, B, C, D>: InletEntry {
  @inlinable
  package static func wrap(_ value: D) -> Either4<A, B, C, D> { .d(value) }
}
