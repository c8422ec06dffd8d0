public import Synchronization

/// One delivery to many subscribers, each with its own demand: behind every subject.
///
/// Who owns the gate owns the list of members, so a delivery walks it without a lock and without retaining anyone. Events
/// that come from another thread meanwhile wait in the inbox; a send from inside a delivery goes out nested, at once.
/// The list does not change while it is walked: who joins then stands in `newcomers`, who leaves is only marked.
///
/// One that keeps a history lets each member follow it at the member's own pace, the completion last.
@usableFromInline
package final class Multicaster<Output, Failure: Error>: MulticastHub {
  @usableFromInline
  typealias Member = MulticastMember<Output, Failure>

  /// What waits for the owner.
  @usableFromInline
  enum Event {
    case value(Output)
    case completion(Subscribers.Completion<Failure>)
    case join(Member)
    case leave(Member)
    case catchUp(Member)
    case dissolve
  }

  @usableFromInline
  let gate = Gate()

  @usableFromInline
  let inbox = Locked<[Event]>([])

  // The gate's owner alone touches these.
  @usableFromInline
  @exclusivity(unchecked)
  var members: ContiguousArray<Member?> = []

  /// The only member there is, without a count of references: the list keeps it.
  @usableFromInline
  @exclusivity(unchecked)
  var solo: Unmanaged<Member>?

  @usableFromInline
  @exclusivity(unchecked)
  var newcomers: ContiguousArray<Member> = []

  /// How many of `members` have left.
  @usableFromInline
  @exclusivity(unchecked)
  var gone = 0

  /// How many deliveries of this thread are under way, one inside the other.
  @usableFromInline
  @exclusivity(unchecked)
  var depth = 0

  /// Members that left in the middle of a delivery and are let go of after it.
  @usableFromInline
  @exclusivity(unchecked)
  var leaving: ContiguousArray<Member> = []

  /// There are newcomers, or members that have left.
  @usableFromInline
  @exclusivity(unchecked)
  var isUntidy = false

  @usableFromInline
  @exclusivity(unchecked)
  var completion: Subscribers.Completion<Failure>?

  /// The value that a member gets when it asks, if it has not had it: always `nil` where nothing is replayed.
  @usableFromInline
  @exclusivity(unchecked)
  var latest: Output?

  @usableFromInline
  @exclusivity(unchecked)
  var version = 0

  @usableFromInline
  let replays: Bool

  /// How many values are kept for who comes later or lags behind; -1 where no history is kept.
  @usableFromInline
  let historySize: Int

  /// The last values.
  ///
  /// They are more than that while a delivery is under way, so that nobody misses one that is on its way.
  @usableFromInline
  @exclusivity(unchecked)
  var history = Fifo<Output>()

  /// The subscriptions of a subject's own upstreams, and whether anyone has asked for values yet.
  @usableFromInline
  let upstreams = Locked<(subscriptions: [any Subscription], isAsked: Bool)>(([], false))

  @usableFromInline
  let isAsked = Atomic<Bool>(false)

  @inlinable
  init(_ name: StaticString, replaying latest: Output? = nil) {
    self.latest = latest
    replays = latest != nil
    historySize = -1
    super.init(name)
  }

  @inlinable
  package init(_ name: StaticString, keeping historySize: Int) {
    replays = true
    self.historySize = historySize
    super.init(name)
  }

  deinit {
    for subscription in upstreams.withLock({ $0.subscriptions }) { subscription.cancel() }
  }

  // MARK: From outside

  @inlinable
  @inline(__always)
  package func send(_ value: Output) {
    useTurn(takeTurn(for: .value(value))) { deliver(value) }
  }

  @inlinable
  package func send(completion: Subscribers.Completion<Failure>) {
    post(.completion(completion))
  }

  @inlinable
  func post(_ event: Event) {
    useTurn(takeTurn(for: event)) { handle(event) }
  }

  /// Takes a value's place in the order, fit to be done under a lock; the result delivers it, with no lock held.
  ///
  /// So who keeps the latest value beside the delivery keeps the one that is sent last.
  package func place(_ value: Output) -> () -> Void {
    let turn = takeTurn(for: .value(value))
    return { [self] in useTurn(turn) { deliver(value) } }
  }

  /// The first half: takes the gate, or leaves the event for its owner.
  ///
  /// Fit to be done under a lock.
  @inlinable
  @inline(__always)
  func takeTurn(for event: @autoclosure () -> Event) -> Gate.Entry {
    let entry = gate.enter()
    if case .busy = entry { inbox.withLock { $0.append(event()) } }
    return entry
  }

  /// The second half, with no lock held.
  @inlinable
  @inline(__always)
  func useTurn(_ entry: Gate.Entry, _ act: () -> Void) {
    switch entry {
    case .entered:
      act()
      leave()
    case .nested:
      act()
    case .busy:
      if gate.knock() { drain() }
    }
  }

  /// Takes in a subscriber: it is registered first and gets its subscription then, both before any other event.
  @inlinable
  package func attach(_ downstream: Downstream<Output, Failure>) {
    switch gate.enter() {
    case .entered:
      join(downstream)
      leave()
    case .nested:
      join(downstream)
    case .busy:
      // Not a member yet, so nothing else can reach the subscriber while it gets its subscription here.
      let member = Member(self, downstream)
      member.announce()
      post(.join(member))
    }
  }

  @inlinable
  func join(_ downstream: Downstream<Output, Failure>) {
    if let completion, !keepsHistory {
      downstream.receive(emptyWith: completion)
    } else {
      join(Member(self, downstream), announcing: true)
    }
  }

  @inlinable
  package func receive(upstream subscription: any Subscription) {
    let isAsked = upstreams.withLock { upstreams in
      upstreams.subscriptions.append(subscription)
      return upstreams.isAsked
    }
    if isAsked { subscription.request(.unlimited) }
  }

  /// A member has asked for values: the first time, the upstreams are asked too.
  @inlinable
  package func askUpstreams() {
    let subscriptions = upstreams.withLock { upstreams in
      if upstreams.isAsked { return [any Subscription]() }
      upstreams.isAsked = true
      return upstreams.subscriptions
    }
    isAsked.store(true, ordering: .relaxed)
    for subscription in subscriptions { subscription.request(.unlimited) }
  }

  // MARK: History, for the gate's owner

  @inlinable
  var keepsHistory: Bool { historySize >= 0 }

  /// The version of the oldest value that is kept; the next one's if none is.
  @inlinable
  var oldestKept: Int { version - history.count + 1 }

  // Out of line, so that a subject without a history doesn't get longer.
  @inlinable
  @inline(never)
  func deliverAndKeep(_ value: Output) {
    history.append(value)
    version &+= 1
    letMembersFollow()
    // A value that goes may send, and comes here again: nothing is half done when it goes.
    while depth == 0, history.count > historySize, let dropped = history.popFirst() {
      withExtendedLifetime(dropped) {}
    }
  }

  /// Tells all members of something new.
  @inlinable
  func letMembersFollow() {
    depth += 1
    var index = 0
    while index < members.count {
      members[index]?.follow(isNew: true)
      index += 1
    }
    index = 0
    while index < newcomers.count {
      newcomers[index].follow(isNew: true)
      index += 1
    }
    depth -= 1
    tidyIfNeeded()
  }

  // MARK: For the gate's owner

  @inlinable
  @inline(__always)
  func deliver(_ value: Output) {
    if completion != nil { return }
    // What the value takes the place of goes at the end: if that sends, it sends something newer.
    var replaced: Output?
    if replays {
      if keepsHistory { return deliverAndKeep(value) }
      replaced = value
      swap(&latest, &replaced)
    }
    version &+= 1
    depth &+= 1
    let known = version
    if let solo {
      solo._withUnsafeGuaranteedRef { $0.offer(value, version: known) }
    } else {
      deliverToMembers(value, version: known)
    }
    if isUntidy { deliverToNewcomers(value, version: known) }
    depth &-= 1
    tidyIfNeeded()
    withExtendedLifetime(replaced) {}
  }

  @inlinable
  func deliverToMembers(_ value: Output, version known: Int) {
    members.withUnsafeBufferPointer { members in
      // The list keeps its members while it is walked: an unmanaged reference has the same layout and retains nobody.
      members.withMemoryRebound(to: Unmanaged<Member>?.self) { members in
        for member in members {
          member?._withUnsafeGuaranteedRef { $0.offer(value, version: known) }
        }
      }
    }
  }

  /// Who joined inside a delivery that is still under way gets what is sent from inside it afterwards.
  @inlinable
  func deliverToNewcomers(_ value: Output, version: Int) {
    var index = 0
    while index < newcomers.count {
      let member = newcomers[index]
      if member.joinedAt < version { member.offer(value, version: version) }
      index += 1
    }
  }

  @inlinable
  @inline(__always)
  func leave() {
    if !gate.leave() { drain() }
  }

  @inlinable
  func drain() {
    repeat {
      let events = inbox.withLock { inbox in
        var events: [Event] = []
        swap(&events, &inbox)
        return events
      }
      for event in events { handle(event) }
    } while !gate.leave()
  }

  @inlinable
  func handle(_ event: Event) {
    switch event {
    case .value(let value): deliver(value)
    case .completion(let completion): complete(completion)
    case .join(let member): join(member, announcing: false)
    case .leave(let member): remove(member)
    case .catchUp(let member): member.catchUp()
    case .dissolve: dissolve()
    }
  }

  @inlinable
  func join(_ member: Member, announcing: Bool) {
    if !announcing, member.isOver { return member.release() }
    member.joinedAt = version
    if depth == 0 {
      list(member)
      noteSolo()
    } else {
      newcomers.append(member)
      isUntidy = true
    }
    depth += 1
    if keepsHistory { member.seen = version - min(history.count, historySize) }
    if announcing { member.announce() }
    if keepsHistory {
      member.follow()
    } else if let completion {
      member.complete(completion)
      leaving.append(member)
      isUntidy = true
    } else if replays {
      member.catchUp()
    }
    depth -= 1
    tidyIfNeeded()
  }

  @inlinable
  func complete(_ completion: Subscribers.Completion<Failure>) {
    if self.completion != nil { return Reports.late(completion) }
    self.completion = completion
    if keepsHistory { return letMembersFollow() }
    depth += 1
    var index = 0
    while index < members.count {
      members[index]?.complete(completion)
      index += 1
    }
    index = 0
    while index < newcomers.count {
      newcomers[index].complete(completion)
      index += 1
    }
    leaving.append(contentsOf: members.lazy.compactMap { $0 })
    leaving.append(contentsOf: newcomers)
    isUntidy = true
    depth -= 1
    tidyIfNeeded()
  }

  /// Lets go of all members without a word, because nobody is left who could send.
  ///
  /// Else they and this would keep each other until they are cancelled.
  @usableFromInline
  func dissolve() {
    leaving.append(contentsOf: members.lazy.compactMap { $0 }.filter { $0.end() })
    leaving.append(contentsOf: newcomers.filter { $0.end() })
    isUntidy = true
    tidyIfNeeded()
  }

  @inlinable
  func remove(_ member: Member) {
    // One that is still on its way in is let go of when it arrives.
    if !member.hasJoined { return }
    if depth > 0 {
      isUntidy = true
      return leaving.append(member)
    }
    unlist(member)
    compact()
    // What a user's value or closure does when it goes may come back here: nothing is half done when it goes.
    member.release()
  }

  @inlinable
  @inline(__always)
  func tidyIfNeeded() {
    if isUntidy, depth == 0 { tidy() }
  }

  /// Brings the list up to date when no delivery walks it any more.
  @inlinable
  func tidy() {
    isUntidy = false
    var released: ContiguousArray<Member> = []
    swap(&released, &leaving)
    for member in newcomers { list(member) }
    newcomers.removeAll()
    for member in released { unlist(member) }
    compact()
    for member in released { member.release() }
  }

  @inlinable
  func list(_ member: Member) {
    member.index = members.count
    members.append(member)
  }

  @inlinable
  func unlist(_ member: Member) {
    let index = member.index
    if index < 0 { return }
    members[index] = nil
    member.index = -1
    gone += 1
  }

  /// Closes the gaps at the end, and all of them when there are more gaps than members.
  @inlinable
  func compact() {
    while let last = members.last, last == nil {
      members.removeLast()
      gone -= 1
    }
    if members.isEmpty, members.capacity > 16 { members = [] }
    if gone > members.count / 2 {
      members.removeAll { $0 == nil }
      gone = 0
      for (index, member) in members.enumerated() { member?.index = index }
    }
    noteSolo()
  }

  @inlinable
  @inline(__always)
  func noteSolo() {
    solo = members.count == 1 ? members[0].map { .passUnretained($0) } : nil
  }
}

/// The part of a multicaster that its members know, whatever the types.
@usableFromInline
package class MulticastHub: CustomStringConvertible {
  @usableFromInline
  final let name: StaticString

  @usableFromInline
  package final var description: String { name.description }

  @inlinable
  init(_ name: StaticString) {
    self.name = name
  }
}

/// The part of a member that knows no types: a call through `any Subscription` would run generic code unspecialised, so
/// what it does is a function formed where the types are known.
@usableFromInline
class MulticastHandle: Subscription, Described {
  @usableFromInline
  enum Action {
    case request(Subscribers.Demand)
    case cancel
  }

  @usableFromInline
  final let anyHub: MulticastHub

  @usableFromInline
  final let act: (MulticastHandle, Action) -> Void

  @inlinable
  init(_ hub: MulticastHub, act: @escaping (MulticastHandle, Action) -> Void) {
    anyHub = hub
    self.act = act
  }

  @usableFromInline
  final var description: String { anyHub.description }

  @usableFromInline
  var reflected: [Mirror.Child] { [] }

  @usableFromInline
  final func request(_ demand: Subscribers.Demand) {
    demand.requirePositive()
    act(self, .request(demand))
  }

  @usableFromInline
  final func cancel() {
    act(self, .cancel)
  }
}

/// One subscriber of a multicaster.
@usableFromInline
final class MulticastMember<Output, Failure: Error>: MulticastHandle {
  /// What has been asked for and not been delivered; the sign bit once cancelled or completed.
  @usableFromInline
  let demand = Atomic<Int>(0)

  // Safety: only the owner of the hub's gate accesses the five properties below. The gate admits one thread, and nested calls
  // of that thread find each of them between two accesses, never in the middle of one. (MulticasterTests, Tests/Safety)

  /// `nil` once the member has left the list and no delivery is in flight.
  @usableFromInline
  @exclusivity(unchecked)
  var downstream: BorrowedDownstream<Output, Failure>?

  /// Where it stands in the list of members; -1 when it does not.
  @usableFromInline
  @exclusivity(unchecked)
  var index = -1

  /// The version of the value that was the latest when it joined.
  @usableFromInline
  @exclusivity(unchecked)
  var joinedAt = Int.max

  /// The version of the value that it has had.
  @usableFromInline
  @exclusivity(unchecked)
  var seen = -1

  /// It is getting what it has not had of a history.
  @usableFromInline
  @exclusivity(unchecked)
  var isFollowing = false

  @inlinable
  init(_ hub: Multicaster<Output, Failure>, _ downstream: Downstream<Output, Failure>) {
    self.downstream = BorrowedDownstream(downstream)
    super.init(hub) { handle, action in
      let member = unsafeDowncast(handle, to: MulticastMember.self)
      switch action {
      case .request(let demand): member.ask(demand)
      case .cancel: member.drop()
      }
    }
  }

  // Safety: the initializer takes a hub of this type, and `anyHub` never changes.
  @inlinable
  var hub: Multicaster<Output, Failure> {
    unsafeDowncast(anyHub, to: Multicaster<Output, Failure>.self)
  }

  // MARK: Downstream's side

  @inlinable
  func ask(_ demand: Subscribers.Demand) {
    if isOver { return }
    add(demand)
    if hub.replays { hub.post(.catchUp(self)) }
    if !hub.isAsked.load(ordering: .relaxed) { hub.askUpstreams() }
  }

  @inlinable
  func drop() {
    if end() { hub.post(.leave(self)) }
  }

  @inlinable
  func add(_ more: Subscribers.Demand) {
    var found = demand.load(ordering: .relaxed)
    while found >= 0, found != .max {
      let sum = more == .unlimited ? .max : (Subscribers.Demand.max(found) + more).max ?? .max
      let (done, now) = demand.compareExchange(expected: found, desired: sum, ordering: .relaxed)
      if done { return }
      found = now
    }
  }

  @inlinable
  var isOver: Bool {
    demand.load(ordering: .relaxed) < 0
  }

  /// True for the one call that ends it.
  @inlinable
  func end() -> Bool {
    demand.bitwiseOr(.min, ordering: .acquiringAndReleasing).oldValue >= 0
  }

  /// The subscriber is left out when another thread delivers.
  @usableFromInline
  override var reflected: [Mirror.Child] {
    let hub = isOver ? nil : hub
    var known: Any?
    switch hub?.gate.enter() {
    case .entered?:
      known = downstream?.shown
      hub?.leave()
    case .nested?: known = downstream?.shown
    case .busy?, nil: break
    }
    let left = demand.load(ordering: .relaxed) & .max
    return [
      ("parent", orNil(hub)), ("downstream", orNil(known)),
      ("demand", left == .max ? Subscribers.Demand.unlimited : .max(left)), ("subject", orNil(hub)),
    ]
  }

  // MARK: For the owner of the hub's gate

  @inlinable
  func announce() {
    assertNoLockIsHeld()
    downstream?.begin(self)
  }

  @inlinable
  @inline(__always)
  func deliver(_ value: Output) -> Subscribers.Demand {
    assertNoLockIsHeld()
    return downstream?.next(value) ?? .none
  }

  /// Lets go of the subscriber.
  @inlinable
  func release() {
    _ = downstream.take()
  }

  @inlinable
  var hasJoined: Bool { joinedAt != .max }

  /// Delivers a value if there is demand for it; without, the value passes this member by.
  ///
  /// One that it has had already, because it asked while the delivery was on its way to it, is left out. An older one may
  /// come after a newer one, which was sent from inside its delivery.
  @inlinable
  @inline(__always)
  func offer(_ value: Output, version: Int) {
    if seen == version { return }
    if demand.load(ordering: .relaxed) == .max {
      seen = max(seen, version)
      _ = deliver(value)
    } else if takeOne() {
      seen = max(seen, version)
      let more = deliver(value)
      if more != .none { add(more) }
    } else {
      dropped(value)
    }
  }

  /// Tells of a value that has passed this member by, unless it will get the latest when it asks.
  @usableFromInline
  @inline(never)
  func dropped(_ value: Output) {
    if hub.replays || isOver { return }
    Reports.dropped(value, by: hub.name, onTheWayTo: reflected.first { $0.label == "downstream" }?.value)
  }

  @inlinable
  func takeOne() -> Bool {
    var found = demand.load(ordering: .relaxed)
    while found > 0 {
      if found == .max { return true }
      let (done, now) = demand.compareExchange(
        expected: found, desired: found - 1, ordering: .relaxed)
      if done { return true }
      found = now
    }
    return false
  }

  /// Delivers what this member has not had of the history and asks for, and after the last value the completion.
  ///
  /// It skips what is kept no more. A request from inside is answered by the loop that is running; something new from
  /// inside goes out nested, unless something older waits for this member.
  @inlinable
  func follow(isNew: Bool = false) {
    let hub = hub
    guard hasJoined else { return }
    let wasFollowing = isFollowing
    if wasFollowing, !isNew || seen < hub.version - 1 { return }
    isFollowing = true
    hub.depth += 1
    while unseen <= hub.version, takeOne() {
      let version = unseen
      seen = version
      let more = deliver(hub.history[version - hub.oldestKept])
      if more != .none { add(more) }
    }
    if let completion = hub.completion, unseen > hub.version, !isOver {
      complete(completion)
      hub.leaving.append(self)
      hub.isUntidy = true
    }
    hub.depth -= 1
    isFollowing = wasFollowing
    hub.tidyIfNeeded()
  }

  /// The version of the next value for it: of those that are kept, the first that it has not had.
  @inlinable
  var unseen: Int { max(seen + 1, hub.oldestKept) }

  /// Delivers the latest value if this member has not had it and asks for it.
  @inlinable
  func catchUp() {
    let hub = hub
    if hub.keepsHistory { return follow() }
    guard hasJoined, hub.completion == nil, seen < hub.version, let latest = hub.latest else { return }
    hub.depth += 1
    offer(latest, version: hub.version)
    hub.depth -= 1
    hub.tidyIfNeeded()
  }

  @inlinable
  func complete(_ completion: Subscribers.Completion<Failure>) {
    if end() {
      assertNoLockIsHeld()
      downstream?.end(completion)
    }
  }
}
