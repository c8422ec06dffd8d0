/// What the lock of a hub's inbox protects.
struct MulticasterInbox {
  /// The pending actions of other threads, for the owner of the gate.
  var actions: Enqueued<EnqueuedAction>?

  var turns = DetachedTurns()

  /// The subscriptions of a subject's own upstreams, if there are any.
  var upstreams: SubjectUpstreams?

  /// Whether a member has requested values.
  var isAsked = false

  /// The number of pending actions that belong to withdrawn members.
  private var withdrawnCount = 0

  /// The number of pending actions that belong to other arriving members.
  private var arrivingCount = 0

  /// The number of values that have been kept.
  private var valueCount = 0

  /// The number of values to keep for members whose arrival is pending, whatever the others have requested.
  ///
  /// Invariant: at least the sum of what is owed to each.
  private var owed = 0

  var counts: EnqueuedCounts {
    var counts = actions?.counts ?? EnqueuedCounts()
    counts.areSubscribersPending = arrivingCount > 0
    return counts
  }

  var isAnythingPending: Bool { (actions?.events.count ?? 0) > 0 }

  var isValueOwed: Bool { owed > 0 }

  /// Counts a value that is kept.
  mutating func keepValue() {
    valueCount += 1
    if owed > 0 { owed -= 1 }
  }

  /// Begins the arrival of a member, whose first action has been enqueued.
  mutating func announce(_ member: AnyMulticastSubscription) {
    member.arrival = .announced
    member.owedThrough = valueCount
  }

  /// Keeps this many values for a member, unless the owner of the gate has begun with its actions.
  mutating func owe(_ share: Int, to member: AnyMulticastSubscription) {
    switch member.arrival {
    case .begun, .withdrawn: return
    case .announced, .pending, .joining:
      member.owedThrough = max(member.owedThrough, valueCount) + share
      owed += share
    }
  }

  /// Ends what is owed to a member: it follows the values that are pending, or receives none.
  private mutating func settle(_ member: AnyMulticastSubscription) {
    if case .begun = member.arrival { return }
    owed -= max(0, member.owedThrough - valueCount)
    member.owedThrough = -1
  }

  /// Enqueues an action that is no value.
  mutating func enqueue(
    _ act: @escaping () -> Void, isChange: Bool = false, adding member: AnyMulticastSubscription? = nil
  ) {
    if member != nil { arrivingCount += 1 }
    Enqueued.filling(&actions).append(EnqueuedAction(act, row: 0, isChange: isChange, adding: member))
  }

  mutating func popFirst() -> EnqueuedAction? {
    guard let first = actions?.events.popFirst() else { return nil }
    guard let member = first.arriving else { return first }
    if case .withdrawn = member.arrival {
      withdrawnCount -= 1
    } else {
      settle(member)
      member.arrival = .begun
      arrivingCount -= 1
    }
    return first
  }

  /// Withdraws a cancelled member, none of whose actions has begun.
  ///
  /// Returns actions that the caller must release outside the lock.
  ///
  /// While the owner is in a subscriber, threads can subscribe and cancel any number of times. So the actions of
  /// withdrawn members are removed once they are half of all, which takes amortized constant time.
  mutating func withdraw(_ member: AnyMulticastSubscription) -> [EnqueuedAction] {
    let count = member.arrival == .pending ? 2 : 1
    settle(member)
    member.arrival = .withdrawn
    withdrawnCount += count
    arrivingCount -= count
    guard let actions, withdrawnCount > 16, withdrawnCount > actions.events.count / 2 else { return [] }
    withdrawnCount = 0
    return actions.events.removeAll(where: \.isWithdrawn)
  }
}

/// An action that another thread has enqueued for the owner of a hub's gate.
@usableFromInline
package struct EnqueuedAction {
  let act: () -> Void

  /// The number of values in a row that end with this one; 0 if it is no value.
  let row: Int

  /// Whether values in front of it have been dropped.
  var followsGap = false

  /// Whether it only changes the list of members.
  let isChange: Bool

  /// The member that arrives with it.
  let arriving: AnyMulticastSubscription?

  init(
    _ act: @escaping () -> Void, row: Int, isChange: Bool = false, adding member: AnyMulticastSubscription? = nil
  ) {
    self.act = act
    self.row = row
    self.isChange = isChange
    arriving = member
  }

  var isWithdrawn: Bool { arriving?.arrival == .withdrawn }
}
