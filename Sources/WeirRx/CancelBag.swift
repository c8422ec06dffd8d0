public import Weir

// Safety: all mutable state is behind the lock. A cancellable may be cancelled on any thread. (`CancelBagTests`)
/// A collection of cancellables that cancels its elements when it is deallocated.
///
/// - Cancellation: ``cancel()`` cancels each element once, in insertion order. Elements that are inserted later are
///   cancelled immediately. Deallocating the bag has the same effect.
/// - Threading: any thread.
public final class CancelBag: Cancellable, @unchecked Sendable {
  private struct State {
    var contents: [AnyCancellable] = []
    var isCancelled = false
  }

  private let state = Locked(State())

  /// Creates an empty bag.
  public init() {}

  deinit {
    cancel()
  }

  /// Inserts a cancellable, or cancels it if the bag has been cancelled.
  public func insert(_ cancellable: AnyCancellable) {
    let isKept = state.withLock { state in
      if !state.isCancelled { state.contents.append(cancellable) }
      return !state.isCancelled
    }
    if !isKept { cancellable.cancel() }
  }

  /// Inserts a cancellable, or cancels it if the bag has been cancelled.
  public func insert(_ cancellable: some Cancellable) {
    insert(AnyCancellable(cancellable))
  }

  /// Cancels all elements, and every element that is inserted later.
  public func cancel() {
    let contents = state.withLock { state in
      var contents: [AnyCancellable] = []
      swap(&contents, &state.contents)
      state.isCancelled = true
      return contents
    }
    for cancellable in contents { cancellable.cancel() }
  }
}

extension Cancellable {
  /// Stores this cancellable in a bag, which cancels it when the bag is deallocated.
  public func store(in bag: CancelBag) {
    bag.insert(self)
  }
}

extension AnyCancellable {
  /// Stores this cancellable in a bag, which cancels it when the bag is deallocated.
  public func store(in bag: CancelBag) {
    bag.insert(self)
  }
}
