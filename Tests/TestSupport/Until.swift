import Testing

/// Lets other tasks run until something is so; gives up, and reports it, if it isn't after so long that it never will.
///
/// Nobody is slowed down by it and no time is asserted: the time only tells a test that hangs from one that waits.
func until(
  isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  _ isSo: () -> Bool
) async {
  let hopeless = ContinuousClock.now + .seconds(600)
  while !isSo() {
    guard !Task.isCancelled, ContinuousClock.now < hopeless else {
      Issue.record("What was waited for has not come about.", sourceLocation: sourceLocation)
      return
    }
    await Task.yield()
  }
}
