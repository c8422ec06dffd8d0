#if !WEIR_BARE
import Dispatch
import Weir

/// Whether the caller runs on the main actor.
///
/// The main thread is no criterion alone: in a program with an asynchronous `main`, Linux moves the main queue between
/// threads. `MainActor.preconditionIsolated` ends the process on Linux without its message. So this function asks the
/// main queue, on which the main actor runs.
@usableFromInline
package func isOnMainActor() -> Bool {
  if DispatchQueue.getSpecific(key: MainQueueMark.key) == true || isOnMainThread() { return true }
  // A main actor with a custom executor.
  if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
    return MainActor.shared.unownedExecutor.asSerialExecutor()?.isIsolatingCurrentContext() == true
  }
  return false
}

private enum MainQueueMark {
  static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()
}
#else
/// Whether the caller runs on the main actor: always, because there is only one thread.
@usableFromInline
package func isOnMainActor() -> Bool { true }
#endif
