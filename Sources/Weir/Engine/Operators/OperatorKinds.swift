// The kinds of stateful operators, each with what its operators have in common.

/// An operator that can't fail by itself: its failure is the upstream's.
@usableFromInline
package protocol InfallibleOperator: StatefulOperator where UpstreamFailure == Failure {
  associatedtype UpstreamFailure = Failure
}

/// An operator that sends values only for values, and forwards the completion.
@usableFromInline
package protocol ForwardingOperator: InfallibleOperator {}

extension ForwardingOperator {
  @inlinable
  package static var mayEmitAtEnd: Bool { false }
}

/// An operator that searches for one value or combines all values, so that it needs all of them.
@usableFromInline
package protocol ReducingOperator: StatefulOperator {}

extension ReducingOperator {
  @inlinable
  package var policy: OperatorSubscription.Policy { .unlimited }

  @usableFromInline
  package static var mirrored: [MirrorPart] { .result(Output.self) }
}
