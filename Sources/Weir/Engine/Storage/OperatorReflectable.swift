/// A subscriber or subscription that has its operator's name in logs and mirrors.
///
/// Test suites compare these names and the children of mirrors, so they are the same as Combine's.
@usableFromInline
package protocol OperatorReflectable: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  /// The children of the mirror. Invariant: they can be read at any time, on any thread.
  var mirrorChildren: [Mirror.Child] { get }
}

extension OperatorReflectable {
  @usableFromInline
  package var mirrorChildren: [Mirror.Child] { [] }

  @usableFromInline
  package var customMirror: Mirror { Mirror(self, children: mirrorChildren, ancestorRepresentation: .suppressed) }

  @usableFromInline
  package var playgroundDescription: Any { description }
}

/// Returns the value or a plain `nil`, because an optional would appear twice in a mirror.
@usableFromInline
func unwrappedForMirror(_ part: Any?) -> Any {
  part ?? Any?.none as Any
}

/// A child of the mirror of an operator with state.
///
/// State that changes with each value belongs to the delivering thread. Another thread cannot read it without a data
/// race. So a mirror shows that state until demand is requested, and then only its type.
@usableFromInline
package enum MirrorPart {
  /// The subscriber, or its type in a subscription that doesn't retain it.
  case downstream
  /// The upstream's subscription.
  case upstreamSubscription
  /// Whether values are delivered.
  case status
  /// Whether the operator has terminated.
  case finished
  /// The requested demand.
  case demand
  /// The number of inputs that make one output.
  case count
  /// State of this type.
  case state(String, any Any.Type)
  /// State with this initial value, which changes with the first input.
  case growing(String, from: Any)
}

extension [MirrorPart] {
  /// The children of an operator that searches for one value or combines all values.
  @usableFromInline
  static func result<Output>(_ type: Output.Type) -> [MirrorPart] {
    [.downstream, .state("result", type), .state("initial", type), .status]
  }
}
