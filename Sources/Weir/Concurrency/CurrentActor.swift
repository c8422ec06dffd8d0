#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// Tells whether the caller runs on an actor; `nil` if that can't be told.
///
/// Swift's own ways to ask, `preconditionIsolated` and `assumeIsolated`, end the program where the answer is no, on Linux
/// without the message that they were given. So the runtime's function behind them is asked, with the flag that it must
/// not crash; and where the main queue runs a block without a task, of which that knows nothing, the queue itself.
///
/// Both are looked up by name, because the core imports neither Dispatch nor the compiler's `Builtin` module. In a program
/// that is linked statically there are no names: then only what `preconditionIsolated` says is known.
package func isRunning(on actor: any Actor) -> Bool? {
  var isKnown = false
  if let isCurrentExecutor = SwiftRuntime.isCurrentExecutor {
    // Safety: an executor is two words, the runtime's `SerialExecutorRef`, part of its stable interface. (`IsolationTests`)
    let executor = unsafeBitCast(actor.unownedExecutor, to: (identity: UInt, implementation: UInt).self)
    if isCurrentExecutor(executor.identity, executor.implementation, 0) { return true }
    // Of an actor without an executor of its own the runtime knows all; others may be left in a way that it doesn't see.
    isKnown = executor.implementation == 0
  }
  return actor is MainActor ? SwiftRuntime.isOnMainQueue?() : isKnown ? false : nil
}

/// The actor that the caller runs on, if there is one and it can be told.
package func currentActor() -> (any Actor)? {
  if isRunning(on: MainActor.shared) == true { return MainActor.shared }
  guard let executor = SwiftRuntime.currentExecutor?(), executor.rem == 0 else { return nil }
  // Safety: an executor without an implementation of its own is a default actor's, and its identity the address of the
  // actor, which lives as long as it runs. (`IsolationTests`)
  let actor = UnsafeRawPointer(bitPattern: executor.quot).map(Unmanaged<AnyObject>.fromOpaque)
  return actor?.takeUnretainedValue() as? any Actor
}

private enum SwiftRuntime {
  // Safety: the types below are those of the functions in the runtime and in Dispatch. The mark is never freed, and only its
  // address is used. (`IsolationTests`)

  #if !os(Windows)
  /// The current executor as its two words, of which the first is zero where there is none.
  ///
  /// `ldiv_t` stands for two words that are returned in registers.
  static let currentExecutor: (@convention(c) () -> ldiv_t)? = address(of: "swift_task_getCurrentExecutor")
    .map { unsafeBitCast($0, to: (@convention(c) () -> ldiv_t).self) }
  #else
  static let currentExecutor: (() -> (quot: Int, rem: Int))? = nil
  #endif

  /// Whether an executor, given as its two words, is the current one; zero for the flags means "don't crash".
  static let isCurrentExecutor: (@convention(c) (UInt, UInt, UInt64) -> Bool)? = address(
    of: "swift_task_isCurrentExecutorWithFlags"
  ).map { unsafeBitCast($0, to: (@convention(c) (UInt, UInt, UInt64) -> Bool).self) }

  /// Whether the caller runs on the main queue, which is marked for the purpose.
  static let isOnMainQueue: (@Sendable () -> Bool)? = {
    typealias SetSpecific =
      @convention(c) (
        UnsafeMutableRawPointer, UnsafeRawPointer, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
      ) -> Void
    typealias GetSpecific = @convention(c) (UnsafeRawPointer) -> UnsafeMutableRawPointer?
    guard
      let queue = address(of: "_dispatch_main_q"),
      let setSpecific = address(of: "dispatch_queue_set_specific"),
      let getSpecific = address(of: "dispatch_get_specific")
    else { return nil }
    let mark = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
    unsafeBitCast(setSpecific, to: SetSpecific.self)(queue, mark, mark, nil)
    let find = unsafeBitCast(getSpecific, to: GetSpecific.self)
    nonisolated(unsafe) let key = UnsafeRawPointer(mark)
    return { find(key) != nil }
  }()

  // Safety: the pointer is that of a function or variable of the process, which is never unloaded. (`IsolationTests`)
  private static func address(of name: String) -> UnsafeMutableRawPointer? {
    #if canImport(Darwin)
    return dlsym(UnsafeMutableRawPointer(bitPattern: -2), name)
    #elseif canImport(Glibc) || canImport(Musl) || canImport(Android)
    return dlsym(nil, name)
    #else
    return nil
    #endif
  }
}
