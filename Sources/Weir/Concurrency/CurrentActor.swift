#if WEIR_BARE
// No function can be looked up.
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// Returns whether the caller runs on an actor, or `nil` if that is unknown.
///
/// Swift's own checks, `preconditionIsolated` and `assumeIsolated`, stop the program if the answer is no, on Linux
/// without their message. So this calls the runtime's underlying function, with the flag that prevents a crash. The
/// runtime knows nothing of a block that the main queue runs outside a task, so the queue is checked too.
///
/// Both are looked up by name, because the core imports neither Dispatch nor the compiler's `Builtin` module. A
/// statically linked program has no names. Then only the result of `preconditionIsolated` is known.
package func isRunning(on actor: any Actor) -> Bool? {
  let executor = Executor(actor.unownedExecutor)
  let isCurrent = executor.isCurrent
  if isCurrent == true { return true }
  if actor is MainActor { return SwiftRuntime.isOnMainQueue?() }
  // The answer is certain for an actor with the default executor. A custom executor can run code in ways that the
  // runtime does not see.
  return isCurrent != nil && executor.implementation == 0 ? false : nil
}

/// Whether the caller is known to run on the main actor.
///
/// Performance: without the casts and existentials of `isRunning(on:)`, because it is asked for each assigned value.
package func isRunningOnMainActor() -> Bool {
  Executor.main.isCurrent == true || SwiftRuntime.isOnMainQueue?() == true
}

/// Returns the actor that the caller runs on, if there is one and it is known.
@usableFromInline
package func currentActor() -> (any Actor)? {
  if isRunningOnMainActor() { return MainActor.shared }
  guard let executor = SwiftRuntime.currentExecutor?(), executor.rem == 0 else { return nil }
  // Safety: an executor without a custom implementation belongs to a default actor, and its identity is the actor's
  // address. The actor is alive while it runs. (`IsolationTests`)
  let actor = UnsafeRawPointer(bitPattern: executor.quot).map(Unmanaged<AnyObject>.fromOpaque)
  return actor?.takeUnretainedValue() as? any Actor
}

/// Returns the executor that the caller runs on, if there is one and it is known.
///
/// ``currentActor()`` finds no actor for an executor of the program's own, or that of a distributed actor.
@usableFromInline
func currentExecutor() -> Executor? {
  guard let executor = SwiftRuntime.currentExecutor?(), executor.quot != 0 else { return nil }
  return Executor(identity: UInt(bitPattern: executor.quot), implementation: UInt(bitPattern: executor.rem))
}

/// A serial executor as its two words, the runtime's `SerialExecutorRef`, part of its stable interface.
@usableFromInline
struct Executor: Sendable {
  let identity: UInt
  let implementation: UInt

  static let main = Executor(MainActor.sharedUnownedExecutor)

  init(identity: UInt, implementation: UInt) {
    self.identity = identity
    self.implementation = implementation
  }

  init(_ executor: UnownedSerialExecutor) {
    // Safety: an executor is two words. (`IsolationTests`)
    self = unsafeBitCast(executor, to: Executor.self)
  }

  /// Whether this is the current executor, or `nil` if the runtime can't be asked.
  var isCurrent: Bool? { SwiftRuntime.isCurrentExecutor?(identity, implementation, 0) }
}

private enum SwiftRuntime {
  // Safety: the types below are those of the functions in the runtime and in Dispatch. The mark is never freed, and
  // only its address is used. (`IsolationTests`)

  #if (arch(x86_64) || arch(arm64)) && !os(Windows) && !WEIR_BARE
  /// Returns the current executor as its two words, of which the first is zero if there is none.
  ///
  /// `ldiv_t` represents two words. Here C returns them in the same registers as Swift, elsewhere in memory.
  static let currentExecutor: (@convention(c) () -> ldiv_t)? = address(of: "swift_task_getCurrentExecutor")
    .map { unsafeBitCast($0, to: (@convention(c) () -> ldiv_t).self) }
  #else
  static let currentExecutor: (@Sendable () -> (quot: Int, rem: Int))? = nil
  #endif

  /// Returns whether an executor, passed as its two words, is the current one; the flags 0 prevent a crash.
  static let isCurrentExecutor: (@convention(c) (UInt, UInt, UInt64) -> Bool)? = address(
    of: "swift_task_isCurrentExecutorWithFlags"
  ).map { unsafeBitCast($0, to: (@convention(c) (UInt, UInt, UInt64) -> Bool).self) }

  /// Returns whether the caller runs on the main queue, which is marked for this purpose.
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
    #if WEIR_BARE || os(Windows)
    return nil
    #elseif canImport(Darwin)
    return dlsym(UnsafeMutableRawPointer(bitPattern: -2), name)
    #else
    return dlsym(nil, name)
    #endif
  }
}
