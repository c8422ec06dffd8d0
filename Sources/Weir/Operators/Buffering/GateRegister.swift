public import Synchronization

/// Who owns a gate, as far as the buffers below it have to know.
@usableFromInline
package protocol GateKeeper: AnyObject {
  /// Whether this thread owns the gate.
  var isOwnedHere: Bool { get }

  /// Whether the owner handles what other threads have left.
  var handlesOthers: Bool { get }

  /// Calls the buffer's ``BufferCore/gateIsLeft()`` when the owner has left the gate, for the owner alone.
  func whenLeft(_ buffer: BufferCore)
}

/// A subject that gates above it can tell of themselves.
package protocol GatedSubject: AnyObject {
  var register: GateRegister { get }
}

extension PassthroughSubject: GatedSubject {
  package var register: GateRegister { hub.register }
}

extension CurrentValueSubject: GatedSubject {
  package var register: GateRegister { hub.register }
}

/// The gates that values come through on their way to a buffer, or to a subject that buffers may join.
///
///     subject ──▶ merge ──▶ share ──▶ buffer
///        gate      gate      gate      lock
///                          register  register
///
/// A subject's register passes on what it learns to those of the buffers and subjects below, who come sooner or later than
/// the gates above. It keeps neither gates nor buffers.
@usableFromInline
package final class GateRegister {
  private struct Above {
    weak var keeper: (any GateKeeper)?
  }

  private struct State {
    var above: [Above] = []
    var below: [GateRegister] = []
    var changes = 0

    /// Adds a register below; the result is what it has to be told.
    mutating func add(_ register: GateRegister) -> [Above] {
      if below.contains(where: { $0 === register }) { return [] }
      if below.count >= 8, below.count == below.capacity {
        below.removeAll { $0.isClosed.load(ordering: .relaxed) }
      }
      below.append(register)
      return above
    }
  }

  private let state = Locked(State())

  // Safety: a lock without content. (`BoundsTests`)

  /// Held while a register gets to stand above another, so that they never form a ring.
  private nonisolated(unsafe) static let order = Locked(())

  private let isClosed = Atomic<Bool>(false)

  @usableFromInline
  let isBelowGates = Atomic<Bool>(false)

  init() {}

  /// The buffer or subject is gone.
  func close() {
    isClosed.store(true, ordering: .relaxed)
  }

  /// Notes that values come through a gate.
  func stand(below keeper: any GateKeeper) {
    isBelowGates.store(true, ordering: .relaxed)
    // Publishers that a flatMap opens come and go.
    let (known, changes) = state.withLock { ($0.above, $0.changes) }
    let isFull = known.count >= 8 && known.count == known.capacity
    let alive = isFull ? known.filter { $0.keeper != nil } : known
    let below = state.withLock { state in
      if isFull, state.changes == changes { state.above = alive }
      state.above.append(Above(keeper: keeper))
      state.changes += 1
      return state.below
    }
    for register in below { register.stand(below: keeper) }
  }

  /// Notes that values come from here to another register, which gets to know the gates of this one.
  func stand(above register: GateRegister) {
    let above = Self.order.withLock { _ in
      // Subjects that send to each other are above and below at once.
      register.leads(to: self) ? [] : state.withLock { $0.add(register) }
    }
    for entry in above {
      if let keeper = entry.keeper { register.stand(below: keeper) }
    }
  }

  private func leads(to register: GateRegister) -> Bool {
    self === register || state.withLock { $0.below }.contains { $0.leads(to: register) }
  }

  /// The owner of a gate above, if this thread is one.
  @inlinable
  func keeperHere() -> (any GateKeeper)? {
    isBelowGates.load(ordering: .relaxed) ? searchedKeeper() : nil
  }

  // The list is copied: a keeper that is released here must not go under the lock.
  @usableFromInline
  func searchedKeeper() -> (any GateKeeper)? {
    for entry in state.withLock({ $0.above }) {
      if let keeper = entry.keeper, keeper.isOwnedHere { return keeper }
    }
    return nil
  }
}
