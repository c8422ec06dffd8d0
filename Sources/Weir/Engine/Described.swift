/// A subscriber or subscription that shows up in logs and mirrors under its operator's name.
///
/// People and test suites compare these names, so they are Combine's, and so are the parts that a mirror shows.
@usableFromInline
package protocol Described: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  /// What a mirror shows: whatever may be read at any time, on any thread.
  var reflected: [Mirror.Child] { get }
}

extension Described {
  @usableFromInline
  package var reflected: [Mirror.Child] { [] }

  @usableFromInline
  package var customMirror: Mirror { Mirror(self, children: reflected, ancestorRepresentation: .suppressed) }

  @usableFromInline
  package var playgroundDescription: Any { description }
}

/// What is there, or a plain `nil`: as a part of a mirror, an optional would show twice.
@usableFromInline
func orNil(_ part: Any?) -> Any {
  part ?? Any?.none as Any
}

/// One of the things that a mirror shows of an operator with state.
///
/// State that changes from value to value belongs to the thread that delivers, and reading it takes part in no rule that
/// keeps it whole. So a mirror shows it as long as nothing has been asked for, and its type from then on.
@usableFromInline
package enum MirrorPart {
  /// The subscriber; a subscription, which doesn't keep it, shows its type.
  case downstream
  /// The upstream's subscription.
  case upstreamSubscription
  /// Whether values pass.
  case status
  /// Whether it has ended.
  case finished
  /// What has been requested.
  case demand
  /// How many inputs make an output.
  case count
  /// State of this type.
  case state(String, any Any.Type)
  /// State that is this as long as nothing has come.
  case growing(String, from: Any)
}

extension [MirrorPart] {
  /// The parts of those that look for one value, or make one of all.
  @usableFromInline
  static func result<Output>(_ type: Output.Type) -> [MirrorPart] {
    [.downstream, .state("result", type), .state("initial", type), .status]
  }
}
