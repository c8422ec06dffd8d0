public import Weir

extension Publisher {
  /// Leaves a failure out.
  ///
  ///     source            -1-2-#
  ///     .ignoreFailure()  -1-2-|
  ///
  /// - Demand: unchanged.
  /// - Completion and cancellation: finishes in place of a failure; unless `completeImmediately` is true, never ends then.
  /// - Threading: runs where this publisher delivers.
  @inlinable
  public func ignoreFailure(
    completeImmediately: Bool = true
  ) -> Publishers.Catch<Self, Empty<Output, Never>> {
    self.catch { _ in Empty(completeImmediately: completeImmediately) }
  }
}
