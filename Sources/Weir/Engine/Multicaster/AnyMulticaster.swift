public import Synchronization

/// The nongeneric part of a multicaster: its list of members, its gate and its inbox.
///
/// A subject and its members call it their hub. A member is the subscription of one subscriber.
///
/// The thread that owns the gate owns the list, so a delivery iterates over it without a lock and retains no member.
/// The inbox keeps the actions of other threads until the owner drains it. A nested send is delivered immediately,
/// behind those actions.
///
/// Invariant: the list does not change during a delivery. `deferredChanges` holds what changes it afterwards.
///
/// Performance: an unspecialized generic class looks up type metadata, 340 instructions each time. In a debug build
/// every generic class is unspecialized.
@usableFromInline
package class AnyMulticaster: _Gated, CustomStringConvertible {
  @usableFromInline
  final let name: StaticString

  final let inbox = Locked(MulticasterInbox())

  /// The number of values among these actions whose delivery has not begun.
  private final let waitingValues = Atomic<Int>(0)

  /// The number of these values that follow dropped ones.
  private final let gaps = Atomic<Int>(0)

  /// The demand of all members together.
  ///
  /// An unlimited one counts as a large number.
  @usableFromInline
  final let demand = Atomic<Int>(0)

  /// Whether there is a member.
  final let hasMembers = Atomic<Bool>(false)

  // Safety: only the owner of the gate accesses the variables below. The gate admits one thread. No access lasts while
  // user code runs, so nested calls of that thread never overlap one. (`MulticasterTests`, `SubjectThreadTests`,
  // `Threads/subject`)

  @usableFromInline
  @exclusivity(unchecked)
  final var members = MemberList()

  /// The only member, if there is exactly one: `members` retains it.
  @usableFromInline
  @exclusivity(unchecked)
  final var onlyMember: Unmanaged<AnyMulticastSubscription>?

  /// The changes of the list that wait for the end of the delivery in flight, if there have been any.
  @usableFromInline
  @exclusivity(unchecked)
  final var deferredChanges: DeferredChanges?

  /// The members to which threads that don't own the gate are delivering.
  @usableFromInline
  @exclusivity(unchecked)
  final var detached = DetachedMembers()

  /// The first of the members that release their subscribers when the delivery in flight has returned.
  ///
  /// Performance: apart from the others, because most hubs have one member, and an array costs 700 instructions.
  @exclusivity(unchecked)
  final var firstRemoved: AnyMulticastSubscription?

  /// The number of empty places in `members`, without those that are kept for detached members.
  @exclusivity(unchecked)
  final var vacantSlots = 0

  /// The number of places that are kept for detached members.
  @exclusivity(unchecked)
  final var reservedSlots = 0

  /// The number of nested deliveries in flight.
  @usableFromInline
  @exclusivity(unchecked)
  final var depth = 0

  /// Whether a member has been added or removed during the delivery, or is detached.
  @usableFromInline
  @exclusivity(unchecked)
  final var needsCleanup = false

  /// Whether a change of the list has delivered events that were pending for a detached member.
  @exclusivity(unchecked)
  final var hasDeliveredPending = false

  /// Whether the completion has been sent.
  ///
  /// Performance: to compare the completion of a typed multicaster with `nil` looks up metadata for each value.
  @usableFromInline
  @exclusivity(unchecked)
  final var isComplete = false

  /// The number of the latest value.
  @usableFromInline
  @exclusivity(unchecked)
  final var version = 0

  /// The number of values in the history.
  @usableFromInline
  @exclusivity(unchecked)
  final var keptCount = 0

  /// Whether `outermostGate` is looking through the upstreams.
  @exclusivity(unchecked)
  private final var isSearched = false

  /// Whether a request delivers values from before it.
  @usableFromInline
  final let replays: Bool

  /// The number of values that are kept for later requests, or -1 if the multicaster has no history.
  @usableFromInline
  final let historySize: Int

  /// Whether a member has requested values, so that a subject's own upstreams have been asked for theirs.
  private final let isAsked = Atomic<Bool>(false)

  /// Performs an action of a member.
  ///
  /// Performance: it is formed where the types are known, once for all members.
  @usableFromInline
  final let tell: (AnyMulticastSubscription, AnyMulticastSubscription.Action) -> Void

  @usableFromInline
  init(
    _ name: StaticString, replays: Bool, historySize: Int,
    tell: @escaping (AnyMulticastSubscription, AnyMulticastSubscription.Action) -> Void
  ) {
    self.name = name
    self.replays = replays
    self.historySize = historySize
    self.tell = tell
  }

  deinit {
    // Cancelled, an upstream releases the list, which retains the upstream.
    if let upstreams = inbox.withLock({ $0.upstreams }) {
      for subscription in upstreams.all { subscription.cancel() }
    }
  }

  @usableFromInline
  package final var description: String { name.description }

  @inlinable
  final var keepsHistory: Bool { historySize >= 0 }

  // MARK: Turns

  /// What a thread does with its event.
  @usableFromInline
  package enum Turn {
    /// It owns the gate now: it delivers the event, and leaves.
    case deliver
    /// It owned the gate already.
    case deliverNested
    /// It owns the gate now, and the event is enqueued.
    case drain
    /// The event is enqueued for the owner of the gate.
    case nothing
  }

  @usableFromInline
  final func post(_ act: @escaping () -> Void) {
    take(enterOrEnqueue(for: act), act)
  }

  /// Enters the gate, or enqueues the action for its owner.
  ///
  /// It runs no user code, so it can be called under a lock.
  @inlinable
  @inline(__always)
  final func enterOrEnqueue(for act: @autoclosure () -> () -> Void) -> Turn {
    switch enterInOrder() {
    case .acquired: .deliver
    case .reentrant: .deliverNested
    case .contended: put(act())
    }
  }

  /// The same for the delivery of a value.
  ///
  /// A delivery that is dropped for it holds a user's value, so the caller releases it when no lock is held.
  @inlinable
  @inline(__always)
  package final func enterOrEnqueue(
    toDeliver act: @autoclosure () -> () -> Void
  ) -> (turn: Turn, displaced: EnqueuedAction?) {
    switch enterInOrder() {
    case .acquired: (.deliver, nil)
    case .reentrant: (.deliverNested, nil)
    case .contended: put(valueDelivery: act())
    }
  }

  /// Performs the action in the turn that `enterOrEnqueue` returned.
  ///
  /// It runs user code, so no lock can be held.
  @inlinable
  @inline(__always)
  package final func take(_ turn: Turn, _ act: () -> Void) {
    switch turn {
    case .deliver:
      act()
      leave()
    case .deliverNested: nest(act)
    case .drain: drain()
    case .nothing: break
    }
  }

  @inlinable
  @inline(__always)
  final func leave() {
    if !gate.leave() { drain() }
  }

  // Invariant: events are enqueued, and their owner is notified, under the lock of the inbox. So a thread that owns the
  // gate under this lock, to change the list, is never asked to deliver. Another thread waits for the lock, and enters.

  @usableFromInline
  final func put(_ act: @escaping () -> Void) -> Turn {
    inbox.withLock { inbox in
      if case .acquired = gate.enter() { return .deliver }
      inbox.enqueue(act)
      return gate.acquireOrRequestDrain() ? .drain : .nothing
    }
  }

  /// Enters the gate to change the list of members, if no thread delivers; otherwise that thread performs `later`.
  ///
  /// Returns whether the gate is entered. The caller has the lock of the inbox, doesn't own the gate, runs no user
  /// code, and leaves before it releases the lock.
  final func enter(
    _ inbox: inout MulticasterInbox, toAdd member: AnyMulticastSubscription? = nil,
    orLater later: @autoclosure () -> () -> Void
  ) -> Bool {
    if enterQuietly() { return true }
    inbox.enqueue(later(), isChange: true, adding: member)
    return false
  }

  /// Enters the gate if it is free; otherwise a thread that delivers performs what the caller enqueues.
  final func enterQuietly() -> Bool {
    switch gate.enterOrRequestDrain() {
    case .acquired: return true
    case .contended: return false
    case .offered:
      // The thread that has offered the gate may be in a subscriber behind a buffer, for as long as that takes.
      handOver()
      return false
    }
  }

  /// Enters the gate to serve a request, if no thread delivers; otherwise that thread serves it.
  ///
  /// The same as `enter(_:orLater:)`, for an event. It is enqueued once for all requests that precede it.
  final func enter(_ inbox: inout MulticasterInbox, toServe member: AnyMulticastSubscription) -> Bool {
    if enterQuietly() { return true }
    if member.isServedLater.exchange(true, ordering: .acquiringAndReleasing) { return false }
    let act = {
      _ = member.isServedLater.exchange(false, ordering: .acquiringAndReleasing)
      self.tell(member, .deliverLatest)
    }
    inbox.enqueue(act)
    return false
  }

  /// Enqueues the delivery of a value.
  ///
  /// Returns the delivery that is dropped: an older one, or this one.
  ///
  /// While the owner is in a subscriber, other threads may send any number of values. The hub keeps as many as its
  /// members have requested together, and the last ones that it replays. It drops no value that precedes another event,
  /// such as an attachment. Of the values behind an attachment it keeps those that the new member has requested.
  ///
  /// For example, the owner of a subject that replays one value delivers 1 to a member whose outstanding demand is 1.
  /// Other threads send 2 to 5. The inbox, with a bar where values have been dropped:
  ///
  ///     2           kept, because it has been requested
  ///     2 3         kept, to be replayed
  ///     2 | 4       4 displaces 3, and follows a gap
  ///     2 | 5       5 displaces 4
  ///
  /// If the member requests a value now, that demand is enqueued behind the 5 (`count(_:as:of:)`). So it receives 2,
  /// then 5.
  @usableFromInline
  final func put(valueDelivery act: @escaping () -> Void) -> (turn: Turn, displaced: EnqueuedAction?) {
    inbox.withLock { inbox in
      if case .acquired = gate.enter() { return (.deliver, nil) }
      let enqueued = Enqueued.filling(&inbox.actions)
      let count = enqueued.events.count
      let row = count == 0 ? 0 : enqueued.events[count - 1].row
      let action = EnqueuedAction(act, row: row + 1)
      var displaced: EnqueuedAction?
      // The row includes values that the owner has taken out or that have been dropped. `waitingValues` can be one too
      // high, because the owner subtracts after it has taken a value out.
      if !inbox.isValueOwed,
        waitingValues.load(ordering: .relaxed) - demand.load(ordering: .relaxed) >= replayed,
        min(row, count) >= replayed
      {
        if replayed == 0 { return (gate.acquireOrRequestDrain() ? .drain : .nothing, action) }
        displaced = enqueued.events.remove(at: count - replayed)
        enqueued.append(action)
        noteGap(at: count - replayed, in: &enqueued.events, after: displaced)
      } else {
        waitingValues.wrappingAdd(1, ordering: .relaxed)
        enqueued.append(action)
        inbox.keepValue()
      }
      return (gate.acquireOrRequestDrain() ? .drain : .nothing, displaced)
    }
  }

  /// The number of values that are replayed.
  @usableFromInline
  final var replayed: Int { keepsHistory ? historySize : replays ? 1 : 0 }

  /// Marks the value that follows a dropped one, in place of the dropped one's own mark.
  private final func noteGap(
    at position: Int, in actions: inout SplitQueue<EnqueuedAction>, after displaced: EnqueuedAction?
  ) {
    if displaced?.followsGap == true { gaps.wrappingSubtract(1, ordering: .relaxed) }
    if actions[position].followsGap { return }
    actions[position].followsGap = true
    gaps.wrappingAdd(1, ordering: .relaxed)
  }

  /// Counts a member's new demand, so that later values are not dropped.
  ///
  /// If pending values have been dropped, the member gets its demand after them, and the result is false. Otherwise it
  /// would receive one value from before the gap and the next from behind it. (`BoundsTests`)
  final func count(_ more: Subscribers.Demand, as share: Int, of member: AnyMulticastSubscription) -> Bool {
    let turn = inbox.withLock { inbox -> Turn? in
      demand.wrappingAdd(share, ordering: .relaxed)
      inbox.owe(share, to: member)
      if gaps.load(ordering: .relaxed) == 0 { return nil }
      let act = {
        member.add(more, counted: share)
        self.tell(member, .deliverLatest)
      }
      inbox.enqueue(act)
      return gate.acquireOrRequestDrain() ? .drain : .nothing
    }
    if case .drain? = turn { drain() }
    return turn == nil
  }

  /// Keeps what a member requests whose arrival is pending, though values in front of that are pending too.
  @inline(never)
  final func owe(_ demand: Subscribers.Demand, to member: AnyMulticastSubscription) {
    inbox.withLock { $0.owe(demandShare(of: demand.max ?? .max), to: member) }
  }

  /// Whether no value is pending behind the one whose delivery begins.
  @usableFromInline
  package final var isLatest: Bool { waitingValues.load(ordering: .relaxed) == 0 }

  /// Reports that a value of another thread is dropped, because no member has requested it.
  @usableFromInline
  final func dropped<Value>(_ value: Value) {
    if hasMembers.load(ordering: .relaxed) { Reports.dropped(value, by: name) }
  }

  @usableFromInline
  final func drain() {
    if !drainOnce() { handOver() }
  }

  /// Returns `false` if it offers the gate.
  private final func drainOnce() -> Bool {
    drain(isAnythingPending: { inbox.withLock { $0.isAnythingPending } }) { performNextAction() }
  }

  private final func handOver() { handOver { (self.drainOnce(), nil) } }

  /// Performs the next action, and the changes of the list in front of it.
  ///
  /// A change takes no time of a subscriber's. So threads that only subscribe and cancel don't make a sender hand its
  /// turn over, to a thread on which its own values would be delivered.
  private final func performNextAction() -> Bool {
    for number in 0..<4_096 {
      let (next, total) = inbox.withLock { inbox in (inbox.popFirst(), inbox.actions?.total ?? 0) }
      guard let left = next else { return number > 0 }
      if left.isWithdrawn { continue }
      if left.row > 0 { waitingValues.wrappingSubtract(1, ordering: .relaxed) }
      if left.followsGap { gaps.wrappingSubtract(1, ordering: .relaxed) }
      deliver(knowing: total, left.act)
      if !left.isChange || hasDeliveredPending { break }
    }
    hasDeliveredPending = false
    return true
  }

  /// Enqueues the addition of a member behind what is pending; returns `false` if nothing is.
  ///
  /// The caller owns the gate, and calls ``endArrival(of:)`` when the subscriber has received its subscription.
  @usableFromInline
  final func enqueue(_ member: AnyMulticastSubscription, _ add: @autoclosure () -> () -> Void) -> Bool {
    inbox.withLock { inbox in
      if !inbox.isAnythingPending { return false }
      inbox.announce(member)
      inbox.enqueue(add(), isChange: true, adding: member)
      return true
    }
  }

  override final var enqueuedCounts: EnqueuedCounts { inbox.withLock { $0.counts } }

  /// Performs a nested action, behind those that other threads have enqueued during the delivery in flight.
  @usableFromInline
  @inline(never)
  final func nest(_ act: () -> Void) {
    nest(deliverNext: { performNextAction() }, act)
  }

  // MARK: Upstreams

  package final func receive(upstream subscription: any Subscription) {
    let object = subscription._object
    let (list, number, isAsked) = inbox.withLock { inbox in
      let list = inbox.upstreams ?? SubjectUpstreams()
      inbox.upstreams = list
      return (list, list.add(object), inbox.isAsked)
    }
    // It precedes the request, because the upstream may complete in answer to that.
    if let upstream = object as? SubjectUpstream {
      upstream.keep(in: list, as: number)
    } else if number > 0 {
      list.noteSilent()
    }
    if isAsked { subscription.request(.unlimited) }
  }

  /// Requests unlimited values from the upstreams, at the first request of a member.
  package final func askUpstreams() {
    if isAsked.load(ordering: .relaxed) { return }
    let subscriptions = inbox.withLock { inbox in
      if inbox.isAsked { return [SubscriptionObject]() }
      inbox.isAsked = true
      return inbox.upstreams?.all ?? []
    }
    isAsked.store(true, ordering: .relaxed)
    for subscription in subscriptions { subscription.request(.unlimited) }
  }

  /// Whether the members' subscriptions are hot: no upstream waits for the first request, or will.
  final func isHot(isToConnect: Bool) -> Bool {
    inbox.withLock { inbox in
      let isConnected = inbox.upstreams.map { !$0.all.isEmpty } ?? false
      return isToConnect ? isConnected && inbox.isAsked : !isConnected || inbox.isAsked
    }
  }

  /// The outermost gate that a thread has entered on the way to a member, or its turn with the detached member.
  final func outermostGate(of thread: UInt, before member: AnyMulticastSubscription) -> _Gated? {
    let isOwner = gate.isOwned(by: thread)
    if isOwner, detached.count == 0 { return outermostGate(of: thread) }
    // The owner can be nested in its turn.
    return inbox.withLock { $0.turns.find(member, of: thread) } ?? outermostGate(of: thread)
  }

  /// The outermost gate that this thread has entered on the way to the members.
  final func outermostGate(of thread: UInt) -> _Gated? {
    // Two subjects that send to each other are upstreams of each other.
    guard gate.isOwned(by: thread), !isSearched else { return nil }
    isSearched = true
    defer { isSearched = false }
    return inbox.withLock { $0.upstreams }?.outermostGate(of: thread) ?? self
  }
}
