import Weir

// Safety: its state is behind the lock, and only the main actor calls `read`. (`ControlPropertyTests`)
/// One subscriber of a property: it receives the current value at its first demand, and then each change by a person.
///
/// Values are delivered only on the main actor; a re-entrant value is delivered nested. Any thread may cancel. A
/// delivery in progress then retains the subscriber itself.
final class PropertySubscription<Value>: Subscription, @unchecked Sendable {
  private struct State {
    /// `nil` after termination.
    var downstream: Downstream<Value, Never>?

    var changes: AnyCancellable?

    var demand = Subscribers.Demand.none

    /// Whether the current value has not been delivered.
    var isDue = true

    /// Whether the subscriber has received its subscription.
    ///
    /// The completion is pending until then.
    var isOpen = false

    var isFinished = false
  }

  private let state: Locked<State>
  private let read: @MainActor () -> Value?

  init(downstream: consuming Downstream<Value, Never>, read: @escaping @MainActor () -> Value?) {
    state = Locked(State(downstream: downstream))
    self.read = read
  }

  func open(_ values: some Publisher<Value, Never>) {
    let changes = values.sink(receiveCompletion: { _ in self.finish() }, receiveValue: { self.change($0) })
    let isKept = state.withLock { state in
      if !state.isFinished { state.changes = changes }
      return !state.isFinished
    }
    if !isKept { changes.cancel() }
    state.withLock { $0.downstream }?.begin(self)
    let isFinished = state.withLock { state in
      state.isOpen = true
      return state.isFinished
    }
    if isFinished { finish() }
  }

  func request(_ demand: Subscribers.Demand) {
    demand.requirePositive()
    let isDue = state.withLock { state in
      state.demand += demand
      return state.isDue
    }
    if isDue { onMainActor { self.catchUp() } }
  }

  func cancel() {
    let released = release()
    released.changes?.cancel()
    withExtendedLifetime(released) {}
  }

  // MARK: On the main actor

  private func change(_ value: Value) {
    let downstream = state.withLock { state -> Downstream<Value, Never>? in
      state.isDue = state.demand == .none
      if state.isDue { return nil }
      state.demand -= 1
      return state.downstream
    }
    deliver(value, to: downstream)
  }

  @MainActor
  private func catchUp() {
    let downstream = state.withLock { state -> Downstream<Value, Never>? in
      guard state.isDue, state.demand > .none, let downstream = state.downstream else { return nil }
      state.isDue = false
      state.demand -= 1
      return downstream
    }
    guard downstream != nil, let value = read() else { return }
    // Reads `downstream` again, because `read` is user code, which may have cancelled. (`ControlPropertyTests`)
    deliver(value, to: state.withLock { $0.downstream })
  }

  private func deliver(_ value: Value, to downstream: Downstream<Value, Never>?) {
    if let more = downstream?.next(value), more > .none { request(more) }
  }

  private func finish() {
    let isOpen = state.withLock { state in
      state.isFinished = true
      return state.isOpen
    }
    if isOpen { release().downstream?.end(.finished) }
  }

  /// Returns the user's values, so that the caller releases them outside the lock.
  private func release() -> (downstream: Downstream<Value, Never>?, changes: AnyCancellable?) {
    state.withLock { ($0.downstream.take(), $0.changes.take()) }
  }
}

extension PropertySubscription: CustomStringConvertible {
  var description: String { "ControlProperty" }
}
