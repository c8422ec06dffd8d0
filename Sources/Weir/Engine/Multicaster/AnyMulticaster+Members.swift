import Synchronization

/// The list of members, for the owner of the gate.
///
/// Invariants:
/// - `members[m.index] === m` for each member that is listed. `members[m.index]` is `nil` for a detached one, whose
///   place is kept.
/// - `deferredChanges.added[-2 - m.index].member === m` for each member that has come during a delivery and had no
///   place.
/// - The index of any other is -1.
/// - `vacantSlots` is the number of other `nil`s in `members`. There are fewer of them than of the other places, or the
///   list has one place.
/// - While `depth` is positive, a delivery iterates over `members` and `detached`. So `members` doesn't change, and
///   nothing is removed from `detached`. What is inserted there has no place yet, and is in `deferredChanges.unplaced`.
///   `deferredChanges` and `firstRemoved` hold the other changes, and `needsCleanup` is true if there are any.
/// - `onlyMember` is the member of a list that contains exactly one place.
extension AnyMulticaster {
  @usableFromInline
  final func add(_ member: AnyMulticastSubscription) {
    member.hasJoined = true
    // What follows serves the requests that precede this.
    if replays { _ = member.isServedLater.exchange(false, ordering: .acquiringAndReleasing) }
    if depth == 0 {
      list(member)
      updateOnlyMember()
    } else {
      deferring().add(member, at: version)
    }
  }

  /// Returns the object for changes that wait for the end of the delivery in flight.
  final func deferring() -> DeferredChanges {
    needsCleanup = true
    if let deferredChanges { return deferredChanges }
    let changes = DeferredChanges()
    deferredChanges = changes
    return changes
  }

  /// The version of the oldest value in the history, or of the next value if it is empty.
  @usableFromInline
  final var oldestKept: Int { version - keptCount + 1 }

  /// Sets where in the history a new member begins.
  @usableFromInline
  final func introduce(_ member: AnyMulticastSubscription) {
    if keepsHistory, member.seen < 0 { skipOlder(for: member) }
  }

  /// Leaves out what the history contains only during the delivery in flight.
  @usableFromInline
  final func skipOlder(for member: AnyMulticastSubscription) {
    member.saw(version - (keptCount < historySize ? keptCount : historySize))
  }

  /// Whether a member has requested a value that was sent before.
  @usableFromInline
  final func isDue(_ member: AnyMulticastSubscription) -> Bool {
    if member.demand.load(ordering: .relaxed) <= 0 { return false }
    return keepsHistory ? member.nextVersion <= version : !isComplete && member.seen < version
  }

  /// Removes a member that has been cancelled, on any thread.
  final func release(_ member: AnyMulticastSubscription) {
    if gate.isOwned(by: currentThread()) { return remove(member) }
    var isRemoved = false
    var isArriving = false
    inbox.withLock { inbox in
      if enterQuietly() {
        if member.hasJoined {
          unlist(member)
          isRemoved = true
        }
        _ = gate.leave()
      } else if case .begun = member.arrival {
        inbox.enqueue({ self.remove(member) }, isChange: true)
      } else {
        isArriving = true
      }
    }
    if isRemoved { tell(member, .release) }
    if isArriving, !withdraw(member) { release(member) }
  }

  /// Ends the arrival of a member that is enqueued, whose subscriber has received its subscription in a delivery.
  @usableFromInline
  final func endArrival(of member: AnyMulticastSubscription) {
    let isPending = inbox.withLock { _ in
      guard case .announced = member.arrival else { return false }
      member.arrival = .joining
      return true
    }
    guard member.isTerminated else { return }
    if isPending {
      _ = withdraw(member)
    } else if !member.hasJoined {
      tell(member, .release)
    }
  }

  /// Removes a cancelled member whose addition is pending; returns `false` if the owner of the gate has begun with that.
  final func withdraw(_ member: AnyMulticastSubscription) -> Bool {
    let (arrival, actions) = inbox.withLock { inbox in
      let arrival = member.arrival
      return (arrival, arrival == .pending || arrival == .joining ? inbox.withdraw(member) : [])
    }
    switch arrival {
    case .begun: return false
    case .announced, .withdrawn: break  // The thread that has sent the subscription withdraws an announced one.
    case .pending, .joining: withExtendedLifetime(actions) { tell(member, .release) }
    }
    return true
  }

  /// Removes a member that has been cancelled.
  private final func remove(_ member: AnyMulticastSubscription) {
    // The thread that adds it, or adds it again, releases it, unless that is pending.
    if member.hasJoined { drop(member) } else { _ = withdraw(member) }
  }

  /// Removes a member, and releases its subscriber when no delivery to it can be in flight.
  @usableFromInline
  final func drop(_ member: AnyMulticastSubscription) {
    if depth == 0 {
      unlist(member)
    } else if member.hasJoined {
      return discard(member)
    } else if member.isBusy {
      return  // Its subscription is being delivered; `endArrival(of:)` releases it.
    }
    // Releasing a subscriber can run a `deinit` that re-enters this hub. Invariant: its state is consistent here.
    tell(member, .release)
  }

  /// Releases the member's subscriber when no delivery to it can be in flight.
  @usableFromInline
  final func discard(_ member: AnyMulticastSubscription) {
    if member.index < -1 { return removeAdded(member) }
    needsCleanup = true
    if firstRemoved == nil { firstRemoved = member } else { deferring().remove(member) }
  }

  @usableFromInline
  final func discardAll() {
    withEachJoined { discard($0) }
  }

  /// Marks the latest value as delivered to the members whose last value was the one with this version.
  @usableFromInline
  final func markSeen(after older: Int) {
    func mark(_ member: AnyMulticastSubscription) { if member.seen == older { member.saw(version) } }
    withEachJoined(mark)
    for index in 0..<detached.count { mark(detached[index]) }
  }

  /// Releases all subscribers without a completion, because the object that sends is being deallocated.
  ///
  /// Otherwise the members and the hub would retain each other until each member is cancelled.
  final func removeAllMembers() {
    // Performance: in a debug build the loops look the iterators' types up.
    if members.count == vacantSlots, deferredChanges == nil, detached.count == 0 { return }
    withEachJoined { member in if member.end() { discard(member) } }
    for index in 0..<detached.count { _ = detached[index].end() }
    cleanUpIfNeeded()
  }

  /// Calls a function without user code for each member that has joined, also during a delivery.
  private final func withEachJoined(_ act: (AnyMulticastSubscription) -> Void) {
    for index in 0..<members.count { if let member = members[index] { act(member) } }
    if let deferredChanges { for place in deferredChanges.added { if let member = place.member { act(member) } } }
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
    needsCleanup = detached.count > 0
    let first = firstRemoved.take()
    guard let deferredChanges else {
      if let first { vacate(first) }
      compact()
      if let first { tell(first, .release) }
      return
    }
    let others = deferredChanges.takeRemoved()
    for place in deferredChanges.takeAdded() { if let member = place.member { list(member) } }
    for place in deferredChanges.takeUnplaced() { if let member = place.member { reserve(member) } }
    if let first { vacate(first) }
    for member in others { vacate(member) }
    compact()
    if let first { tell(first, .release) }
    for member in others { tell(member, .release) }
    for member in deferredChanges.takeJoining() { tell(member, .join) }
  }

  // A delivery can last for as long as a program runs, and subscribe and cancel any number of times. So a member that
  // came during it is released before its end, unless something is being delivered to that member.

  /// Begins a delivery to one member; the result is to be passed to ``endSingle(_:wasBusy:)``.
  @usableFromInline
  final func beginSingle(_ member: AnyMulticastSubscription) -> Bool {
    defer { member.isBusy = true }
    return member.isBusy
  }

  /// Ends a delivery to one member, which releases it if it was cancelled or completed meanwhile.
  @usableFromInline
  final func endSingle(_ member: AnyMulticastSubscription, wasBusy: Bool) {
    member.isBusy = wasBusy
    if member.index < -1, member.isTerminated { removeAdded(member) }
  }

  /// Removes a member that has come during a delivery, unless something is being delivered to it.
  private final func removeAdded(_ member: AnyMulticastSubscription) {
    if member.isBusy { return }
    deferredChanges?.vacate(member)
    tell(member, .release)
  }

  private final func list(_ member: AnyMulticastSubscription) {
    if member.index >= 0 {
      members[Int(member.index)] = member
      reservedSlots -= 1
    } else if vacantSlots == 1, members.count == 1 {
      members[0] = member
      member.index = 0
      vacantSlots = 0
    } else {
      member.index = Int32(members.count)
      members.append(member)
    }
  }

  /// Keeps a place for a member that is detached: its own, or a new one.
  final func reserve(_ member: AnyMulticastSubscription) {
    if member.index >= 0 {
      members[Int(member.index)] = nil
      member.hasJoined = false
    } else if vacantSlots == 1, members.count == 1 {
      member.index = 0
      vacantSlots = 0
    } else {
      member.index = Int32(members.count)
      members.append(nil)
    }
    reservedSlots += 1
    updateOnlyMember()
  }

  /// Takes a member out of the list, or gives up its reserved place.
  final func unlist(_ member: AnyMulticastSubscription) {
    vacate(member)
    compact()
  }

  private final func vacate(_ member: AnyMulticastSubscription) {
    let index = Int(member.index)
    if index < 0 { return }
    members[index] = nil
    member.index = -1
    vacantSlots += 1
    if !member.hasJoined { reservedSlots -= 1 }
  }

  /// Removes the empty places at the end of the list, and all of them once they are half of it.
  ///
  /// So a cancellation takes constant time on average.
  private final func compact() {
    // An inline place is kept for the next member.
    if members.isInline { return updateOnlyMember() }
    // Meanwhile, detached members stand in their places.
    if reservedSlots > 0 { for index in 0..<detached.count { fill(placeOf: detached[index], isListed: true) } }
    while vacantSlots > 0, members[members.count - 1] == nil {
      members.removeLast()
      vacantSlots -= 1
    }
    if vacantSlots > 0, vacantSlots >= members.count - vacantSlots {
      members.removeEmptyPlaces()
      vacantSlots = 0
    }
    if reservedSlots > 0 { for index in 0..<detached.count { fill(placeOf: detached[index], isListed: false) } }
    updateOnlyMember()
  }

  private final func fill(placeOf member: AnyMulticastSubscription, isListed: Bool) {
    if member.index >= 0 { members[Int(member.index)] = isListed ? member : nil }
  }

  private final func updateOnlyMember() {
    hasMembers.store(members.count > vacantSlots, ordering: .relaxed)
    // Performance: the optional's `map` would look types up in a debug build.
    if members.count == 1, let member = members[0] { onlyMember = .passUnretained(member) } else { onlyMember = nil }
  }
}
