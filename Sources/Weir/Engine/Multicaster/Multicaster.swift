/// One delivery to many subscribers, each with its own demand: behind every subject.
///
/// With a history, each member receives the values at its own pace, and the completion after them.
@usableFromInline
package final class Multicaster<Output, Failure: Error>: AnyMulticaster {
  @usableFromInline
  typealias Member = MulticastSubscription<Output, Failure>

  // Performance: values of a client's type are stored in objects of their own. Otherwise the `deinit` would look that
  // type up.

  // Safety: only the owner of the gate accesses it. No access lasts while user code runs. (`MulticasterTests`,
  // `Threads/subject`)
  @usableFromInline
  @exclusivity(unchecked)
  var sent: SentCompletion<Failure>?

  /// The value that a member receives at its request; `nil` if there is none.
  @usableFromInline
  let latest: MulticastLatest<Output>?

  /// The values that each member receives at its own pace; `nil` if they are not kept.
  @usableFromInline
  let history: MulticastHistory<Output>?

  @inlinable
  init(_ name: StaticString) {
    latest = nil
    history = nil
    super.init(name, replays: false, historySize: -1, tell: Self.tell)
  }

  @inlinable
  init(_ name: StaticString, replaying latest: Output) {
    self.latest = MulticastLatest(latest)
    history = nil
    super.init(name, replays: true, historySize: -1, tell: Self.tell)
  }

  @inlinable
  package init(_ name: StaticString, keeping historySize: Int) {
    latest = nil
    history = MulticastHistory()
    super.init(name, replays: true, historySize: historySize, tell: Self.tell)
  }

  // Safety: `tell` receives only members of this hub. (`MulticasterTests`)
  @inlinable
  static func tell(_ member: AnyMulticastSubscription, _ action: AnyMulticastSubscription.Action) {
    _unsafeUncheckedDowncast(member, to: Member.self).perform(action)
  }

  @inlinable
  var completion: Subscribers.Completion<Failure>? { sent?.completion }

  // MARK: From outside

  @inlinable
  @inline(__always)
  package func send(_ value: Output) {
    switch gate.enter() {
    case .acquired:
      deliver(value)
      leave()
    case .reentrant: sendNested(value)
    case .contended: sendContended(value)
    }
  }

  // Performance: these are out of line, so that the usual path of a value stays short.

  @inlinable
  @inline(never)
  func sendNested(_ value: Output) {
    if catchUpDepth > 0, !canNest { return sendContended(value) }
    nest { deliver(value) }
  }

  @inlinable
  @inline(never)
  func sendContended(_ value: Output) {
    let (turn, displaced) = put(valueDelivery: { self.deliver(value) })
    take(turn) { deliver(value) }
    if displaced != nil, !replays { dropped(value) }
  }

  @inlinable
  package func send(completion: Subscribers.Completion<Failure>) {
    post { self.complete(completion) }
  }

  /// Sends a subscriber its subscription, and adds it to the members.
  ///
  /// The subscription retains the subject.
  @inlinable
  package func attach(_ downstream: consuming Downstream<Output, Failure>, of subject: AnyObject? = nil) {
    if gate.isOwned(by: currentThread()) { return attachNested(downstream, of: subject) }
    let (begin, takesScalars) = (downstream.begin, downstream.face.takesScalars)
    let member = Member(self, of: subject, downstream)
    assertNoLockIsHeld()
    if detach(new: member) { begin(member) } else { begin(EmptySubscription(_isScalar: takesScalars)) }
    rejoin(member)
  }

  /// Adds a subscriber during a delivery on this thread.
  ///
  /// It receives the current value or the history immediately, because a program can read them so, and then what is
  /// pending. If nothing is replayed, it receives nothing that other threads have sent before.
  @inlinable
  @inline(never)
  func attachNested(_ downstream: consuming Downstream<Output, Failure>, of subject: AnyObject?) {
    if isComplete, !keepsHistory { return turnAway(downstream) }
    let begin = downstream.begin
    let member = Member(self, of: subject, downstream)
    introduce(member)
    let isEnqueued = replayed == 0 && enqueue(member, { self.joinBehindPending(member) })
    if !isEnqueued { add(member) }
    depth += 1
    assertNoLockIsHeld()
    let wasBusy = beginSingle(member)
    begin(member)
    endJoin(member, wasBusy: wasBusy)
    if isEnqueued { endArrival(of: member) }
  }

  /// Adds a member behind what was pending when its subscriber came in a delivery.
  @inlinable
  func joinBehindPending(_ member: Member) {
    if keepsHistory { skipOlder(for: member) }
    joinLate(member)
  }

  /// Delivers to a member what it is due at its request.
  @inlinable
  @inline(never)
  func serve(_ member: Member) {
    if gate.isOwned(by: currentThread()) { return member.deliverLatest() }
    while true {
      var value: Output?
      guard let isNested = serve(member, { value = takeDue(for: member) }) else { return }
      if let value {
        // As in `replayHistory(isNew:)`, the running loop serves re-entrant requests.
        member.isFollowing = true
        deliver(value, toDetached: member)
        member.isFollowing = false
      }
      if !isNested { return rejoin(member) }
      if !keepsHistory, member.isUnlimited { return }
    }
  }

  /// Counts the next value that a member is due as delivered, and returns it.
  @inlinable
  func takeDue(for member: Member) -> Output? {
    guard member.takeOne() else { return nil }
    if let latest {
      member.saw(version)
      member.served = version
      return latest.value
    }
    let next = member.nextVersion
    member.seen = next
    return history?.values[next - oldestKept]
  }

  @inlinable
  func deliver(_ value: Output, toDetached member: Member) {
    if member.isTerminated { return }
    let more = member.deliver(value)
    if more != .none { member.addReturned(more) }
  }

  /// Keeps the values that a detached member is due for the thread that is delivering to it.
  @inlinable
  func keepDue(for member: Member) {
    while isDue(member), let next = takeDue(for: member) { enqueue(next, for: member) }
  }

  /// Keeps a value for the thread that is delivering to a detached member.
  @inlinable
  func enqueue(_ value: Output, for member: Member) {
    detached.enqueue(Work(run: { self.deliver(value, toDetached: member) }), for: member)
  }

  // MARK: For the gate's owner

  /// Adds a member whose subscriber has received it already.
  @inlinable
  func joinLate(_ member: Member) {
    if member.isTerminated { return drop(member) }
    introduce(member)
    add(member)
    depth += 1
    endJoin(member, wasBusy: beginSingle(member))
  }

  @inlinable
  func turnAway(_ downstream: consuming Downstream<Output, Failure>) {
    if let completion { Downstream.complete(downstream, with: completion) }
  }

  /// Delivers what the member has missed.
  @inlinable
  func endJoin(_ member: Member, wasBusy: Bool) {
    if keepsHistory {
      member.replayHistory()
    } else if isComplete {
      member.completeLate()
    } else if replays {
      member.deliverLatest()
    }
    endSingle(member, wasBusy: wasBusy)
    endDelivery()
  }

  @inlinable
  @inline(__always)
  package func deliver(_ value: Output) {
    if isComplete { return }
    if replays { return deliverAndKeep(value) }
    deliverToAll(value)
  }

  @inlinable
  @inline(__always)
  func deliverToAll(_ value: Output) {
    let known = beginDelivery()
    // Safety: `members` retains the only member, and does not change during a delivery. (`SubjectTests`,
    // `MulticasterTests`)
    if let onlyMember {
      onlyMember._withUnsafeGuaranteedRef { typed($0).offer(value, version: known) }
    } else if needsCleanup {
      deliverToPlaces(value, version: known)
    } else {
      deliverToMembers(value, version: known)
    }
    if needsCleanup { deliverToAdded(value, version: known) }
    endDelivery()
  }

  // Safety: only `attach(_:of:)` and `attachNested(_:of:)` make members of this hub, and both make them of this type.
  // (`MulticasterTests`)
  @inlinable
  @inline(__always)
  func typed(_ member: AnyMulticastSubscription) -> Member { _unsafeUncheckedDowncast(member, to: Member.self) }

  // Safety: `members` does not change during a delivery, and retains its elements. An unmanaged reference has the
  // layout of a reference, and retains nothing. (`SubjectTests`, `MulticasterTests`)
  @inlinable
  func deliverToMembers(_ value: Output, version known: Int) {
    members.places.withUnsafeBufferPointer { members in
      members.withMemoryRebound(to: Unmanaged<AnyMulticastSubscription>?.self) { members in
        for member in members {
          member?._withUnsafeGuaranteedRef { typed($0).offer(value, version: known) }
        }
      }
    }
  }

  /// Delivers a nested value to members that joined during the delivery in flight.
  @inlinable
  func deliverToAdded(_ value: Output, version: Int) {
    withEachAdded(before: version) { $0.offer(value, version: version) }
    withEachUnplaced(before: version) { member, isFree in offer(value, version: version, to: member, isFree: isFree) }
  }

  /// Delivers a value in the order of the list while members may be detached.
  @inlinable
  @inline(never)
  func deliverToPlaces(_ value: Output, version: Int) {
    withEachPlace { member, isFree in offer(value, version: version, to: member, isFree: isFree) }
  }

  /// Delivers a value to a member, or keeps it for the thread that is delivering to the detached one.
  @inlinable
  func offer(_ value: Output, version: Int, to member: Member, isFree: Bool) {
    if isFree { return member.offer(value, version: version) }
    switch member.admit(version) {
    case .always, .once: enqueue(value, for: member)
    case .never: member.dropped(value)
    case .notAgain: break
    }
  }

  @inlinable
  @inline(never)
  func complete(_ completion: Subscribers.Completion<Failure>) {
    if isComplete { return Reports.late(completion) }
    isComplete = true
    sent = SentCompletion(completion)
    if keepsHistory { return letMembersFollow() }
    depth += 1
    // A thread that is delivering to a detached member completes it.
    withEachMember { member, isFree in if isFree { member.complete(completion) } }
    discardAll()
    endDelivery()
  }

  /// Calls each member, including those that join during the calls.
  ///
  /// The second argument is `false` for a detached member, unless this thread delivers to it and nothing is pending.
  @inlinable
  func withEachMember(_ act: (Member, Bool) -> Void) {
    withEachPlace(act)
    withEachAdded { act($0, true) }
    withEachUnplaced(act)
  }

  /// Calls each member that has come during the delivery in flight, including those that come during the calls.
  ///
  /// With a version, it calls those that came before that value was sent.
  @inlinable
  func withEachAdded(before version: Int = .max, _ act: (Member) -> Void) {
    guard let deferredChanges else { return }
    deferredChanges.loopCount += 1
    var index = 0
    while index < deferredChanges.added.count {
      let place = deferredChanges.added[index]
      if place.version < version, let member = place.member {
        let wasBusy = beginSingle(member)
        act(typed(member))
        endSingle(member, wasBusy: wasBusy)
      }
      index += 1
    }
    deferredChanges.loopCount -= 1
  }

  /// The same for each detached member that has no place in the list yet, because it came during a delivery.
  @inlinable
  func withEachUnplaced(before version: Int = .max, _ act: (Member, Bool) -> Void) {
    guard let deferredChanges else { return }
    var index = 0
    while index < deferredChanges.unplaced.count {
      let place = deferredChanges.unplaced[index]
      if place.version < version, let member = place.member { act(typed(member), isFree(member)) }
      index += 1
    }
  }

  /// Calls each member that has a place in the list, which doesn't change meanwhile.
  @inlinable
  func withEachPlace(_ act: (Member, Bool) -> Void) {
    var index = 0
    while index < members.count {
      if let member = members[index] {
        act(typed(member), true)
      } else if let member = detached.find(at: index) {
        act(typed(member), isFree(member))
      }
      index += 1
    }
  }

  // MARK: For those that replay

  // Performance: out of line, so that a subject that replays nothing doesn't pay in code size.
  @inlinable
  @inline(never)
  func deliverAndKeep(_ value: Output) {
    if let latest {
      // The replaced value is released last, because its `deinit` can send a newer value.
      let replaced = latest.replace(value)
      deliverToAll(value)
      return withExtendedLifetime(replaced) {}
    }
    guard let history else { return }
    history.values.append(value)
    keptCount &+= 1
    version &+= 1
    letMembersFollow()
    // Releasing a value can run a `deinit` that sends and re-enters this method. Invariant: the state is consistent
    // here.
    while depth == 0, keptCount > historySize, let dropped = history.values.popFirst() {
      keptCount &-= 1
      withExtendedLifetime(dropped) {}
    }
    // A member that had no demand for a dropped value may be due the completion now.
    if isComplete, depth == 0 { letMembersFollow() }
  }

  /// Makes a value the latest one again, although newer ones were delivered inside its delivery.
  ///
  /// A member that has received it and none of those doesn't receive it again.
  @usableFromInline
  @inline(never)
  func putBack(_ value: Output, of older: Int) {
    markSeen(after: older)
    withExtendedLifetime(latest?.replace(value)) {}
  }

  /// Has all members deliver new values.
  @inlinable
  func letMembersFollow() {
    depth += 1
    withEachMember { member, isFree in
      // A value behind older ones that are due is kept, because the history drops them.
      if member.hasJoined || isFree && (!member.isFollowing || member.seen >= version - 1) {
        member.replayHistory(isNew: true)
      } else {
        keepDue(for: member)
      }
    }
    endDelivery()
  }
}

/// The completion that a multicaster has sent.
@usableFromInline
final class SentCompletion<Failure: Error> {
  @usableFromInline
  let completion: Subscribers.Completion<Failure>

  @inlinable
  init(_ completion: Subscribers.Completion<Failure>) {
    self.completion = completion
  }
}

/// The latest value of a multicaster that replays it.
///
/// Performance: apart from the history. A debug build looks up six types to create and to release an empty history.
@usableFromInline
final class MulticastLatest<Output> {
  // Safety: only the owner of the multicaster's gate accesses it. No access lasts while user code runs: a replaced
  // value is moved out, and released afterwards. (`MulticasterTests`, `Reentry/multicast-of-a-current-value`)
  @usableFromInline
  @exclusivity(unchecked)
  var value: Output

  @inlinable
  init(_ value: Output) {
    self.value = value
  }

  /// Sets the value, and returns the previous one.
  @inlinable
  func replace(_ value: Output) -> Output {
    var replaced = value
    swap(&self.value, &replaced)
    return replaced
  }
}

/// The last values of a multicaster that keeps some.
@usableFromInline
final class MulticastHistory<Output> {
  // Safety: only the owner of the multicaster's gate accesses it. No access lasts while user code runs: a dropped value
  // is moved out, and released afterwards. (`MulticasterTests`)
  /// The values.
  ///
  /// There are more of them during a delivery, so that no member misses one in flight.
  @usableFromInline
  @exclusivity(unchecked)
  var values = CircularBuffer<Output>()

  @inlinable
  init() {}
}
