extension Task {
  /// Keeps this task in a collection, and cancels it when it is let go of there.
  public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
    collection.append(AnyCancellable(self))
  }

  /// Keeps this task in a set, and cancels it when it is let go of there.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(AnyCancellable(self))
  }
}

extension AnyCancellable {
  /// Makes a cancellable that cancels a task, once: at ``cancel()`` or when it is let go of.
  public convenience init<Success, Failure: Error>(_ task: Task<Success, Failure>) {
    self.init { task.cancel() }
  }
}
