import Synchronization

/// The list of members, for the owner of the gate.
///
/// Invariants:
/// - `members[m.index] === m` for each member that is listed; the index of any other is -1.
/// - `vacantSlots` is the number of `nil`s in `members`; there are fewer of them than members, or the list has one
///   place.
/// - While `depth` is positive, a delivery iterates over `members`, so the list doesn't change: `addedDuringDelivery`,
///   `firstRemoved` and `removedDuringDelivery` hold the changes, and `needsCleanup` is true if there are any.
/// - `onlyMember` is the member of a list that contains exactly one place.
extension AnyMulticaster {
  @usableFromInline
  final func add(_ member: AnyMulticastSubscription) {
    member.joinedAt = version
    if depth == 0 {
      list(member)
      updateOnlyMember()
    } else {
      addedDuringDelivery.append(member)
      needsCleanup = true
    }
  }

  /// Removes a member that has been cancelled, on any thread.
  final func release(_ member: AnyMulticastSubscription) {
    if gate.isOwned(by: currentThread()) { return remove(member) }
    var isRemoved = false
    _ = change(
      {
        if !member.hasJoined { return }
        unlist(member)
        compact()
        isRemoved = true
      }, orLater: { self.remove(member) })
    if isRemoved { tell(member, .release) }
  }

  private final func remove(_ member: AnyMulticastSubscription) {
    // A member whose attachment is pending is released when it is added.
    if !member.hasJoined { return }
    if depth > 0 { return discard(member) }
    unlist(member)
    compact()
    // Releasing a subscriber can run a `deinit` that re-enters this hub. Invariant: its state is consistent here.
    tell(member, .release)
  }

  /// Releases the member's subscriber when no delivery is in flight.
  @usableFromInline
  final func discard(_ member: AnyMulticastSubscription) {
    if firstRemoved == nil { firstRemoved = member } else { removedDuringDelivery.append(member) }
    needsCleanup = true
  }

  @usableFromInline
  final func discardAll() {
    for member in members { if let member { discard(member) } }
    if !addedDuringDelivery.isEmpty { for member in addedDuringDelivery { discard(member) } }
  }

  /// Releases all subscribers without a completion, because the object that sends is being deallocated.
  ///
  /// Otherwise the members and the hub would retain each other until each member is cancelled.
  final func removeAllMembers() {
    // Performance: in a debug build the loops look the iterators' types up.
    if members.count == vacantSlots, addedDuringDelivery.isEmpty, firstAnnouncement == nil { return }
    for member in members { if let member, member.end() { discard(member) } }
    for member in addedDuringDelivery where member.end() { discard(member) }
    var announcement = firstAnnouncement
    while let current = announcement {
      _ = current.member.end()
      announcement = current.following
    }
    cleanUpIfNeeded()
  }

  // Performance: these two are methods of this class, because in a debug build a subclass retains itself for each
  // property of it.

  /// Begins the delivery of a value, and returns its version.
  @inlinable
  @inline(__always)
  final func beginDelivery() -> Int {
    depth &+= 1
    version &+= 1
    return version
  }

  @inlinable
  @inline(__always)
  final func endDelivery() {
    depth &-= 1
    cleanUpIfNeeded()
  }

  @inlinable
  @inline(__always)
  final func cleanUpIfNeeded() {
    if needsCleanup, depth == 0 { cleanUp() }
  }

  /// Updates the list after the deliveries that iterated over it.
  @usableFromInline
  final func cleanUp() {
    needsCleanup = firstAnnouncement != nil
    let first = firstRemoved.take()
    var others: ContiguousArray<AnyMulticastSubscription> = []
    swap(&others, &removedDuringDelivery)
    if !addedDuringDelivery.isEmpty {
      for member in addedDuringDelivery { list(member) }
      addedDuringDelivery.removeAll()
    }
    if let first { unlist(first) }
    for member in others { unlist(member) }
    compact()
    if let first { tell(first, .release) }
    for member in others { tell(member, .release) }
  }

  private final func list(_ member: AnyMulticastSubscription) {
    if vacantSlots == 1, members.count == 1 {
      members[0] = member
      member.index = 0
      vacantSlots = 0
    } else {
      member.index = Int32(members.count)
      members.append(member)
    }
  }

  private final func unlist(_ member: AnyMulticastSubscription) {
    let index = Int(member.index)
    if index < 0 { return }
    members[index] = nil
    member.index = -1
    vacantSlots += 1
  }

  /// Removes the empty places at the end of the list, and all of them once they are half of it.
  ///
  /// So a cancellation takes constant time on average.
  private final func compact() {
    if members.count == 1, members.capacity <= 16 {
      // Performance: the only place is kept for the next member. Removing it is a generic call in a debug build.
      return updateOnlyMember()
    }
    while vacantSlots > 0, members[members.count - 1] == nil {
      members.removeLast()
      vacantSlots -= 1
    }
    if members.isEmpty, members.capacity > 16 { members = [] }
    if vacantSlots > 0, vacantSlots >= members.count - vacantSlots {
      members.removeAll { $0 == nil }
      vacantSlots = 0
      for (index, member) in members.enumerated() { member?.index = Int32(index) }
    }
    updateOnlyMember()
  }

  private final func updateOnlyMember() {
    hasMembers.store(!members.isEmpty, ordering: .relaxed)
    onlyMember = members.count == 1 ? members[0].map { .passUnretained($0) } : nil
  }
}
