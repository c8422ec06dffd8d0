import Weir

/// Two sides, each of which gets the other's changes.
///
///     event of a side ──▶ is it news? (Wave) ──▶ carry: read this side now, convert, set the other
///                                                 └─ one thread at a time; who comes meanwhile leaves word
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

  private struct State {
    /// `nil` when it is over.
    var parts: Parts?
    var subscriptions: [AnyCancellable] = []

    /// A thread is carrying, from the beginning on: the first value has its turn first.
    var isCarrying = true

    /// Which side is to be carried next, and the wave in which its event came.
    var pending: (side: Side, wave: Wave?)?

    /// Sides whose value this binding has brought about or known of before it heard of it.
    var isExpected = [false, false]
  }

  private let state: Locked<State>
  private var identities: [AnyHashable] = []  // Written in the initialiser only.

  init(_ parts: Parts) {
    state = Locked(State(parts: parts))
    let own: [AnyHashable] = [
      Wave.Hearer(binding: ObjectIdentifier(self), isLeft: true),
      Wave.Hearer(binding: ObjectIdentifier(self), isLeft: false),
    ]
    identities = [parts.left.identity ?? own[0], parts.right.identity ?? own[1]]
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
    if let first = parts.right.initialValue {
      let wave = Wave()
      _ = wave.change(identities[Side.right.rawValue], heardBy: hearer(.right))
      wave.run {
        transfer(first, from: .right, to: parts.left, parts.unmap, parts.onFailure, wave)
        carryCorrections(in: wave)
      }
    }
    carryWhatIsPending()
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
      return (state.parts, state.subscriptions, state.pending)
    }
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
    if wave?.isOpen(identity) != true, isKnown(side) { return }
    if let wave {
      guard wave.hear(of: identity, by: hearer(side)) else { return }
      if wave.number(of: other) >= wave.number(of: identity) {
        // The other side has it, and its own event may be still to come.
        if !wave.isOpen(other), !wave.hasHeard(hearer(side.other), of: other) { expect(side.other, true) }
        return
      }
    }
    var word: (side: Side, wave: Wave?)? = (side, wave)
    let isMine = state.withLock { state in
      guard state.parts != nil else { return false }
      swap(&state.pending, &word)
      defer { state.isCarrying = true }
      return !state.isCarrying
    }
    if isMine { carryWhatIsPending() }
  }

  private func expect(_ side: Side, _ isExpected: Bool) {
    state.withLock { $0.isExpected[side.rawValue] = isExpected }
  }

  /// Whether an event tells of a value that this binding has brought about or known of, so that there is nothing to do.
  ///
  /// Such an event can come late, from another thread that was delivering; or from a ring's first side, after the ring has
  /// closed. Only values that can be compared are held back: carrying one twice does no harm.
  private func isKnown(_ side: Side) -> Bool {
    let parts: Parts? = state.withLock { state in
      guard state.isExpected[side.rawValue] else { return nil }
      state.isExpected[side.rawValue] = false
      return state.parts
    }
    guard let parts, let left = parts.left.currentValue, let right = parts.right.currentValue else { return false }
    switch side {
    case .left: return (try? parts.map(left)).map { areEqual($0, right) == true } ?? false
    case .right: return (try? parts.unmap(right)).map { areEqual($0, left) == true } ?? false
    }
  }

  // MARK: Carrying

  private func carryWhatIsPending() {
    while let next = takePending(giveUpTurn: true, where: { _ in true }) {
      if let wave = next.wave, wave.isHere {
        carry(from: next.side, next.parts, wave)
      } else {
        let wave = Wave()
        _ = wave.change(identities[next.side.rawValue], heardBy: hearer(next.side))
        wave.run {
          carry(from: next.side, next.parts, wave)
          carryCorrections(in: wave)
        }
      }
    }
  }

  /// Carries what follows from a wave while the wave is not over, so that it remembers how often that has happened.
  private func carryCorrections(in wave: Wave) {
    while let next = takePending(giveUpTurn: false, where: { $0 === wave }) {
      carry(from: next.side, next.parts, wave)
    }
  }

  private func takePending(
    giveUpTurn: Bool, where isWanted: (Wave?) -> Bool
  ) -> (side: Side, wave: Wave?, parts: Parts)? {
    state.withLock { state in
      guard let parts = state.parts, let pending = state.pending, isWanted(pending.wave) else {
        if giveUpTurn { state.isCarrying = false }
        return nil
      }
      state.pending = nil
      return (pending.side, pending.wave, parts)
    }
  }

  private func carry(from side: Side, _ parts: Parts, _ wave: Wave) {
    switch side {
    case .left:
      guard let value = parts.left.currentValue else { return }
      transfer(value, from: side, to: parts.right, parts.map, parts.onFailure, wave)
    case .right:
      guard let value = parts.right.currentValue else { return }
      transfer(value, from: side, to: parts.left, parts.unmap, parts.onFailure, wave)
    }
  }

  private func transfer<Value, Target: TwoWay>(
    _ value: Value, from side: Side, to target: Target, _ convert: (Value) throws -> Target.Value,
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
    guard wave.number(of: identity) == number else { return }  // It has told of a correction.
    expect(side.other, !wave.hasHeard(hearer(side.other), of: identity))
    // A setter may also correct what it gets without telling of anything but the result.
    if let now = target.currentValue, areEqual(now, converted) == false,
      wave.change(identity, heardBy: hearer(side.other))
    {
      var word: (side: Side, wave: Wave?)? = (side.other, wave)
      state.withLock { swap(&$0.pending, &word) }
    }
  }
}
