/// Declares that an activity can be cancelled.
///
/// - Cancellation: is idempotent; no event is delivered after ``cancel()`` has returned on the delivering thread.
/// - Threading: may be called from any thread.
public protocol Cancellable {
  /// Stops the activity and frees what it holds.
  func cancel()
}

extension Cancellable {
  /// Keeps this cancellable, wrapped in an ``AnyCancellable``, in a collection.
  public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
    collection.append(AnyCancellable(self))
  }

  /// Keeps this cancellable, wrapped in an ``AnyCancellable``, in a set.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(AnyCancellable(self))
  }
}
