#if DEBUG
/// The continuation of a waiting task.
///
/// A debug build stops if it is resumed twice, and reports if it is never resumed.
@usableFromInline
typealias Waiter<Answer> = CheckedContinuation<Answer, Never>
#else
// Safety: the machine that stores it takes it out under its lock, once. Debug builds check that.
// (`AsyncPublisherTests`)
/// The continuation of a waiting task, which is resumed once.
@usableFromInline
typealias Waiter<Answer> = UnsafeContinuation<Answer, Never>
#endif

func wait<Answer>(
  isolation: isolated (any Actor)?, _ body: (Waiter<Answer>) -> Void
) async -> sending Answer {
  #if DEBUG
  return await withCheckedContinuation(isolation: isolation, body)
  #else
  // Safety: as with `Waiter`. (`AsyncPublisherTests`)
  return await withUnsafeContinuation(isolation: isolation, body)
  #endif
}
