public import Weir

extension Publisher where Output == Bool {
  /// Sends the opposite of each value.
  ///
  ///     source     -'true' -'false'-|
  ///     .toggle()  -'false'-'true' -|
  ///
  /// - Demand: unchanged.
  /// - Completion and cancellation: unchanged.
  /// - Threading: runs where this publisher delivers.
  @inlinable
  @_disfavoredOverload
  public func toggle() -> Publishers.Map<Self, Bool> {
    map { !$0 }
  }
}
