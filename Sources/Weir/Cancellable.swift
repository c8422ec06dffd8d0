/// An activity that can be cancelled.
///
/// - Cancellation: idempotent. After ``cancel()`` has returned on the delivering thread, no event is delivered.
/// - Threading: can be called on any thread.
public protocol Cancellable {
  /// Stops the activity and releases its resources.
  func cancel()
}

extension Cancellable {
  /// Stores this cancellable, wrapped in an ``AnyCancellable``, in a collection.
  public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
    collection.append(AnyCancellable(self))
  }

  /// Stores this cancellable, wrapped in an ``AnyCancellable``, in a set.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(AnyCancellable(self))
  }
}
