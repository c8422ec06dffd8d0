import Observation
import Weir

/// Where something is done a little later.
struct Hop {
  /// The actor that it is done on, if it is one.
  let actor: (any Actor)?

  let perform: (@escaping () -> Void) -> Void

  init(on scheduler: some Scheduler) {
    actor = nil
    perform = { scheduler.schedule($0) }
  }

  init(to actor: (any Actor)?) {
    let line = ActionLine(on: actor)
    self.actor = actor
    perform = { line.append($0) }
  }
}

// Safety: the state is behind the lock, and only the hop, or the caller of the initializer or of `write(_:)`, calls `read`.
// (`ObservedTests`)
/// Tells of the changes of what a function reads of `@Observable` objects, when they have the new value, and finishes when
/// nothing that it read can change any more, because the objects have gone.
///
/// `withObservationTracking` tells of one change, before it happens. So the value is read a hop later, and then the next
/// change is waited for: what is set until then belongs to the same change. What is set through this object needs no
/// hop. What is waited for comes first and what is read after it, so nothing is lost in between, unless another thread has
/// announced a change and makes it only after the hop: nobody tells when it is made, so the next change brings it.
final class ObservationTracker: @unchecked Sendable {
  private struct State {
    var isArmed = false
    var isStopped = false
    /// The threads that are setting the property through this, and whether it told of that.
    var writers: [(thread: UInt, hasTold: Bool)] = []
  }

  let changes = PassthroughSubject<Void, Never>()
  private let hop: Hop
  private let read: () -> Void
  private let state = Locked(State())

  init(_ hop: Hop, read: @escaping () -> Void) {
    self.hop = hop
    self.read = read
    arm()
  }

  func write(_ body: () -> Void) {
    let me = currentThread()
    state.withLock { $0.writers.append((me, false)) }
    body()
    let hasTold = state.withLock { state in
      guard let index = state.writers.lastIndex(where: { $0.thread == me }) else { return false }
      return state.writers.remove(at: index).hasTold
    }
    if hasTold { changed() }
  }

  func stop() {
    state.withLock { $0.isStopped = true }
  }

  private func arm() {
    let isNeeded = state.withLock { state in
      if state.isArmed || state.isStopped { return false }
      state.isArmed = true
      return true
    }
    if !isNeeded { return }
    let wait = Wait { [weak self] in self?.gone() }
    withObservationTracking(read) { [weak self] in
      wait.isOver()
      self?.willChange()
    }
  }

  private func willChange() {
    let me = currentThread()
    let isOwn = state.withLock { state in
      state.isArmed = false
      guard let index = state.writers.lastIndex(where: { $0.thread == me }) else { return false }
      state.writers[index].hasTold = true
      return true
    }
    if isOwn { return }
    hop.perform { [weak self] in self?.changed() }
  }

  private func changed() {
    arm()
    // One that was stopped meanwhile, from inside a delivery of this thread, tells of nothing more.
    if state.withLock({ !$0.isStopped }) { changes.send(()) }
  }

  private func gone() {
    hop.perform { [weak self] in self?.changes.send(completion: .finished) }
  }
}

// Safety: its only property is behind the lock, and the deinit alone calls what it takes out. (`ObservedTests`)
/// What a change is waited for with: the objects that may change keep it, so they have gone when it goes before a change.
private final class Wait: @unchecked Sendable {
  private let state: Locked<(() -> Void)?>

  init(_ onGone: @escaping () -> Void) {
    state = Locked(onGone)
  }

  func isOver() {
    _ = state.withLock { $0.take() }
  }

  deinit {
    state.withLock { $0.take() }?()
  }
}
