/// The changes of a hub's list that wait for the end of the delivery in flight.
///
/// Performance: an object, which the first of them makes. Most hubs have none, and to release empty arrays costs 30
/// instructions each.
@usableFromInline
final class DeferredChanges {
  /// A place for a member that has come during the delivery.
  @usableFromInline
  struct Place {
    /// The member, unless it has left again.
    @usableFromInline
    var member: AnyMulticastSubscription?

    /// The version of the latest value when it came: it receives only newer ones.
    @usableFromInline
    let version: Int
  }

  // Safety: only the owner of the hub's gate accesses the properties. No access lasts while user code runs, so nested
  // calls of that thread never overlap one. (`MulticasterTests`, `NestedMembersTests`, `SubscribingThreadTests`)

  /// The members that have come during the delivery.
  @usableFromInline
  @exclusivity(unchecked)
  private(set) var added: ContiguousArray<Place> = []

  /// The members that have been detached during the delivery; each remains detached, and needs a place in the list.
  @usableFromInline
  @exclusivity(unchecked)
  private(set) var unplaced: ContiguousArray<Place> = []

  /// The number of empty places.
  @exclusivity(unchecked)
  private var vacantCount = 0

  /// The number of loops over `added` that call members.
  @usableFromInline
  @exclusivity(unchecked)
  var loopCount = 0

  /// The members that release their subscribers, behind the hub's `firstRemoved`.
  @exclusivity(unchecked)
  private var removed: ContiguousArray<AnyMulticastSubscription> = []

  /// The detached members that join the list.
  @exclusivity(unchecked)
  private var joining: ContiguousArray<AnyMulticastSubscription> = []

  func add(_ member: AnyMulticastSubscription, at version: Int) {
    if member.index < 0 { member.index = -2 - Int32(added.count) }
    added.append(Place(member: member, version: version))
  }

  func reserve(_ member: AnyMulticastSubscription, at version: Int) {
    unplaced.append(Place(member: member, version: version))
  }

  func remove(_ member: AnyMulticastSubscription) {
    removed.append(member)
  }

  func join(_ member: AnyMulticastSubscription) {
    joining.append(member)
  }

  func takeAdded() -> ContiguousArray<Place> {
    vacantCount = 0
    return take(&added)
  }

  func takeUnplaced() -> ContiguousArray<Place> { take(&unplaced) }

  func takeRemoved() -> ContiguousArray<AnyMulticastSubscription> { take(&removed) }

  func takeJoining() -> ContiguousArray<AnyMulticastSubscription> { take(&joining) }

  /// Empties the place of an added member.
  func vacate(_ member: AnyMulticastSubscription) {
    added[-2 - Int(member.index)].member = nil
    member.index = -1
    vacantCount += 1
    compact()
  }

  /// Removes the empty places at the end, and if no loop is counting, all of them once they are half of all places.
  ///
  /// A loop is at a member to which something is being delivered, so no place in front of that member is removed.
  private func compact() {
    while vacantCount > 0, added[added.count - 1].member == nil {
      added.removeLast()
      vacantCount -= 1
    }
    guard loopCount == 0, vacantCount > added.count / 2 else { return }
    added.removeAll { $0.member == nil }
    vacantCount = 0
    for (index, place) in added.enumerated() {
      if let member = place.member, member.index < -1 { member.index = -2 - Int32(index) }
    }
  }

  private func take<Element>(_ elements: inout ContiguousArray<Element>) -> ContiguousArray<Element> {
    var taken: ContiguousArray<Element> = []
    swap(&taken, &elements)
    return taken
  }
}
