import Testing

/// Runs other tasks until a condition holds; reports an issue after a long timeout.
///
/// It delays no test and asserts no time. The timeout only distinguishes a hanging test from a waiting one.
func until(
  isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  _ isSo: () -> Bool
) async {
  let hopeless = ContinuousClock.now + .seconds(600)
  while !isSo() {
    guard !Task.isCancelled, ContinuousClock.now < hopeless else {
      Issue.record("The condition did not become true in time.", sourceLocation: sourceLocation)
      return
    }
    await Task.yield()
  }
}
