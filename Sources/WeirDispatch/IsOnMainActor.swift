#if canImport(Dispatch)
import Dispatch

/// Tells whether the caller runs on the main actor.
///
/// The thread doesn't tell: in a program with an asynchronous `main`, Linux moves the main queue from thread to thread. And
/// `MainActor.preconditionIsolated` ends the process on Linux without the message that it was given, so the question is
/// put to the main queue, which is what the main actor runs on.
@usableFromInline
package func isOnMainActor() -> Bool {
  if DispatchQueue.getSpecific(key: MainQueueMark.key) == true { return true }
  // A main actor that the program runs on an executor of its own.
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
/// Tells whether the caller runs on the main actor: without Dispatch there is one thread, and it does.
@usableFromInline
package func isOnMainActor() -> Bool { true }
#endif
