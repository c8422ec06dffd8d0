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
