public import Weir

extension Publisher {
  /// Replaces a failure with a finish, or ignores it.
  ///
  ///     source            -1-2-#
  ///     .ignoreFailure()  -1-2-|
  ///
  /// - Demand: unchanged.
  /// - Completion and cancellation: finishes instead of failing. If `completeImmediately` is false, it never completes
  ///   then.
  /// - Threading: runs where this publisher delivers.
  @inlinable
  public func ignoreFailure(
    completeImmediately: Bool = true
  ) -> Publishers.Catch<Self, Empty<Output, Never>> {
    self.catch { _ in Empty(completeImmediately: completeImmediately) }
  }
}
