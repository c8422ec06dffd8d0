import Dispatch

/// Waits for asynchronous work, which runs on the concurrency runtime's own threads.
func blocking<Result: Sendable>(_ work: @escaping @Sendable () async -> Result) -> Result {
  let isDone = DispatchSemaphore(value: 0)
  // Written before the signal, read after the wait.
  nonisolated(unsafe) var result: Result?
  Task.detached {
    result = await work()
    isDone.signal()
  }
  isDone.wait()
  guard let result else { fatalError("The work returned no result.") }
  return result
}
