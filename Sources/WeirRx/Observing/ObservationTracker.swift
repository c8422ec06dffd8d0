import Observation
import Weir

/// The place where an observed object is read, and what runs an action there later.
struct LaterExecution {
  let place: AccessPlace

  /// Runs an action there, inside the call if the scheduler does that.
  let perform: (@escaping () -> Void) -> Void

  /// Runs an action there when the call has returned.
  let performLater: (@escaping () -> Void) -> Void

  /// An action first runs on the scheduler, and then on the actor, if there is one.
  init(on scheduler: some Scheduler, at place: AccessPlace) {
    self.place = place
    perform = { action in scheduler.schedule { place.perform(action) } }
    performLater = { action in
      let action = { place.perform(action) }
      if isDeferred(action, by: { scheduler.schedule($0) }) { return }
      // `MainScheduler`, for example, runs an action immediately where it can, but not an action with a date.
      if isDeferred(action, by: { scheduler.schedule(after: scheduler.now, $0) }) { return }
      fatalError(
        """
        \(type(of: scheduler)) runs actions inside schedule(_:). So it can't read an observed property, which gets its \
        new value after a change has been announced. Pass a scheduler that runs actions later, such as \
        DispatchQueue.main, or no scheduler on the actor of the object.
        """)
    }
  }

  init(on isolation: (any Actor)?) {
    place = AccessPlace(isolation)
    let line = ActionLine(on: place.actor)
    perform = { line.append($0) }
    performLater = perform
  }
}

// Safety: the state is behind the lock. Only the hop, and the callers of the initializer and of `write(_:)`, call
// `read`. (`ObservedTests`)
/// Announces changes of the `@Observable` properties that a function reads, when they have the new value.
///
/// Finishes when all objects that it read have been deallocated.
///
/// `withObservationTracking` announces one change, before it happens. So the tracker reads the value a hop later and
/// then observes the next change; the hop coalesces all changes until then. A change through this object needs no hop.
/// The tracker registers first and reads afterwards, so it misses no change. One exception: another thread may announce
/// a change and make it only after the hop. No event announces that moment, so the next change delivers it.
final class ObservationTracker: @unchecked Sendable {
  private struct State {
    var isArmed = false
    var isStopped = false
    /// The threads that are setting the property through this object, and whether each has announced a change.
    var writers: [(thread: UInt, hasTold: Bool)] = []
  }

  let changes = PassthroughSubject<Void, Never>()
  private let hop: LaterExecution
  private let read: () -> Void
  private let state = Locked(State())

  init(_ hop: LaterExecution, read: @escaping () -> Void) {
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
      wait.disarm()
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
    hop.performLater { [weak self] in self?.changed() }
  }

  private func changed() {
    arm()
    // A re-entrant call may have stopped the tracker, which then announces no more changes.
    if state.withLock({ !$0.isStopped }) { changes.send(()) }
  }

  private func gone() {
    hop.perform { [weak self] in self?.changes.send(completion: .finished) }
  }
}

// Safety: its only property is behind the lock, and only `deinit` calls the closure that it takes out.
// (`ObservedTests`)
/// A token that the observed objects retain until the next change.
///
/// Its deallocation without a change means that they have been deallocated.
private final class Wait: @unchecked Sendable {
  private let state: Locked<(() -> Void)?>

  init(_ onGone: @escaping () -> Void) {
    state = Locked(onGone)
  }

  func disarm() {
    _ = state.withLock { $0.take() }
  }

  deinit {
    state.withLock { $0.take() }?()
  }
}
