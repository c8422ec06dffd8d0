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
/// runtime knows nothing of the main thread, or of a block that the main queue runs, outside a task. So these are
/// checked too.
///
/// The functions are looked up by name, because the core imports neither Dispatch nor the compiler's `Builtin` module.
/// A statically linked program has no names. Then only the result of `preconditionIsolated` is known.
package func isRunning(on actor: any Actor) -> Bool? {
  let executor = SerialExecutorWords(actor.unownedExecutor)
  let isCurrent = executor.isCurrent
  if isCurrent == true { return true }
  if actor is MainActor { return isOnMainThread() ? true : SwiftRuntime.isOnMainQueue?() }
  // The answer is certain for an actor with the default executor. A custom executor can run code in ways that the
  // runtime does not see.
  return isCurrent != nil && executor.implementation == 0 ? false : nil
}

/// Whether the caller is known to run on the main actor.
///
/// Performance: without the casts and existentials of `isRunning(on:)`, because it is asked for each assigned value.
package func isRunningOnMainActor() -> Bool {
  SerialExecutorWords.main.isCurrent == true || SwiftRuntime.isOnMainQueue?() == true || isOnMainThread()
}

/// Whether the caller is known to run on the main thread.
///
/// The main queue belongs to the main thread as long as that exists, also while the thread runs a block of another queue
/// by `sync`. A program with an asynchronous `main` ends it on Linux, and the main queue moves between threads.
package func isOnMainThread() -> Bool {
  SwiftRuntime.isOnMainThread?() == true
}

/// Returns the actor that the caller runs on, if there is one and it is known.
///
/// For an actor with an executor of its own, or a distributed one, it is an ``ActorStandIn``. An actor that the runtime
/// knows wins over the main thread, where the jobs of any actor can run. It does not win over a block of the main queue
/// for which it waits.
@usableFromInline
package func currentActor() -> (any Actor)? {
  guard let executor = SerialExecutorWords.current, executor != .main, let owner = executor.owner,
    !isInBlockOfMainQueue()
  else { return isRunningOnMainActor() ? MainActor.shared : nil }
  // The executor of a default actor is the actor.
  if executor.implementation == 0, let actor = owner as? any Actor { return actor }
  return ActorStandIn(executor, of: owner)
}

/// The object to which an executor belongs, which can be the actor itself.
private typealias ExecutorOwner = AnyObject & Sendable

/// Whether an actor is known to run a block of the main queue itself, for which it waits by `sync`.
///
/// That happens only when there is no main thread. The job of an actor can then be such a block, too: if its task prefers
/// an executor, which can belong to the main queue. So an actor with such a task is assumed not to wait for a block.
private func isInBlockOfMainQueue() -> Bool {
  // Safety: the task isn't used outside the closure. (`Threads/main-actor/task-executor`)
  !isOnMainThread() && SwiftRuntime.isOnMainQueue?() == true
    && withUnsafeCurrentTask { $0?.unownedTaskExecutor == nil }
}

/// An actor that shares the executor of one which the runtime doesn't tell.
package actor ActorStandIn {
  fileprivate nonisolated let executor: SerialExecutorWords

  /// Retained, because the executor isn't.
  fileprivate nonisolated let owner: any ExecutorOwner

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.unowned }

  fileprivate init(_ executor: SerialExecutorWords, of owner: any ExecutorOwner) {
    self.executor = executor
    self.owner = owner
  }
}

/// An actor that isn't retained, because an actor that stores a pipeline would retain itself.
package struct UnretainedActor: Sendable {
  private weak let actor: (any Actor)?

  /// What an ``ActorStandIn`` is made of, because only the owner of its executor is retained elsewhere.
  private weak let owner: (any ExecutorOwner)?
  private let executor: SerialExecutorWords?

  package init(_ actor: any Actor) {
    let standIn = actor as? ActorStandIn
    self.actor = standIn == nil ? actor : nil
    owner = standIn?.owner
    executor = standIn?.executor
  }

  /// The actor; `nil` when it has been deallocated.
  package var current: (any Actor)? {
    guard let executor else { return actor }
    return owner.map { ActorStandIn(executor, of: $0) }
  }

  /// The actor, or the one that replaces all that have been deallocated.
  package var orFallback: any Actor { current ?? FallbackActor.shared }
}

/// A serial executor as its two words, the runtime's `SerialExecutorRef`, part of its stable interface.
private struct SerialExecutorWords: Equatable, Sendable {
  let identity: UInt
  let implementation: UInt

  static let main = SerialExecutorWords(MainActor.sharedUnownedExecutor)

  /// The executor of the caller, without an owner outside of an actor; `nil` if the runtime can't be asked.
  static var current: SerialExecutorWords? {
    guard let words = SwiftRuntime.currentExecutor?() else { return nil }
    return SerialExecutorWords(UInt(bitPattern: words.quot), UInt(bitPattern: words.rem))
  }

  init(_ identity: UInt, _ implementation: UInt) {
    self.identity = identity
    self.implementation = implementation
  }

  // Safety: an executor is two words. (`IsolationTests`)
  init(_ executor: UnownedSerialExecutor) {
    self = unsafeBitCast(executor, to: SerialExecutorWords.self)
  }

  // Safety: as above. (`IsolationTests`)
  var unowned: UnownedSerialExecutor { unsafeBitCast(self, to: UnownedSerialExecutor.self) }

  /// The object to which this belongs; `nil` where no executor is current.
  ///
  /// - Precondition: the object is alive, as that of the current executor is.
  var owner: (any ExecutorOwner)? {
    // Safety: the identity of an executor is the address of an object, which is `Sendable`, as `Executor` demands.
    // (`IsolationTests`)
    UnsafeRawPointer(bitPattern: identity).map { identity in
      unsafeBitCast(Unmanaged<AnyObject>.fromOpaque(identity).takeUnretainedValue(), to: (any ExecutorOwner).self)
    }
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

  /// Returns whether the caller runs on the main thread.
  static let isOnMainThread: (@Sendable () -> Bool)? = {
    typealias Number = @convention(c) () -> Int32
    #if canImport(Darwin)
    guard let isMain = address(of: "pthread_main_np") else { return nil }
    let tell = unsafeBitCast(isMain, to: Number.self)
    return { tell() != 0 }
    #else
    // The number of the main thread is that of the process.
    guard let thread = address(of: "gettid"), let process = address(of: "getpid") else { return nil }
    let (current, main) = (unsafeBitCast(thread, to: Number.self), unsafeBitCast(process, to: Number.self)())
    return { current() == main }
    #endif
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
