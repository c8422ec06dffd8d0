import Weir

/// Two sides, each of which gets the other's changes.
///
///     event of a side ──▶ is it news? (Wave) ──▶ carry: read this side now, convert, set the other
///                                                 └─ one thread at a time (Net); who comes meanwhile leaves word
///
/// An event says only that something has changed. What is carried is the value that the side has when its turn comes: so
/// an event that comes late, or after a newer one, does no harm, and of two changes at once the one that was heard of last
/// stays on both sides.
final class TwoWayBinding<Left: TwoWay, Right: TwoWay>: Cancellable {
  typealias Parts = (
    left: Left, right: Right, map: (Left.Value) throws -> Right.Value, unmap: (Right.Value) throws -> Left.Value,
    onFailure: (any Error) -> Void, onEnd: () -> Void
  )

  private enum Side: Int {
    case left, right

    var other: Side { self == .left ? .right : .left }
  }

  /// Word of a change.
  private struct Word {
    let side: Side
    let wave: Wave?
    /// It may tell of a value that this binding has brought about.
    let mayBeKnown: Bool
  }

  private struct State {
    /// `nil` when it is over.
    var parts: Parts?
    var subscriptions: [AnyCancellable] = []

    /// A thread is carrying, from the beginning on: the first value has its turn first.
    var isCarrying = true

    /// Which side is to be carried next, and the wave in which its event came.
    var pending: Word?

    /// Values that the sides have and whose events are still to come, or come late: this binding knows of them.
    var expectedLeft: Left.Value?
    var expectedRight: Right.Value?
  }

  private let state: Locked<State>
  private let identities: [SideIdentity]
  private let net: Net

  /// Stand for sides that nothing else stands for.
  private let ownSides = [OwnSide(), OwnSide()]
  private final class OwnSide {}

  init(_ parts: Parts) {
    state = Locked(State(parts: parts))
    identities = [parts.left.identity ?? SideIdentity(ownSides[0]), parts.right.identity ?? SideIdentity(ownSides[1])]
    net = Net.join(identities[0].object, identities[1].object)
    if identities[0] == identities[1] {
      fatalError(
        """
        \(Left.self) is bound to itself: both sides of a binding stand for the same property or channel. Bind it to \
        another one, or leave the binding out.
        """)
    }
  }

  /// Listens to both sides and carries the first value, from right to left.
  func start() {
    guard let parts = state.withLock({ $0.parts }) else { return }
    let subscriptions = [listen(to: parts.right.changes, .right), listen(to: parts.left.changes, .left)]
    let isOver = state.withLock { state in
      if state.parts != nil { state.subscriptions = subscriptions }
      return state.parts == nil
    }
    if isOver { return }  // The subscriptions go, and with them what is left of them.
    perform { [self] parts in
      guard let first = parts.right.initialValue else { return }
      let wave = Wave()
      _ = wave.change(identities[Side.right.rawValue], heardBy: hearer(.right))
      wave.run {
        toLeft(first, parts, wave)
        carryCorrections(in: wave)
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

  /// What is let go of leaves with the result.
  private func end() -> Parts? {
    let released = state.withLock { state in
      defer { (state.subscriptions, state.parts, state.pending) = ([], nil, nil) }
      return (state.parts, state.subscriptions, state.pending, state.expectedLeft.take(), state.expectedRight.take())
    }
    if released.0 != nil { Net.leave(identities[0].object, identities[1].object) }
    for subscription in released.1 { subscription.cancel() }
    return released.0
  }

  private func hearer(_ side: Side) -> Wave.Hearer {
    Wave.Hearer(binding: ObjectIdentifier(self), isLeft: side == .left)
  }

  // MARK: Hearing

  private func changed(_ side: Side) {
    let (identity, other) = (identities[side.rawValue], identities[side.other.rawValue])
    let wave = Wave.current
    let mayBeKnown = wave?.isOpen(identity) != true
    if let wave {
      guard wave.hear(of: identity, by: hearer(side)) else { return }
      if wave.number(of: other) >= wave.number(of: identity) {
        // The other side has it, and its own event may be still to come.
        if !wave.isOpen(other), !wave.hasHeard(hearer(side.other), of: other) { expectWhatIs(on: side.other) }
        return
      }
    }
    var word: Word? = Word(side: side, wave: wave, mayBeKnown: mayBeKnown)
    let isMine = state.withLock { state in
      guard state.parts != nil else { return false }
      swap(&state.pending, &word)
      defer { state.isCarrying = true }
      return !state.isCarrying
    }
    if isMine { net.carry { [self] in perform { _ in } } }
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

  /// Whether an event tells of a value that this binding has brought about or known of, so that there is nothing to do.
  ///
  /// Such an event can come late, from another thread that was delivering; or from a ring's first side, after the ring has
  /// closed. Only values that can be compared are held back: carrying one twice does no harm.
  private func isKnown<Some: TwoWay>(_ side: Some, _ expected: WritableKeyPath<State, Some.Value?>) -> Bool {
    guard let known = state.withLock({ $0[keyPath: expected].take() }), let now = side.currentValue else {
      return false
    }
    return areEqual(known, now) == true
  }

  // MARK: Carrying

  /// Does something where both sides may be touched, and then carries what is pending.
  ///
  /// That may be later: until then word of changes is left, and the values are read when it happens.
  private func perform(_ body: @escaping (Parts) -> Void) {
    guard let parts = state.withLock({ $0.parts }) else { return }
    parts.left.access { [self] in
      parts.right.access { [self] in
        if state.withLock({ $0.parts != nil }) { body(parts) }
        carryWhatIsPending()
      }
    }
  }

  private func carryWhatIsPending() {
    while let next = takePending(giveUpTurn: true, where: { _ in true }) {
      if let wave = next.word.wave, wave.isHere {
        carry(next.word, next.parts, wave)
      } else {
        let wave = Wave()
        _ = wave.change(identities[next.word.side.rawValue], heardBy: hearer(next.word.side))
        wave.run {
          carry(next.word, next.parts, wave)
          carryCorrections(in: wave)
        }
      }
    }
  }

  /// Carries what follows from a wave while the wave is not over, so that it remembers how often that has happened.
  private func carryCorrections(in wave: Wave) {
    while let next = takePending(giveUpTurn: false, where: { $0 === wave }) {
      carry(next.word, next.parts, wave)
    }
  }

  private func takePending(giveUpTurn: Bool, where isWanted: (Wave?) -> Bool) -> (word: Word, parts: Parts)? {
    state.withLock { state in
      guard let parts = state.parts, let pending = state.pending, isWanted(pending.wave) else {
        if giveUpTurn { state.isCarrying = false }
        return nil
      }
      state.pending = nil
      return (pending, parts)
    }
  }

  private func carry(_ word: Word, _ parts: Parts, _ wave: Wave) {
    switch word.side {
    case .left:
      if word.mayBeKnown, isKnown(parts.left, \.expectedLeft) { return }
      if let value = parts.left.currentValue { toRight(value, parts, wave) }
    case .right:
      if word.mayBeKnown, isKnown(parts.right, \.expectedRight) { return }
      if let value = parts.right.currentValue { toLeft(value, parts, wave) }
    }
  }

  private func toRight(_ value: Left.Value, _ parts: Parts, _ wave: Wave) {
    transfer(value, from: .left, to: parts.right, \.expectedRight, parts.map, parts.onFailure, wave)
  }

  private func toLeft(_ value: Right.Value, _ parts: Parts, _ wave: Wave) {
    transfer(value, from: .right, to: parts.left, \.expectedLeft, parts.unmap, parts.onFailure, wave)
  }

  private func transfer<Value, Target: TwoWay>(
    _ value: Value, from side: Side, to target: Target, _ expected: WritableKeyPath<State, Target.Value?>,
    _ convert: (Value) throws -> Target.Value,
    _ onFailure: (any Error) -> Void, _ wave: Wave
  ) {
    let converted: Target.Value
    do {
      converted = try convert(value)
    } catch {
      return onFailure(error)
    }
    let (source, identity) = (identities[side.rawValue], identities[side.other.rawValue])
    let number = wave.number(of: source)
    wave.write(identity, from: source) { target.set(converted) }
    let isSettled = wave.number(of: identity) == number  // Otherwise it has told of a correction.
    expect(isSettled && !wave.hasHeard(hearer(side.other), of: identity) ? converted : nil, expected)
    if !isSettled { return }
    // A setter may also correct what it gets without telling of anything but the result.
    if let now = target.currentValue, areEqual(now, converted) == false,
      wave.change(identity, heardBy: hearer(side.other))
    {
      var word: Word? = Word(side: side.other, wave: wave, mayBeKnown: false)
      state.withLock { swap(&$0.pending, &word) }
    }
  }
}
