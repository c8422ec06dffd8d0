/// The failure of a verification's upstreams.
public struct UpstreamFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Calls user code when the last copy is released.
  private final class Life: Sendable {
    deinit { UserCode.releases("the deinit of an error") }
  }

  private let life: Life?

  /// Creates the failure; all are equal.
  public init() {
    life = Interference.current == nil ? nil : Life()
  }

  /// All failures are equal.
  public static func == (lhs: UpstreamFailure, rhs: UpstreamFailure) -> Bool { true }

  /// All failures have the same hash.
  public func hash(into hasher: inout Hasher) {}

  /// `upstream`.
  public var description: String { "upstream" }
}
