#if DEBUG
/// What resumes a task that waits; a debug build stops if that is done twice, and says so if it is never done.
@usableFromInline
typealias Waiter<Answer> = CheckedContinuation<Answer, Never>

func wait<Answer>(
  isolation: isolated (any Actor)?, _ body: (Waiter<Answer>) -> Void
) async -> sending Answer {
  await withCheckedContinuation(isolation: isolation, body)
}
#else
// Safety: the machine that keeps it takes it out under its lock, once. Debug builds check that. (`AsyncPublisherTests`)
/// What resumes a task that waits, once.
@usableFromInline
typealias Waiter<Answer> = UnsafeContinuation<Answer, Never>

// Safety: as of `Waiter`. (`AsyncPublisherTests`)
func wait<Answer>(
  isolation: isolated (any Actor)?, _ body: (Waiter<Answer>) -> Void
) async -> sending Answer {
  await withUnsafeContinuation(isolation: isolation, body)
}
#endif
