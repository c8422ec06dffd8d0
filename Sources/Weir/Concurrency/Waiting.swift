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
/// What resumes a task that waits, once.
///
/// Safety: the machine that keeps a waiter takes it out under its lock, once. Debug builds check it.
/// (`AsyncPublisherTests`)
@usableFromInline
typealias Waiter<Answer> = UnsafeContinuation<Answer, Never>

func wait<Answer>(
  isolation: isolated (any Actor)?, _ body: (Waiter<Answer>) -> Void
) async -> sending Answer {
  // Safety: debug builds check that it is resumed once. (`AsyncPublisherTests`)
  await withUnsafeContinuation(isolation: isolation, body)
}
#endif
