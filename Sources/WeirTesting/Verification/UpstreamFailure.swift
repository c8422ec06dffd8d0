/// The failure of the upstreams that a verification makes.
public struct UpstreamFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Makes the failure; all are equal.
  public init() {}

  /// `upstream`.
  public var description: String { "upstream" }
}
