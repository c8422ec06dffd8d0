/// A member that is out of its hub's list, because a thread that doesn't own the gate is delivering to it.
struct DetachedMember {
  let member: AnyMulticastSubscription

  /// What others have sent to it meanwhile.
  private(set) var pending: Enqueued<Work>?

  fileprivate var deliverer: Deliverer

  /// The thread that delivers to it.
  ///
  ///     a subscription,                                a thread comes back,
  ///     or a request ──▶ thread ──buffers deliver──▶ offered ──or requests──▶ thread
  ///                        │                          │  ▲
  ///                        │         the owner of the ▼  │
  ///                        │       gate delivers:  draining
  ///                        ├──many events──▶ newThread ──▶ thread
  ///                        └──nothing left──▶ the list; if another thread owns the gate: joining ──▶ the list
  fileprivate enum Deliverer {
    /// A thread that doesn't own the gate.
    case thread(UInt)
    /// The owner of the gate, until a thread takes the member.
    case offered
    /// The same, while that delivers what is pending.
    case draining
    /// The owner of the gate, which adds it to the list behind what is pending.
    case joining
    /// A thread that is started for it.
    case newThread
  }

  fileprivate init(_ member: AnyMulticastSubscription, by thread: UInt) {
    self.member = member
    deliverer = .thread(thread)
  }

  fileprivate var isAnythingPending: Bool { (pending?.events.count ?? 0) > 0 }

  fileprivate mutating func enqueue(_ work: Work) {
    Enqueued.filling(&pending).events.append(work)
  }

  fileprivate mutating func next() -> Work? { pending?.events.popFirst() }
}

/// The detached members of a hub.
///
/// A thread that subscribes, or that requests values from before its request, detaches its member, and delivers to it
/// alone: first the subscription or the older values, then what others have sent meanwhile. If it owned the gate, it
/// would deliver what other threads send to members that have nothing to do with it. In Combine, a thread that only
/// subscribes or requests delivers nothing of that.
@usableFromInline
struct DetachedMembers {
  // Performance: the first one is apart from the others, because there is rarely more than one, and an array costs 700
  // instructions. The methods are `mutating`, because a call of any other one on the hub's property copies it.

  private var first: DetachedMember?

  private var others: ContiguousArray<DetachedMember> = []

  @usableFromInline
  private(set) var count = 0

  /// Whether something may be pending for one of them.
  private var isPending = false

  @usableFromInline
  subscript(index: Int) -> AnyMulticastSubscription {
    if index == 0, let first { return first.member }
    return others[index - 1].member
  }

  fileprivate mutating func insert(_ member: AnyMulticastSubscription, by thread: UInt) {
    if count == 0 {
      first = DetachedMember(member, by: thread)
    } else {
      others.append(DetachedMember(member, by: thread))
    }
    count += 1
  }

  /// Removes a member; the caller releases the result when no lock is held.
  fileprivate mutating func remove(_ member: AnyMulticastSubscription) -> DetachedMember? {
    var removed: DetachedMember?
    if first?.member === member {
      swap(&removed, &first)
      if count > 1 { first = others.removeFirst() }
    } else if let index = others.firstIndex(where: { $0.member === member }) {
      removed = others.remove(at: index)
    } else {
      return nil
    }
    count -= 1
    if count == 0 { isPending = false }
    return removed
  }

  // Performance: what is asked for is returned, not the entry, which would be retained.

  /// Returns the thread that delivers to a member, if it is detached.
  fileprivate mutating func deliverer(of member: AnyMulticastSubscription) -> DetachedMember.Deliverer? {
    if count == 0 { return nil }
    return first?.member === member ? first?.deliverer : others.first { $0.member === member }?.deliverer
  }

  fileprivate mutating func isAnythingPending(for member: AnyMulticastSubscription) -> Bool {
    if !isPending { return false }
    return first?.member === member
      ? first?.isAnythingPending == true : others.contains { $0.member === member && $0.isAnythingPending }
  }

  /// Returns the member whose place in the list this is.
  @usableFromInline
  mutating func find(at index: Int) -> AnyMulticastSubscription? {
    if count == 0 { return nil }
    if let first, first.member.index == Int32(index) { return first.member }
    return others.first { $0.member.index == Int32(index) }?.member
  }

  /// Changes the entry of a member, if it is detached.
  private mutating func change<Result>(
    _ member: AnyMulticastSubscription, _ act: (inout DetachedMember) -> Result
  ) -> Result? {
    if var found = first, found.member === member {
      defer { first = found }
      return act(&found)
    }
    guard let index = others.firstIndex(where: { $0.member === member }) else { return nil }
    return act(&others[index])
  }

  fileprivate mutating func set(_ deliverer: DetachedMember.Deliverer, of member: AnyMulticastSubscription) {
    _ = change(member) { $0.deliverer = deliverer }
  }

  /// Makes this thread deliver to a member; returns whether that is detached.
  fileprivate mutating func take(_ member: AnyMulticastSubscription) -> Bool {
    change(member) { $0.deliverer = .thread(currentThread()) } != nil
  }

  /// Keeps an event for the thread that is delivering to the member.
  @usableFromInline
  mutating func enqueue(_ work: Work, for member: AnyMulticastSubscription) {
    isPending = true
    _ = change(member) { $0.enqueue(work) }
  }

  fileprivate mutating func next(for member: AnyMulticastSubscription) -> Work? {
    isPending ? change(member) { $0.next() } ?? nil : nil
  }
}

/// What a thread does next for a member that it has detached.
private enum DetachedStep {
  /// Nothing: the member is in the list, or the owner of the gate adds it or delivers to it.
  case leave
  /// The same, after the buffers that wait for the turn have delivered.
  case leaveTurn(_Gated)
  /// Deliver what is pending, and ask for the next step.
  case deliver(Work)
  /// Deliver what the member is due, and ask for the next step.
  case serve
  /// Have the buffers that wait for the turn deliver, take the member back, and ask for the next step.
  case offer(_Gated)
  /// Leave what is pending to another thread.
  case handOver
  /// Complete the member, and ask for the next step.
  case complete
  /// Release the terminated member with what is pending for it.
  case release(DetachedMember?)
  /// Release the terminated member, unless the owner of the gate has begun to add it.
  case withdraw
}

// Safety: under the lock of the inbox, a thread owns the gate without being asked to deliver (`put(_:)`), and it runs
// no user code. So these methods access what belongs to the owner of the gate. (`SubscribingThreadTests`)

extension AnyMulticaster {
  /// Performs an action without user code as the owner of the gate, unless another thread is delivering.
  final func whileIdle(_ act: () -> Void) {
    if gate.isOwned(by: currentThread()) { return act() }
    inbox.withLock { _ in
      guard case .acquired = gate.enter() else { return }
      act()
      _ = gate.leave()
    }
  }

  /// Detaches a member that is about to receive its subscription; returns `false` if the hub has completed.
  ///
  /// If another thread delivers, that one detaches the member, before it delivers what is sent in the subscription.
  @usableFromInline
  final func detach(new member: AnyMulticastSubscription) -> Bool {
    let thread = currentThread()
    var isAdmitted = true
    inbox.withLock { inbox in
      // Performance: this is cheaper than the general entry, and usually no thread delivers.
      if case .acquired = gate.enter() {
      } else if !enter(&inbox, toAdd: member, orLater: { self.detach(late: member, by: thread) }) {
        inbox.announce(member)
        return
      }
      isAdmitted = !isComplete || keepsHistory
      if isAdmitted {
        introduce(member)
        detach(member, by: thread)
      }
      _ = gate.leave()
    }
    return isAdmitted
  }

  /// Detaches a member that is receiving its subscription on a thread that doesn't own the gate.
  private final func detach(late member: AnyMulticastSubscription, by thread: UInt) {
    if isComplete, !keepsHistory { return }
    introduce(member)
    if depth == 0 {
      detach(member, by: thread)
    } else {
      detached.insert(member, by: thread)
      deferring().reserve(member, at: version)
    }
    if replays, isDue(member) { tell(member, .keepDue) }
  }

  /// Delivers to a detached member what it is due and what others have sent, and adds it to the list.
  ///
  /// Nothing waits for a thread that was started for this, so that one delivers any number of events.
  @usableFromInline
  final func rejoin(_ member: AnyMulticastSubscription, onOwnThread isOwnThread: Bool = false) {
    var allowance = HandOver.limit
    while true {
      var step = DetachedStep.leave
      inbox.withLock { inbox in
        guard enter(&inbox, toAdd: member, orLater: { self.tell(member, .join) }) else {
          if case .announced = member.arrival {
            member.arrival = .pending
            if member.isTerminated { step = .withdraw }
          } else if let turn = inbox.turns.end(member) {
            step = .leaveTurn(turn)
          }
          return
        }
        step = nextStep(of: member, &inbox.turns, &allowance)
        _ = gate.leave()
      }
      switch step {
      case .leave: return
      case .leaveTurn(let turn): return turn.buffersToDeliver.take().deliver()
      case .deliver(let work): work.run()
      case .serve: tell(member, .serve)
      case .offer(let turn):
        turn.buffersToDeliver.take().deliver()
        if !takeBack(member) { return }
      case .handOver:
        if !isOwnThread { return handOver(member) }
        allowance = HandOver.limit
      case .complete: tell(member, .complete)
      case .release(let removed):
        withExtendedLifetime(removed) { tell(member, .release) }
        return
      case .withdraw:
        if !withdraw(member) { release(member) }
        return
      }
    }
  }

  /// Takes a member back that this thread has offered, unless another thread has taken it, or adds it.
  private final func takeBack(_ member: AnyMulticastSubscription) -> Bool {
    inbox.withLock { inbox in
      guard enter(&inbox, orLater: { self.addOffered(member) }) else { return false }
      defer { _ = gate.leave() }
      return takeOffer(of: member)
    }
  }

  /// Adds a member that its thread has left offered, unless another thread has taken it.
  private final func addOffered(_ member: AnyMulticastSubscription) {
    switch detached.deliverer(of: member) {
    case .offered: tell(member, .join)
    case .draining: addAfterDelivery(member)
    case .thread, .joining, .newThread, nil: break
    }
  }

  private final func addAfterDelivery(_ member: AnyMulticastSubscription) {
    detached.set(.joining, of: member)
    deferring().join(member)
  }

  /// Takes the value that a member is due at its request, if this thread delivers it.
  ///
  /// Returns `true` if an outer call of this thread has detached the member, `false` if this one has, and `nil` if this
  /// thread delivers nothing.
  @usableFromInline
  final func serve(_ member: AnyMulticastSubscription, _ take: () -> Void) -> Bool? {
    var isNested: Bool?
    inbox.withLock { inbox in
      guard enter(&inbox, toServe: member) else { return }
      if isDue(member) {
        switch detached.deliverer(of: member) {
        case nil where member.hasJoined:
          detach(member, by: currentThread())
          isNested = false
        case .offered?:
          _ = detached.take(member)
          isNested = false
        case .thread(currentThread())? where !isAnythingPending(for: member) && !member.isFollowing:
          isNested = true
        default: break
        }
        if isNested != nil {
          inbox.turns.begin(member)
          // The next step delivers what is pending.
          if !isAnythingPending(for: member) { take() }
        }
      }
      _ = gate.leave()
    }
    return isNested
  }

  /// Decides what follows the subscription of a detached member, or an event behind it.
  ///
  /// The allowance is the number of events that may still be delivered for other threads.
  private final func nextStep(
    of member: AnyMulticastSubscription, _ turns: inout DetachedTurns, _ allowance: inout Int
  ) -> DetachedStep {
    if turns.count > 0, let turn = turns.end(member) {
      detached.set(.offered, of: member)
      return .offer(turn)
    }
    if member.isTerminated {
      unlist(member)
      return .release(forget(member))
    }
    if allowance <= 0 {
      detached.set(.newThread, of: member)
      return .handOver
    }
    if let next = detached.next(for: member) {
      allowance -= 1
      _ = detached.take(member)
      turns.begin(member)
      return .deliver(next)
    }
    if replays {
      introduce(member)
      if isDue(member) {
        // What others send is kept while it is delivered.
        if !detached.take(member) { detach(member, by: currentThread()) }
        turns.begin(member)
        return .serve
      }
    }
    if isComplete, !keepsHistory || member.nextVersion > version {
      turns.begin(member)
      return .complete
    }
    _ = forget(member)
    add(member)
    return .leave
  }

  /// Whether the owner of the gate, which this thread is, delivers to a detached member immediately.
  ///
  /// If the member is offered, this thread delivers what is pending first.
  @usableFromInline
  final func isFree(_ member: AnyMulticastSubscription) -> Bool {
    switch detached.deliverer(of: member) {
    case nil: return false
    case .newThread: return false
    case .thread(let thread): if thread != currentThread() { return false }
    case .draining, .joining: break
    case .offered:
      _ = drain(member, as: .draining)
      // A nested call may have decided to add it.
      if case .draining? = detached.deliverer(of: member) { detached.set(.offered, of: member) }
    }
    return !isAnythingPending(for: member)
  }

  private final func takeOffer(of member: AnyMulticastSubscription) -> Bool {
    guard case .offered? = detached.deliverer(of: member) else { return false }
    return detached.take(member)
  }

  @usableFromInline
  final func isAnythingPending(for member: AnyMulticastSubscription) -> Bool {
    detached.isAnythingPending(for: member)
  }

  private final func detach(_ member: AnyMulticastSubscription, by thread: UInt) {
    reserve(member)
    detached.insert(member, by: thread)
    needsCleanup = true
  }

  private final func forget(_ member: AnyMulticastSubscription) -> DetachedMember? {
    let removed = detached.remove(member)
    needsCleanup = detached.count > 0
    return removed
  }

  /// Delivers what is pending for a detached member, as the owner of the gate.
  ///
  /// Returns `false` if another thread continues, after ``HandOver/limit`` events. It also returns `false` if a
  /// delivery is in flight: the member remains detached for that long, because that iterates over the detached ones.
  @usableFromInline
  final func deliverPending(_ member: AnyMulticastSubscription) -> Bool {
    if depth > 0, detached.deliverer(of: member) != nil {
      addAfterDelivery(member)
      return false
    }
    if !drain(member, as: .joining) {
      detached.set(.newThread, of: member)
      handOver(member)
      return false
    }
    withExtendedLifetime(detached.remove(member)) {}
    return true
  }

  /// Delivers up to ``HandOver/limit`` pending events, as the owner of the gate, and returns whether these are all.
  private final func drain(_ member: AnyMulticastSubscription, as deliverer: DetachedMember.Deliverer) -> Bool {
    detached.set(deliverer, of: member)
    for _ in 0..<HandOver.limit {
      guard let next = detached.next(for: member) else { return true }
      hasDeliveredPending = true
      next.run()
    }
    return !isAnythingPending(for: member)
  }

  private final func handOver(_ member: AnyMulticastSubscription) {
    HandOver.start { [self] in rejoin(member, onOwnThread: true) }
  }
}
