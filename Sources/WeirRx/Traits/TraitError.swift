/// How a publisher can break the promise of a trait.
public enum TraitError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It finished without a value where there has to be one.
  case noElements

  /// It sent a second value where there may be one at the most.
  case moreThanOneElement

  /// What was promised, and what happened.
  public var description: String {
    switch self {
    case .noElements: "The publisher of a single value has finished without one."
    case .moreThanOneElement: "The publisher of one value at the most has sent a second one."
    }
  }
}
