/// A member that is out of its hub's list, because a thread that doesn't own the gate is delivering to it.
@usableFromInline
struct DetachedMember {
  @usableFromInline
  let member: AnyMulticastSubscription

  private var thread: UInt

  /// What others have sent to it meanwhile.
  private(set) var pending: Enqueued<Work>?

  fileprivate init(_ member: AnyMulticastSubscription) {
    self.member = member
    thread = currentThread()
  }

  /// Whether this thread delivers to it, and nothing is pending, so that this thread delivers a nested event itself.
  @usableFromInline
  var isFree: Bool { thread == currentThread() && pending?.events.isEmpty != false }

  fileprivate mutating func enqueue(_ work: Work) {
    Enqueued.filling(&pending).events.append(work)
  }

  /// Takes the next pending event, for the thread that delivers from now on.
  fileprivate mutating func next() -> Work? {
    thread = currentThread()
    return pending?.events.popFirst()
  }
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
  subscript(index: Int) -> DetachedMember {
    if index == 0, let first { return first }
    return others[index - 1]
  }

  fileprivate mutating func insert(_ member: AnyMulticastSubscription) {
    if count == 0 { first = DetachedMember(member) } else { others.append(DetachedMember(member)) }
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

  fileprivate mutating func find(_ member: AnyMulticastSubscription) -> DetachedMember? {
    first?.member === member ? first : others.first { $0.member === member }
  }

  /// Returns the member whose place in the list this is.
  @usableFromInline
  mutating func find(at index: Int) -> DetachedMember? {
    if count == 0 { return nil }
    return first?.member.index == Int32(index) ? first : others.first { $0.member.index == Int32(index) }
  }

  @usableFromInline
  mutating func isFree(_ member: AnyMulticastSubscription) -> Bool { find(member)?.isFree == true }

  /// Keeps an event for the thread that is delivering to the member.
  @usableFromInline
  mutating func enqueue(_ work: Work, for member: AnyMulticastSubscription) {
    isPending = true
    if first?.member === member {
      first?.enqueue(work)
    } else if let index = others.firstIndex(where: { $0.member === member }) {
      others[index].enqueue(work)
    }
  }

  fileprivate mutating func next(for member: AnyMulticastSubscription) -> Work? {
    if !isPending { return nil }
    if first?.member === member { return first?.next() }
    guard let index = others.firstIndex(where: { $0.member === member }) else { return nil }
    return others[index].next()
  }
}

/// What a thread does next for a member that it has detached.
private enum DetachedStep {
  /// Nothing: the member is in the list, or the owner of the gate adds it or delivers to it.
  case leave
  /// Deliver what is pending, and ask for the next step.
  case deliver(Work)
  /// Deliver what the member is due, and ask for the next step.
  case serve
  /// Leave what is pending to another thread.
  case handOver
  /// Complete the member, and ask for the next step.
  case complete
  /// Release the terminated member with what is pending for it.
  case release(DetachedMember?)
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
  /// While another thread delivers, the member remains unknown: it receives what is sent after its subscription.
  @usableFromInline
  final func detach(new member: AnyMulticastSubscription) -> Bool {
    var isAdmitted = true
    inbox.withLock { _ in
      guard case .acquired = gate.enter() else { return }
      isAdmitted = !isComplete || keepsHistory
      if isAdmitted {
        introduce(member)
        detach(member)
      }
      _ = gate.leave()
    }
    return isAdmitted
  }

  /// Delivers to a detached member what it is due and what others have sent, and adds it to the list.
  @usableFromInline
  final func rejoin(_ member: AnyMulticastSubscription) {
    var allowance = HandOver.limit
    while true {
      var step = DetachedStep.leave
      inbox.withLock { inbox in
        guard enter(&inbox, orLater: { self.tell(member, .join) }) else { return }
        step = nextStep(of: member, &allowance)
        _ = gate.leave()
      }
      switch step {
      case .leave: return
      case .deliver(let work): work.run()
      case .serve: tell(member, .serve)
      case .handOver: return handOver(member)
      case .complete: tell(member, .complete)
      case .release(let removed):
        withExtendedLifetime(removed) { tell(member, .release) }
        return
      }
    }
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
        if member.hasJoined {
          detach(member)
          isNested = false
          take()
        } else if detached.isFree(member), !member.isFollowing {
          isNested = true
          take()
        }
      }
      _ = gate.leave()
    }
    return isNested
  }

  /// Decides what follows the subscription of a detached member, or an event behind it.
  ///
  /// The allowance is the number of events that may still be delivered for other threads.
  private final func nextStep(of member: AnyMulticastSubscription, _ allowance: inout Int) -> DetachedStep {
    if member.isTerminated {
      unlist(member)
      return .release(forget(member))
    }
    if allowance <= 0 { return .handOver }
    if let next = detached.next(for: member) {
      allowance -= 1
      return .deliver(next)
    }
    if replays {
      introduce(member)
      if isDue(member) {
        // What others send is kept while it is delivered.
        if detached.find(member) == nil { detach(member) }
        return .serve
      }
    }
    if isComplete, !keepsHistory || member.nextVersion > version { return .complete }
    _ = forget(member)
    add(member)
    return .leave
  }

  private final func detach(_ member: AnyMulticastSubscription) {
    reserve(member)
    detached.insert(member)
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
    if depth > 0, detached.find(member) != nil {
      joiningAfterDelivery.append(member)
      needsCleanup = true
      return false
    }
    var allowance = HandOver.limit
    while let next = detached.next(for: member) {
      hasDeliveredPending = true
      next.run()
      allowance -= 1
      if allowance <= 0 {
        handOver(member)
        return false
      }
    }
    withExtendedLifetime(detached.remove(member)) {}
    return true
  }

  private final func handOver(_ member: AnyMulticastSubscription) {
    HandOver.start { [self] in rejoin(member) }
  }
}
