// The kinds of operations with state, each with what its operations have in common.

/// An operation that can't fail by itself: its failure is the upstream's.
@usableFromInline
package protocol InfallibleOperator: StatefulOperator where UpstreamFailure == Failure {
  associatedtype UpstreamFailure = Failure
}

/// An operation that sends values only for values, and forwards the completion.
@usableFromInline
package protocol ForwardingOperator: InfallibleOperator {}

extension ForwardingOperator {
  @inlinable
  package static var mayEmitAtEnd: Bool { false }
}

/// An operation that searches for one value or combines all values, so that it needs all of them.
@usableFromInline
package protocol ReducingOperator: StatefulOperator {}

extension ReducingOperator {
  @inlinable
  package var policy: OperatorSubscription.Policy { .unlimited }

  @usableFromInline
  package static var mirrored: [MirrorPart] { .result(Output.self) }
}
