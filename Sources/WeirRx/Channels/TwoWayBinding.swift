public import Weir

/// Propagates the changes of each of two endpoints to the other.
///
///     event of an endpoint ──▶ is it news? (ChangePropagation) ──▶ propagate: read this one, convert, set the other
///                                                      └─ one thread at a time (BindingGroup); others leave a PendingChange
///
/// An event says only that an endpoint has changed. The binding propagates the value that the endpoint has when the
/// event is processed. So a late or outdated event is harmless. If both endpoints change concurrently, the change that
/// was observed last wins on both.
///
/// ## A ring of three
///
/// `a <-> b`, `b <-> c`, `c <-> a`, and `a` is set to 5. Versions in brackets:
///
///     a changes by itself: 5 [1]      a–b and c–a observe it; a–b propagates first, c–a enqueues its work
///     a–b sets b: 5 [1]               b is being written, so b's event is this change: a–b and b–c record it
///     b–c: version of c [0] < [1]     b–c sets c: 5 [1]; c's event reaches b–c and c–a
///     c–a: version of a [1] ≥ [1]     the ring closes: nothing is set
///     c–a's own work                  version of c [1] ≥ [1]: nothing is set
///
/// If the setter of `c` corrects 5 to 4, `c` announces a change while the write returns. It takes version 2, which is
/// larger than all others, and so travels to `b` and `a` in the same way.
@usableFromInline
final class TwoWayBinding: Cancellable {
  private typealias Connection = (left: BindingEndpoint, right: BindingEndpoint, onEnd: () -> Void)

  /// A pending change.
  private struct PendingChange {
    let endpoint: BindingEndpoint
    let propagation: ChangePropagation?
    /// True if the value may be one that this binding has set itself.
    let mayBeKnown: Bool
  }

  private struct State {
    /// `nil` after termination.
    var connection: Connection?
    var subscriptions: [AnyCancellable] = []

    /// True while a thread propagates.
    ///
    /// True initially, so that the first value is propagated first.
    var isPropagating = true

    /// The endpoint that is propagated next, and the propagation in which its event arrived.
    var pending: PendingChange?
  }

  private let state: Locked<State>
  private let group: BindingGroup

  @usableFromInline
  init(_ left: BindingEndpoint, _ right: BindingEndpoint, onEnd: @escaping () -> Void = {}) {
    state = Locked(State(connection: (left, right, onEnd)))
    group = BindingGroup.join(left.id.object, right.id.object)
    if left.id == right.id {
      fatalError(
        """
        A two-way binding requires two sides, but both sides of this one are the same \(left.type). Bind it to another \
        property or channel, or remove the binding.
        """)
    }
  }

  /// Observes both endpoints, and propagates the first value from right to left.
  @usableFromInline
  func start() {
    guard let (left, right, _) = state.withLock({ $0.connection }) else { return }
    let subscriptions = [observe(right, left), observe(left, right)]
    let isTerminated = state.withLock { state in
      if state.connection != nil { state.subscriptions = subscriptions }
      return state.connection == nil
    }
    if isTerminated { return }  // Releases the new subscriptions, which cancels them.
    perform { [self] (left, right, _) in
      propagateOwnChange(of: right) { transfer(from: right, to: left, $0, isFirst: true) }
    }
  }

  @usableFromInline
  func cancel() {
    withExtendedLifetime(end()) {}
  }

  private func observe(_ endpoint: BindingEndpoint, _ other: BindingEndpoint) -> AnyCancellable {
    endpoint.observe({ [self] in changed(endpoint, other) }, { [self] in end()?.onEnd() })
  }

  /// Returns what it removes from the state, so that the caller releases it outside the lock.
  private func end() -> Connection? {
    let released = state.withLock { state in
      defer { (state.subscriptions, state.connection, state.pending) = ([], nil, nil) }
      return (state.connection, state.subscriptions, state.pending)
    }
    if let (left, right, _) = released.0 { BindingGroup.leave(left.id.object, right.id.object) }
    for subscription in released.1 { subscription.cancel() }
    return released.0
  }

  // MARK: Observing

  private func changed(_ endpoint: BindingEndpoint, _ other: BindingEndpoint) {
    let propagation = ChangePropagation.current
    let mayBeKnown = propagation?.isBeingWritten(endpoint.id) != true
    if let propagation {
      guard propagation.recordEvent(of: endpoint.id, by: endpoint.observer) else { return }
      if propagation.version(of: other.id) >= propagation.version(of: endpoint.id) {
        // The other endpoint already has the change, but its own event may still be pending.
        let isExpected = !propagation.isBeingWritten(other.id) && !propagation.hasObserved(other.observer, of: other.id)
        if isExpected, state.withLock({ $0.connection != nil }) { other.expectPresentValue() }
        return
      }
    }
    let isMine = postpone(PendingChange(endpoint: endpoint, propagation: propagation, mayBeKnown: mayBeKnown))
    if isMine { group.propagate { [self] in perform { _ in } } }
  }

  /// Stores a change for the thread that propagates; returns `true` if that is to be this one.
  private func postpone(_ change: PendingChange) -> Bool {
    var change: PendingChange? = change
    return state.withLock { state in
      guard state.connection != nil else { return false }
      swap(&state.pending, &change)
      defer { state.isPropagating = true }
      return !state.isPropagating
    }
  }

  // MARK: Propagating

  /// Runs a body where both sides are accessible, and then propagates the pending change.
  ///
  /// This may happen later. Until then changes stay pending, and the values are read at that time.
  private func perform(_ body: @escaping (Connection) -> Void) {
    guard let connection = state.withLock({ $0.connection }) else { return }
    connection.left.access { [self] in
      connection.right.access { [self] in
        if state.withLock({ $0.connection != nil }) { body(connection) }
        propagatePending()
      }
    }
  }

  /// Propagates changes until none is pending; after ``HandOver/limit`` of other threads, a new thread continues.
  private func propagatePending() {
    // The first change is the one for which this call was made: the caller's, or one that the group has counted.
    var (isFirst, allowance) = (true, HandOver.limit)
    while let (change, connection) = takePending(giveUpTurn: true, where: { _ in true }) {
      defer { isFirst = false }
      if let propagation = change.propagation, propagation.isHere {
        propagate(change, connection, propagation)
        continue
      }
      if !isFirst {
        if allowance == 0 || !group.countChange() { return handOver(change) }
        allowance -= 1
      }
      propagateOwnChange(of: change.endpoint) { propagate(change, connection, $0) }
    }
  }

  /// Leaves a change to a new thread.
  ///
  /// Until that thread continues, other threads store their changes as during a propagation.
  private func handOver(_ change: PendingChange) {
    state.withLock { state in
      if state.connection != nil, state.pending == nil { state.pending = change }
    }
    HandOver.start { [self] in group.propagate { [self] in perform { _ in } } }
  }

  /// Begins a propagation with an endpoint that has changed by itself.
  private func propagateOwnChange(of endpoint: BindingEndpoint, _ body: (ChangePropagation) -> Void) {
    let propagation = ChangePropagation()
    _ = propagation.change(endpoint.id, by: endpoint.observer)
    propagation.run {
      body(propagation)
      // Corrections come before the propagation finishes, because it counts them.
      while let (change, connection) = takePending(giveUpTurn: false, where: { $0 === propagation }) {
        propagate(change, connection, propagation)
      }
    }
  }

  private func takePending(giveUpTurn: Bool, where isWanted: (ChangePropagation?) -> Bool) -> (
    PendingChange, Connection
  )? {
    state.withLock { state in
      guard let connection = state.connection, let pending = state.pending, isWanted(pending.propagation) else {
        if giveUpTurn { state.isPropagating = false }
        return nil
      }
      state.pending = nil
      return (pending, connection)
    }
  }

  private func propagate(_ change: PendingChange, _ connection: Connection, _ propagation: ChangePropagation) {
    let (left, right, _) = connection
    if change.mayBeKnown, change.endpoint.takeExpectedValue() { return }
    transfer(from: change.endpoint, to: change.endpoint === left ? right : left, propagation)
  }

  private func transfer(
    from source: BindingEndpoint, to target: BindingEndpoint, _ propagation: ChangePropagation, isFirst: Bool = false
  ) {
    guard let value = source.read(isFirst) else { return }
    let version = propagation.version(of: source.id)
    propagation.write(target.id, from: source.id, value.set)
    let isSettled = propagation.version(of: target.id) == version  // Otherwise the target has announced a correction.
    target.expect(isSettled && !propagation.hasObserved(target.observer, of: target.id) ? value : nil)
    if !isSettled { return }
    // A setter may also correct the value and announce only the result.
    if value.isPresent() == false, propagation.change(target.id, by: target.observer) {
      _ = postpone(PendingChange(endpoint: target, propagation: propagation, mayBeKnown: false))
    }
  }
}
