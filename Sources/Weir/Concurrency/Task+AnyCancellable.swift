extension Task {
  /// Stores this task in a collection, and cancels it when it is released there.
  public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
    collection.append(AnyCancellable(self))
  }

  /// Stores this task in a set, and cancels it when it is released there.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(AnyCancellable(self))
  }
}

extension AnyCancellable {
  /// Creates a cancellable that cancels a task once, at ``cancel()`` or when it is deallocated.
  public convenience init<Success, Failure: Error>(_ task: Task<Success, Failure>) {
    self.init { task.cancel() }
  }
}
