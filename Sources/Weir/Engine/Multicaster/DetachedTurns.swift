/// The threads that deliver values to the detached members of a hub, with their turns.
///
/// It is accessed under the lock of the hub's inbox. So a thread that delivers to a detached member finds its turn
/// while another thread owns the gate.
struct DetachedTurns {
  private struct Entry {
    let member: ObjectIdentifier
    let thread: UInt

    /// Exists if a buffer delivers when the turn ends.
    var turn: _Gated?
  }

  // Performance: as in `DetachedMembers`, the first one is apart from the others.

  private var first: Entry?

  private var others: ContiguousArray<Entry> = []

  private(set) var count = 0

  /// Begins the turn of this thread with a member, unless it has begun.
  mutating func begin(_ member: AnyMulticastSubscription) {
    let entry = Entry(member: ObjectIdentifier(member), thread: currentThread())
    if first?.member == entry.member || others.contains(where: { $0.member == entry.member }) { return }
    if first == nil { first = entry } else { others.append(entry) }
    count += 1
  }

  /// Ends the turn with a member.
  ///
  /// The caller has the buffers of the result deliver, and releases it, when no lock is held.
  mutating func end(_ member: AnyMulticastSubscription) -> _Gated? {
    let member = ObjectIdentifier(member)
    var ended: Entry?
    if first?.member == member {
      swap(&ended, &first)
    } else if let index = others.firstIndex(where: { $0.member == member }) {
      ended = others.remove(at: index)
    } else {
      return nil
    }
    count -= 1
    return ended?.turn
  }

  /// Returns the turn of a thread with a member, if it has begun.
  mutating func find(_ member: AnyMulticastSubscription, of thread: UInt) -> _Gated? {
    let member = ObjectIdentifier(member)
    if var entry = first, entry.member == member, entry.thread == thread {
      defer { first = entry }
      return Self.turn(of: &entry)
    }
    guard let index = others.firstIndex(where: { $0.member == member && $0.thread == thread }) else { return nil }
    return Self.turn(of: &others[index])
  }

  private static func turn(of entry: inout Entry) -> _Gated {
    let turn = entry.turn ?? _Gated()
    entry.turn = turn
    return turn
  }
}
