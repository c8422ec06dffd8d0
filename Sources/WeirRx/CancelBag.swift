public import Weir

// Safety: all of its state is behind the lock, and a cancellable may be cancelled on any thread. (`CancelBagTests`)
/// An owner of cancellables, which cancels them when it goes.
///
/// - Cancellation: ``cancel()`` cancels all that is in it, in the order in which it was put in, each once; what is put in
///   later is cancelled at once. So does the end of the bag.
/// - Threading: any thread.
public final class CancelBag: Cancellable, @unchecked Sendable {
  private struct State {
    var contents: [AnyCancellable] = []
    var isCancelled = false
  }

  private let state = Locked(State())

  /// Makes an empty bag.
  public init() {}

  deinit {
    cancel()
  }

  /// Puts a cancellable in, or cancels it if the bag has been cancelled.
  public func insert(_ cancellable: AnyCancellable) {
    let isKept = state.withLock { state in
      if !state.isCancelled { state.contents.append(cancellable) }
      return !state.isCancelled
    }
    if !isKept { cancellable.cancel() }
  }

  /// Puts a cancellable in, or cancels it if the bag has been cancelled.
  public func insert(_ cancellable: some Cancellable) {
    insert(AnyCancellable(cancellable))
  }

  /// Cancels all that is in it, and from now on what is put in.
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
  /// Keeps this cancellable in a bag, which cancels it when it goes.
  public func store(in bag: CancelBag) {
    bag.insert(self)
  }
}

extension AnyCancellable {
  /// Keeps this cancellable in a bag, which cancels it when it goes.
  public func store(in bag: CancelBag) {
    bag.insert(self)
  }
}
