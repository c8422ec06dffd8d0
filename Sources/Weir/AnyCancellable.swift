/// A cancellable that cancels when it is let go.
///
/// - Cancellation: runs once, at ``cancel()`` or when the last reference goes, whichever comes first. What it wraps is
///   released at that moment.
/// - Threading: any thread; of two that race, one cancels.
public final class AnyCancellable: Cancellable, Hashable {
  @usableFromInline
  let target: Locked<(any Cancellable)?>

  /// Makes a cancellable that runs a closure, once.
  public init(_ cancel: @escaping () -> Void) {
    target = Locked(ClosureCancellable(body: cancel))
  }

  /// Wraps another cancellable, and keeps it alive until this one is cancelled.
  @inlinable
  public init<C: Cancellable>(_ canceller: C) {
    target = Locked(canceller)
  }

  deinit {
    cancel()
  }

  /// Cancels, unless that has happened already.
  public func cancel() {
    target.withLock { $0.take() }?.cancel()
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

  /// Tells whether both are the same object.
  public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool {
    lhs === rhs
  }
}

/// A closure as a cancellable: two words, so that an existential holds it without an allocation.
private struct ClosureCancellable: Cancellable {
  let body: () -> Void

  func cancel() {
    body()
  }
}
