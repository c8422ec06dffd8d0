/// A violation of a trait's guarantee by a publisher.
public enum TraitError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The publisher finished without a value, but a single requires one.
  case noElements

  /// The publisher sent a second value, but a trait allows at most one.
  case moreThanOneElement

  /// The guarantee, and the violation.
  public var description: String {
    switch self {
    case .noElements: "The publisher finished without a value, but a single requires one."
    case .moreThanOneElement: "The publisher sent a second value, but a trait allows at most one."
    }
  }
}
