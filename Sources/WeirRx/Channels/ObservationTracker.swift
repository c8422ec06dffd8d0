import Observation
import Weir

/// Where something is done a little later.
struct Hop {
  let perform: (@escaping () -> Void) -> Void

  init(on scheduler: some Scheduler) {
    perform = { scheduler.schedule($0) }
  }

  init(to actor: (any Actor)?) {
    perform = { body in
      // It runs once, on that actor, or where the caller has said that any thread will do.
      nonisolated(unsafe) let body = body
      Task { await run(on: actor) { body() } }
    }
  }
}

private func run(on actor: isolated (any Actor)?, _ body: @Sendable () -> Void) async {
  body()
}

/// Tells of the changes of a property of an `@Observable` object, when it has the new value.
///
/// `withObservationTracking` tells of one change, before it happens. So the value is read a hop later, and then the next
/// change is waited for: what is set until then belongs to the same change. What is set through this object needs no
/// hop.
///
/// `Sendable` because all that changes is behind the lock, and the object is read where its owner says.
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

  init<Root: AnyObject, Value>(_ object: Root, _ keyPath: KeyPath<Root, Value>, _ hop: Hop) {
    self.hop = hop
    read = { [weak object] in _ = object?[keyPath: keyPath] }
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
    withObservationTracking(read) { [weak self] in self?.willChange() }
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
    changes.send(())
  }
}
