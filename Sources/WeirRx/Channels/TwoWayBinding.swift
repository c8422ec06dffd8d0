import Weir

/// Propagates the changes of each of two sides to the other.
///
///     event of a side ──▶ is it news? (ChangePropagation) ──▶ carry: read this side now, convert, set the other
///                                                 └─ one thread at a time (BindingGroup); who comes meanwhile leaves word
///
/// An event says only that a side has changed. The binding propagates the value that the side has when the event is
/// processed. So a late or outdated event is harmless. If both sides change concurrently, the change that was observed
/// last wins on both.
final class TwoWayBinding<Left: TwoWayBindable, Right: TwoWayBindable>: Cancellable {
  typealias Parts = (
    left: Left, right: Right, map: (Left.Value) throws -> Right.Value, unmap: (Right.Value) throws -> Left.Value,
    onFailure: (any Error) -> Void, onEnd: () -> Void
  )

  private enum Side: Int {
    case left, right

    var other: Side { self == .left ? .right : .left }
  }

  /// A pending change.
  private struct PendingChange {
    let side: Side
    let propagation: ChangePropagation?
    /// True if the value may be one that this binding has set itself.
    let mayBeKnown: Bool
  }

  private struct State {
    /// `nil` after termination.
    var parts: Parts?
    var subscriptions: [AnyCancellable] = []

    /// True while a thread propagates.
    ///
    /// True initially, so that the first value is propagated first.
    var isPropagating = true

    /// The side that is propagated next, and the propagation in which its event arrived.
    var pending: PendingChange?

    /// Values that this binding has set or seen on the sides, and whose events may arrive later.
    var expectedLeft: Left.Value?
    var expectedRight: Right.Value?
  }

  private let state: Locked<State>
  private let identities: [BindingEndpointID]
  private let group: BindingGroup

  /// Identities for sides that have none.
  private let ownSides = [OwnSide(), OwnSide()]
  private final class OwnSide {}

  init(_ parts: Parts) {
    state = Locked(State(parts: parts))
    identities = [
      parts.left.identity ?? BindingEndpointID(ownSides[0]), parts.right.identity ?? BindingEndpointID(ownSides[1]),
    ]
    group = BindingGroup.join(identities[0].object, identities[1].object)
    if identities[0] == identities[1] {
      fatalError(
        """
        A two-way binding requires two sides, but both sides of this one are the same \(Left.self). Bind it to another \
        property or channel, or remove the binding.
        """)
    }
  }

  /// Observes both sides, and propagates the first value from right to left.
  func start() {
    guard let parts = state.withLock({ $0.parts }) else { return }
    let subscriptions = [listen(to: parts.right.changes, .right), listen(to: parts.left.changes, .left)]
    let isTerminated = state.withLock { state in
      if state.parts != nil { state.subscriptions = subscriptions }
      return state.parts == nil
    }
    if isTerminated { return }  // Releases the new subscriptions, which cancels them.
    perform { [self] parts in
      guard let first = parts.right.initialValue else { return }
      let propagation = ChangePropagation()
      _ = propagation.change(identities[Side.right.rawValue], by: observer(.right))
      propagation.run {
        toLeft(first, parts, propagation)
        propagateCorrections(in: propagation)
      }
    }
  }

  func cancel() {
    withExtendedLifetime(end()) {}
  }

  private func listen(to changes: some Publisher<some Any, Never>, _ side: Side) -> AnyCancellable {
    changes.sink(
      receiveCompletion: { [self] _ in end()?.onEnd() }, receiveValue: { [self] _ in changed(side) })
  }

  /// Returns what it removes from the state, so that the caller releases it outside the lock.
  private func end() -> Parts? {
    let released = state.withLock { state in
      defer { (state.subscriptions, state.parts, state.pending) = ([], nil, nil) }
      return (state.parts, state.subscriptions, state.pending, state.expectedLeft.take(), state.expectedRight.take())
    }
    if released.0 != nil { BindingGroup.leave(identities[0].object, identities[1].object) }
    for subscription in released.1 { subscription.cancel() }
    return released.0
  }

  private func observer(_ side: Side) -> ChangePropagation.Observer {
    ChangePropagation.Observer(binding: ObjectIdentifier(self), isLeft: side == .left)
  }

  // MARK: Observing

  private func changed(_ side: Side) {
    let (identity, other) = (identities[side.rawValue], identities[side.other.rawValue])
    let propagation = ChangePropagation.current
    let mayBeKnown = propagation?.isBeingWritten(identity) != true
    if let propagation {
      guard propagation.recordEvent(of: identity, by: observer(side)) else { return }
      if propagation.version(of: other) >= propagation.version(of: identity) {
        // The other side already has the change, but its own event may still be pending.
        if !propagation.isBeingWritten(other), !propagation.hasObserved(observer(side.other), of: other) {
          expectWhatIs(on: side.other)
        }
        return
      }
    }
    var change: PendingChange? = PendingChange(side: side, propagation: propagation, mayBeKnown: mayBeKnown)
    let isMine = state.withLock { state in
      guard state.parts != nil else { return false }
      swap(&state.pending, &change)
      defer { state.isPropagating = true }
      return !state.isPropagating
    }
    if isMine { group.propagate { [self] in perform { _ in } } }
  }

  private func expectWhatIs(on side: Side) {
    guard let parts = state.withLock({ $0.parts }) else { return }
    switch side {
    case .left: expect(parts.left.currentValue, \.expectedLeft)
    case .right: expect(parts.right.currentValue, \.expectedRight)
    }
  }

  private func expect<Value>(_ value: Value?, _ expected: WritableKeyPath<State, Value?>) {
    var value = value
    state.withLock { swap(&$0[keyPath: expected], &value) }
  }

  /// Whether an event announces a value that this binding has set or seen, so that no work is left.
  ///
  /// Such an event can arrive late: from another thread that was delivering, or from the first side of a cycle after
  /// the cycle has closed. Only `Equatable` values are held back. Propagating any other value twice is harmless.
  private func isKnown<Some: TwoWayBindable>(_ side: Some, _ expected: WritableKeyPath<State, Some.Value?>) -> Bool {
    guard let known = state.withLock({ $0[keyPath: expected].take() }), let now = side.currentValue else {
      return false
    }
    return areEqual(known, now) == true
  }

  // MARK: Propagating

  /// Runs a body where both sides are accessible, and then propagates the pending change.
  ///
  /// This may happen later. Until then changes stay pending, and the values are read at that time.
  private func perform(_ body: @escaping (Parts) -> Void) {
    guard let parts = state.withLock({ $0.parts }) else { return }
    parts.left.access { [self] in
      parts.right.access { [self] in
        if state.withLock({ $0.parts != nil }) { body(parts) }
        propagatePending()
      }
    }
  }

  private func propagatePending() {
    while let next = takePending(giveUpTurn: true, where: { _ in true }) {
      if let propagation = next.change.propagation, propagation.isHere {
        propagate(next.change, next.parts, propagation)
      } else {
        let propagation = ChangePropagation()
        _ = propagation.change(identities[next.change.side.rawValue], by: observer(next.change.side))
        propagation.run {
          propagate(next.change, next.parts, propagation)
          propagateCorrections(in: propagation)
        }
      }
    }
  }

  /// Propagates the corrections of a propagation before the propagation finishes, because the propagation counts them.
  private func propagateCorrections(in propagation: ChangePropagation) {
    while let next = takePending(giveUpTurn: false, where: { $0 === propagation }) {
      propagate(next.change, next.parts, propagation)
    }
  }

  private func takePending(giveUpTurn: Bool, where isWanted: (ChangePropagation?) -> Bool) -> (
    change: PendingChange, parts: Parts
  )? {
    state.withLock { state in
      guard let parts = state.parts, let pending = state.pending, isWanted(pending.propagation) else {
        if giveUpTurn { state.isPropagating = false }
        return nil
      }
      state.pending = nil
      return (pending, parts)
    }
  }

  private func propagate(_ change: PendingChange, _ parts: Parts, _ propagation: ChangePropagation) {
    switch change.side {
    case .left:
      if change.mayBeKnown, isKnown(parts.left, \.expectedLeft) { return }
      if let value = parts.left.currentValue { toRight(value, parts, propagation) }
    case .right:
      if change.mayBeKnown, isKnown(parts.right, \.expectedRight) { return }
      if let value = parts.right.currentValue { toLeft(value, parts, propagation) }
    }
  }

  private func toRight(_ value: Left.Value, _ parts: Parts, _ propagation: ChangePropagation) {
    transfer(value, from: .left, to: parts.right, \.expectedRight, parts.map, parts.onFailure, propagation)
  }

  private func toLeft(_ value: Right.Value, _ parts: Parts, _ propagation: ChangePropagation) {
    transfer(value, from: .right, to: parts.left, \.expectedLeft, parts.unmap, parts.onFailure, propagation)
  }

  private func transfer<Value, Target: TwoWayBindable>(
    _ value: Value, from side: Side, to target: Target, _ expected: WritableKeyPath<State, Target.Value?>,
    _ convert: (Value) throws -> Target.Value,
    _ onFailure: (any Error) -> Void, _ propagation: ChangePropagation
  ) {
    let converted: Target.Value
    do {
      converted = try convert(value)
    } catch {
      return onFailure(error)
    }
    let (source, identity) = (identities[side.rawValue], identities[side.other.rawValue])
    let number = propagation.version(of: source)
    propagation.write(identity, from: source) { target.set(converted) }
    let isSettled = propagation.version(of: identity) == number  // Otherwise the side has announced a correction.
    expect(isSettled && !propagation.hasObserved(observer(side.other), of: identity) ? converted : nil, expected)
    if !isSettled { return }
    // A setter may also correct the value and announce only the result.
    if let now = target.currentValue, areEqual(now, converted) == false,
      propagation.change(identity, by: observer(side.other))
    {
      var change: PendingChange? = PendingChange(side: side.other, propagation: propagation, mayBeKnown: false)
      state.withLock { swap(&$0.pending, &change) }
    }
  }
}
