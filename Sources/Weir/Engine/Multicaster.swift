public import Synchronization

/// One delivery to many subscribers, each with its own demand: behind every subject.
///
/// Who owns the gate owns the list of members, so a delivery walks it without a lock and without retaining anyone. Events
/// that come from another thread meanwhile wait in the inbox; a send from inside a delivery goes out nested, at once.
/// The list does not change while it is walked: who joins then stands in `newcomers`, who leaves is only marked.
@usableFromInline
final class Multicaster<Output, Failure: Error> {
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

  @usableFromInline
  let name: StaticString

  /// The subscriptions of a subject's own upstreams, and whether anyone has asked for values yet.
  @usableFromInline
  let upstreams = Locked<(subscriptions: [any Subscription], isAsked: Bool)>(([], false))

  @usableFromInline
  let isAsked = Atomic<Bool>(false)

  @inlinable
  init(_ name: StaticString, replaying latest: Output? = nil) {
    self.name = name
    self.latest = latest
    replays = latest != nil
  }

  deinit {
    for subscription in upstreams.withLock({ $0.subscriptions }) { subscription.cancel() }
  }

  // MARK: From outside

  @inlinable
  @inline(__always)
  func send(_ value: Output) {
    useTurn(takeTurn(for: .value(value))) { deliver(value) }
  }

  @inlinable
  func post(_ event: Event) {
    useTurn(takeTurn(for: event)) { handle(event) }
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
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    switch gate.enter() {
    case .entered:
      join(subscriber)
      leave()
    case .nested:
      join(subscriber)
    case .busy:
      // Not a member yet, so nothing else can reach the subscriber while it gets its subscription here.
      let member = MulticastSubscription(self, downstream: subscriber)
      member.body(member, .announce)
      post(.join(member))
    }
  }

  @inlinable
  func join<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
    if let completion {
      subscriber.receive(emptyWith: completion)
    } else {
      join(MulticastSubscription(self, downstream: subscriber), announcing: true)
    }
  }

  @inlinable
  func receive(upstream subscription: any Subscription) {
    let isAsked = upstreams.withLock { upstreams in
      upstreams.subscriptions.append(subscription)
      return upstreams.isAsked
    }
    if isAsked { subscription.request(.unlimited) }
  }

  /// A member has asked for values: the first time, the upstreams are asked too.
  @inlinable
  func askUpstreams() {
    let subscriptions = upstreams.withLock { upstreams in
      if upstreams.isAsked { return [any Subscription]() }
      upstreams.isAsked = true
      return upstreams.subscriptions
    }
    isAsked.store(true, ordering: .relaxed)
    for subscription in subscriptions { subscription.request(.unlimited) }
  }

  // MARK: For the gate's owner

  @inlinable
  @inline(__always)
  func deliver(_ value: Output) {
    if completion != nil { return }
    // What the value takes the place of goes at the end: if that sends, it sends something newer.
    var replaced: Output?
    if replays {
      replaced = value
      swap(&latest, &replaced)
    }
    version &+= 1
    depth += 1
    let known = version
    if let solo {
      solo._withUnsafeGuaranteedRef { $0.offer(value, version: known) }
    } else {
      deliverToMembers(value, version: known)
    }
    if !newcomers.isEmpty { deliverToNewcomers(value, version: known) }
    depth -= 1
    if depth == 0, !leaving.isEmpty || !newcomers.isEmpty { tidy() }
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
      if let joinedAt = member.joinedAt, joinedAt < version { member.offer(value, version: version) }
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
    }
  }

  @inlinable
  func join(_ member: Member, announcing: Bool) {
    if !announcing, member.isOver { return member.body(member, .release) }
    member.joinedAt = version
    if depth == 0 {
      member.index = members.count
      members.append(member)
      noteSolo()
    } else {
      newcomers.append(member)
    }
    depth += 1
    if announcing { member.body(member, .announce) }
    if let completion {
      member.complete(completion)
      leaving.append(member)
    } else if replays {
      member.catchUp()
    }
    depth -= 1
    if depth == 0 { tidy() }
  }

  @inlinable
  func complete(_ completion: Subscribers.Completion<Failure>) {
    if self.completion != nil { return }
    self.completion = completion
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
    depth -= 1
    if depth == 0 { tidy() }
  }

  @inlinable
  func remove(_ member: Member) {
    // One that is still on its way in is let go of when it arrives.
    guard member.joinedAt != nil else { return }
    leaving.append(member)
    if depth == 0 { tidy() }
  }

  /// Brings the list up to date when no delivery walks it any more.
  @inlinable
  func tidy() {
    // What a user's value or closure does when it goes may come back here: nothing is half done when they go.
    var released: ContiguousArray<Member> = []
    swap(&released, &leaving)
    if !newcomers.isEmpty {
      for member in newcomers {
        member.index = members.count
        members.append(member)
      }
      newcomers.removeAll()
    }
    for member in released {
      guard let index = member.index else { continue }
      members[index] = nil
      member.index = nil
      gone += 1
    }
    if gone == members.count {
      members.removeAll(keepingCapacity: members.count < 16)
      gone = 0
    } else if gone > members.count / 2 {
      members.removeAll { $0 == nil }
      gone = 0
      for (index, member) in members.enumerated() { member?.index = index }
    }
    noteSolo()
    for member in released { member.body(member, .release) }
  }

  @inlinable
  @inline(__always)
  func noteSolo() {
    solo = members.count == 1 ? members[0].map { .passUnretained($0) } : nil
  }
}

/// The part of a member that knows no types: a call through `any Subscription` would run generic code unspecialised, so
/// what it does is a function formed where the types are known.
@usableFromInline
class MulticastHandle: Subscription, Described {
  @usableFromInline
  enum Action {
    case cancel
    case request(Subscribers.Demand)
  }

  @usableFromInline
  final let act: (MulticastHandle, Action) -> Void

  @usableFromInline
  final let name: StaticString

  @inlinable
  init(_ name: StaticString, act: @escaping (MulticastHandle, Action) -> Void) {
    self.name = name
    self.act = act
  }

  @usableFromInline
  final var description: String { name.description }

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
///
/// It knows the values but not the subscriber, so that the multicaster need not be generic over it: `body` and `receiver`
/// are functions formed where the subscriber's type is known.
@usableFromInline
class MulticastMember<Output, Failure: Error>: MulticastHandle {
  /// What has been asked for and not been delivered; the sign bit once cancelled or completed.
  @usableFromInline
  final let demand = Atomic<Int>(0)

  @usableFromInline
  final let receiver: (MulticastMember, Output) -> Subscribers.Demand

  @usableFromInline
  final let body: (MulticastMember, Job) -> Void

  @usableFromInline
  enum Job {
    case announce
    case complete(Subscribers.Completion<Failure>)
    case release
  }

  @usableFromInline
  final let hub: Multicaster<Output, Failure>

  // The three below belong to the owner of the hub's gate.
  /// Where it stands in the list of members.
  @usableFromInline
  @exclusivity(unchecked)
  final var index: Int?

  /// The version of the value that was the latest when it joined.
  @usableFromInline
  @exclusivity(unchecked)
  final var joinedAt: Int?

  /// The version of the value that it has had.
  @usableFromInline
  @exclusivity(unchecked)
  final var seen = -1

  @inlinable
  init(
    _ hub: Multicaster<Output, Failure>, receiver: @escaping (MulticastMember, Output) -> Subscribers.Demand,
    body: @escaping (MulticastMember, Job) -> Void, act: @escaping (MulticastHandle, Action) -> Void
  ) {
    self.hub = hub
    self.receiver = receiver
    self.body = body
    super.init(hub.name, act: act)
  }

  // MARK: Downstream's side

  @inlinable
  final func ask(_ demand: Subscribers.Demand) {
    if isOver { return }
    add(demand)
    if hub.replays { hub.post(.catchUp(self)) }
    if !hub.isAsked.load(ordering: .relaxed) { hub.askUpstreams() }
  }

  @inlinable
  final func drop() {
    if end() { hub.post(.leave(self)) }
  }

  @inlinable
  final func add(_ more: Subscribers.Demand) {
    var found = demand.load(ordering: .relaxed)
    while found >= 0, found != .max {
      let sum = more == .unlimited ? .max : (Subscribers.Demand.max(found) + more).max ?? .max
      let (done, now) = demand.compareExchange(expected: found, desired: sum, ordering: .relaxed)
      if done { return }
      found = now
    }
  }

  @inlinable
  final var isOver: Bool {
    demand.load(ordering: .relaxed) < 0
  }

  /// True for the one call that ends it.
  @inlinable
  final func end() -> Bool {
    demand.exchange(.min, ordering: .acquiringAndReleasing) >= 0
  }

  // MARK: For the owner of the hub's gate

  /// Delivers a value if there is demand for it; without, the value passes this member by.
  ///
  /// One that it has had already, because it asked while the delivery was on its way to it, is left out. An older one may
  /// come after a newer one, which was sent from inside its delivery.
  @inlinable
  @inline(__always)
  final func offer(_ value: Output, version: Int) {
    if seen == version { return }
    if demand.load(ordering: .relaxed) == .max {
      seen = max(seen, version)
      _ = receiver(self, value)
    } else if takeOne() {
      seen = max(seen, version)
      let more = receiver(self, value)
      if more != .none { add(more) }
    }
  }

  @inlinable
  final func takeOne() -> Bool {
    var found = demand.load(ordering: .relaxed)
    while found > 0 {
      if found == .max { return true }
      let (done, now) = demand.compareExchange(expected: found, desired: found - 1, ordering: .relaxed)
      if done { return true }
      found = now
    }
    return false
  }

  /// Delivers the latest value if this member has not had it and asks for it.
  @inlinable
  final func catchUp() {
    guard joinedAt != nil, hub.completion == nil, seen < hub.version, let latest = hub.latest else { return }
    hub.depth += 1
    offer(latest, version: hub.version)
    hub.depth -= 1
    if hub.depth == 0, !hub.leaving.isEmpty || !hub.newcomers.isEmpty { hub.tidy() }
  }

  @inlinable
  final func complete(_ completion: Subscribers.Completion<Failure>) {
    if end() { body(self, .complete(completion)) }
  }
}

/// A member that knows its subscriber.
@usableFromInline
final class MulticastSubscription<Downstream: Subscriber>: MulticastMember<Downstream.Input, Downstream.Failure> {
  // Touched by the owner of the hub's gate, or before the hub knows this member.
  @usableFromInline
  @exclusivity(unchecked)
  var held: Held<Downstream>?

  @inlinable
  init(_ hub: Multicaster<Downstream.Input, Downstream.Failure>, downstream: Downstream) {
    held = Held(downstream)
    super.init(
      hub,
      receiver: { member, value in
        unsafeDowncast(member, to: MulticastSubscription.self).held?.receive(value) ?? .none
      },
      body: { member, job in
        let member = unsafeDowncast(member, to: MulticastSubscription.self)
        switch job {
        case .announce: member.held?.downstream.receive(subscription: member)
        case .complete(let completion): member.held?.downstream.receive(completion: completion)
        case .release: member.held = nil
        }
      },
      act: { member, action in
        let member = unsafeDowncast(member, to: MulticastSubscription.self)
        switch action {
        case .cancel: member.drop()
        case .request(let demand): member.ask(demand)
        }
      })
  }
}
