public import Synchronization

// Safety: the flag is atomic, and only the thread that sets it, or the `deinit`, accesses the body.
// (`AnyCancellableTests`)
/// A cancellable that cancels when it is deallocated.
///
/// - Cancellation: runs once, at ``cancel()`` or when the last reference is released, whichever happens first. The
///   wrapped cancellable is released then.
/// - Threading: any thread. If two threads cancel concurrently, one of them runs the closure.
public final class AnyCancellable: Cancellable, Hashable, @unchecked Sendable {
  @usableFromInline
  let isCancelled = Atomic<Bool>(false)

  // Safety: only the thread that sets the flag accesses it, or the `deinit`, which no other thread can overlap.
  // (`AnyCancellableTests/races`, `SourceInterleavingTests/cancellables`)
  @usableFromInline
  @exclusivity(unchecked)
  nonisolated(unsafe) var body: Body?

  /// The closure.
  ///
  /// Performance: noncopyable, so that a cancellation moves it out.
  @usableFromInline
  struct Body: ~Copyable {
    @usableFromInline
    let run: () -> Void

    @usableFromInline
    init(_ run: consuming @escaping () -> Void) {
      self.run = run
    }
  }

  /// Creates a cancellable that runs a closure once, on the thread that cancels or releases it.
  ///
  /// A closure that is formed on an actor, such as the main actor, runs there: immediately if the caller is on the actor,
  /// and otherwise in a task, after ``cancel()`` has returned. A main thread that is blocked until the closure has run
  /// waits forever. A closure that is declared as `{ @Sendable in … }` runs on the thread that cancels.
  public init(_ cancel: @escaping @isolated(any) () -> Void) {
    body = Body(runningOnItsActor(cancel))
  }

  /// Creates a cancellable that runs a closure on any thread.
  ///
  /// A closure without this label is that of the other initializer.
  @_disfavoredOverload
  @usableFromInline
  package init(anywhere cancel: @escaping () -> Void) {
    body = Body(cancel)
  }

  /// Wraps another cancellable, and retains it until this one is cancelled.
  @inlinable
  @inline(never)
  public init<C: Cancellable>(_ canceller: C) {
    body = Body { canceller.cancel() }
  }

  deinit {
    // A relaxed load suffices, because no other thread has a reference.
    if !isCancelled.load(ordering: .relaxed) { body?.run() }
  }

  /// Cancels, unless it has been cancelled already.
  public func cancel() {
    if isCancelled.exchange(true, ordering: .acquiringAndReleasing) { return }
    takeBody(&body)?.run()
  }

  /// Stores this cancellable in a collection.
  public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
    collection.append(self)
  }

  /// Stores this cancellable in a set.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(self)
  }

  /// Feeds the identity of this object to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }

  /// Returns whether both are the same object.
  public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool {
    lhs === rhs
  }
}

/// A closure that runs the given one on its actor, if it has one.
private func runningOnItsActor(_ cancel: @escaping @isolated(any) () -> Void) -> () -> Void {
  let run = withoutIsolation(cancel)
  guard let actor = cancel.isolation else { return run }
  return { if isRunning(on: actor) == true { run() } else { ActionLine(on: UnretainedActor(actor)).append(run) } }
}

/// Removes a cancellable's closure, and returns it for the caller to run and to release.
///
/// Performance: a function, as ``takeDownstream(_:)`` is.
private func takeBody(_ stored: inout AnyCancellable.Body?) -> AnyCancellable.Body? {
  let taken = consume stored
  stored = nil
  return taken
}
