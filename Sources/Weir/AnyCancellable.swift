public import Synchronization

// Safety: the flag is atomic, and only the thread that sets it, or the deinit, accesses the body. (`AnyCancellableTests`)
/// A cancellable that cancels when it is let go.
///
/// - Cancellation: runs once, at ``cancel()`` or when the last reference goes, whichever comes first. What it wraps is
///   released at that moment.
/// - Threading: any thread; of two that race, one cancels.
public final class AnyCancellable: Cancellable, Hashable, @unchecked Sendable {
  @usableFromInline
  let isCancelled = Atomic<Bool>(false)

  // Safety: only the thread that sets the flag accesses it, or the deinit, which no other thread can overlap.
  // (`AnyCancellableTests/races`, `SourceInterleavingTests/cancellables`)
  @usableFromInline
  @exclusivity(unchecked)
  nonisolated(unsafe) var body: (() -> Void)?

  /// Makes a cancellable that runs a closure, once, on whatever thread cancels or lets go of it.
  public init(_ cancel: @escaping () -> Void) {
    body = cancel
  }

  /// Wraps another cancellable, and keeps it alive until this one is cancelled.
  @inlinable
  @inline(never)
  public init<C: Cancellable>(_ canceller: C) {
    body = { canceller.cancel() }
  }

  deinit {
    // Nobody else is there any more.
    if !isCancelled.load(ordering: .relaxed) { body?() }
  }

  /// Cancels, unless that has happened already.
  public func cancel() {
    if isCancelled.exchange(true, ordering: .acquiringAndReleasing) { return }
    body.take()?()
  }

  /// Keeps this cancellable in a collection.
  public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
    collection.append(self)
  }

  /// Keeps this cancellable in a set.
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
