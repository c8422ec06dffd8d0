/// Returns whether the caller runs on an actor, or `nil` if that is unknown.
///
/// Swift's own checks, `preconditionIsolated` and `assumeIsolated`, stop the program if the answer is no, on Linux
/// without their message. So this calls the runtime's underlying function. The runtime knows nothing of the main thread,
/// or of a block that the main queue runs, outside a task. So these are checked too.
package func isRunning(on actor: any Actor) -> Bool? {
  let executor = SerialExecutorWords(actor.unownedExecutor)
  let isCurrent = executor.isCurrent
  if isCurrent == true { return true }
  if actor is MainActor { return isOnMainThread() ? true : Runtime.isOnMainQueue }
  // The answer is certain for an actor with the default executor. A custom executor can run code in ways that the
  // runtime does not see.
  return isCurrent != nil && executor.implementation == 0 ? false : nil
}

/// Whether the caller is known to run on the main actor.
///
/// Performance: without the casts and existentials of `isRunning(on:)`, because it is asked for each assigned value.
package func isRunningOnMainActor() -> Bool {
  isOnMainThread() || SerialExecutorWords.main.isCurrent == true || Runtime.isOnMainQueue == true
}

/// Whether the caller is known to run on the main thread.
///
/// The main queue belongs to the main thread as long as that exists, also while the thread runs a block of another queue
/// by `sync`. A program with an asynchronous `main` ends it on Linux, and the main queue moves between threads.
package func isOnMainThread() -> Bool {
  Runtime.isOnMainThread == true
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
  !isOnMainThread() && Runtime.isOnMainQueue == true
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
  static var current: SerialExecutorWords? { Runtime.currentExecutor }

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
  var isCurrent: Bool? { Runtime.isCurrent(self) }
}

/// What the platform tells of the caller; `nil` where it doesn't.
private enum Runtime {
  #if WEIR_BARE
  static var currentExecutor: SerialExecutorWords? { nil }

  static func isCurrent(_ executor: SerialExecutorWords) -> Bool? { nil }

  static var isOnMainQueue: Bool? { nil }

  static var isOnMainThread: Bool? { nil }
  #else
  static var currentExecutor: SerialExecutorWords? { weir_currentExecutor() }

  static func isCurrent(_ executor: SerialExecutorWords) -> Bool? { answer(weir_isCurrentExecutor(executor)) }

  static var isOnMainQueue: Bool? { answer(weir_isOnMainQueue()) }

  static var isOnMainThread: Bool? { answer(weir_isOnMainThread()) }

  private static func answer(_ answer: Int32) -> Bool? {
    answer < 0 ? nil : answer != 0
  }
  #endif
}

#if !WEIR_BARE
// Safety: the types are those of the functions in `CWeirRuntime.c`. (`IsolationTests`)

@_silgen_name("weir_currentExecutor")
private func weir_currentExecutor() -> SerialExecutorWords

@_silgen_name("weir_isCurrentExecutor")
private func weir_isCurrentExecutor(_ executor: SerialExecutorWords) -> Int32

@_silgen_name("weir_isOnMainQueue")
private func weir_isOnMainQueue() -> Int32

@_silgen_name("weir_isOnMainThread")
private func weir_isOnMainThread() -> Int32
#endif
