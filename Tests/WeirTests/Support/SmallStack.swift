import Foundation

@testable import TestSupport

/// Runs a body on a thread with a stack of 512 KiB and waits for it.
///
/// An operator that needs stack for each value crashes there.
func onSmallStack<Result>(_ body: @escaping () -> Result) -> Result? {
  nonisolated(unsafe) let body = body
  nonisolated(unsafe) let result = Box<Result?>(nil)
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    result.value = body()
    done.signal()
  }
  thread.stackSize = 512 * 1024
  thread.start()
  done.wait()
  return result.value
}
