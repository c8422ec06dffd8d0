import Dispatch

/// Waits for asynchronous work, which runs on the concurrency runtime's own threads.
func blocking(_ work: @escaping @Sendable () async -> Int) -> Int {
  let isDone = DispatchSemaphore(value: 0)
  // Written before the signal, read after the wait.
  nonisolated(unsafe) var result = 0
  Task.detached {
    result = await work()
    isDone.signal()
  }
  isDone.wait()
  return result
}
