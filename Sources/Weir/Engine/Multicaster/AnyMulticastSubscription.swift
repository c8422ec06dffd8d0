public import Synchronization

/// The nongeneric part of a member: its demand, and its place in the list.
///
/// Performance: a call through `any Subscription` runs generic code unspecialized. So what needs the types is the hub's
/// function `tell`.
@usableFromInline
package class AnyMulticastSubscription: Subscription, OperatorReflectable {
  @usableFromInline
  package enum Action {
    /// Deliver the values that are older than a request, on the thread that requests.
    case serve
    /// The same, as the owner of the gate.
    case deliverLatest
    /// Keep those values for the thread that is delivering to the detached member, as the owner of the gate.
    case keepDue
    /// Deliver the hub's completion.
    case complete
    /// Join the list after events on a thread that didn't own the gate, as its owner.
    case join
    /// Release the subscriber.
    case release
  }

  /// The state of the actions that are enqueued when a subscriber arrives during another thread's delivery, or in a
  /// delivery while events are pending.
  enum Arrival: UInt8, AtomicRepresentable {
    /// There are none, or the owner of the hub's gate has begun with them.
    case begun
    /// The first one is pending: to detach the member, before its subscriber receives the subscription, or to add it if
    /// it came in a delivery.
    case announced
    /// Both are pending: the second one adds the member, after that.
    case pending
    /// The only one is pending, and the subscriber, which came in a delivery, has its subscription.
    case joining
    /// The member has been cancelled while all were pending, so none is performed.
    case withdrawn
  }

  @usableFromInline
  final let hub: AnyMulticaster

  /// The outstanding demand.
  ///
  /// The sign bit is set once the member is cancelled or completed.
  @usableFromInline
  final let demand = Atomic<Int>(0)

  // Safety: only the owner of the hub's gate accesses the six properties below; `isFollowing` also the thread that has
  // detached the member, and `subject` the one that releases it, after all others. The gate admits one thread. No
  // access lasts while user code runs, so nested calls of that thread never overlap one. (`MulticasterTests`,
  // `SubjectThreadTests`, `SubjectLifetimeTests`)

  // Performance: `index`, `isFollowing`, `isServedLater`, `bits` and `arrivalState` share a word, since a subject may
  // have very many members.

  /// The index of its place in the list of members.
  ///
  /// It is -1 for a member without a place, and -2 - i for one at the place i of those that came during a delivery.
  @usableFromInline
  @exclusivity(unchecked)
  final var index: Int32 = -1

  /// Whether values of a history are being delivered to it.
  @usableFromInline
  @exclusivity(unchecked)
  final var isFollowing = false

  /// The bits of ``isBusy`` and ``hasJoined``.
  @usableFromInline
  @exclusivity(unchecked)
  final var bits: UInt8 = 0

  /// How far the member has come, if another thread was delivering when its subscriber arrived.
  ///
  /// It changes under the lock of the hub's inbox.
  final var arrival: Arrival {
    get { arrivalState.load(ordering: .relaxed) }
    set { arrivalState.store(newValue, ordering: .relaxed) }
  }

  private final let arrivalState = Atomic<Arrival>(.begun)

  /// Whether an enqueued action serves the requests that precede it, or the member's addition to the list does.
  final let isServedLater = Atomic<Bool>(true)

  /// The version of the last value that was delivered to it.
  @usableFromInline
  @exclusivity(unchecked)
  final var seen = -1

  /// The version of the value that its last request has delivered.
  @usableFromInline
  @exclusivity(unchecked)
  final var served = -1

  /// The number of the last value that is kept for it while its arrival is pending, when nothing is served to it.
  ///
  /// Performance: it shares the word of `served`, since a subject may have very many members.
  // Safety: the lock of the hub's inbox protects it then, and the owner of the gate takes the member's action out under
  // that lock. (`SubscribingThreadTests`)
  final var owedThrough: Int {
    get { served }
    set { served = newValue }
  }

  /// The subject, until the member is terminated: a program may have a weak reference to what it sends into.
  @usableFromInline
  @exclusivity(unchecked)
  final var subject: AnyObject?

  @usableFromInline
  init(_ hub: AnyMulticaster, of subject: AnyObject?) {
    self.hub = hub
    self.subject = subject
  }

  @usableFromInline
  package final var description: String { hub.description }

  @usableFromInline
  package var mirrorChildren: [Mirror.Child] { [] }

  @usableFromInline
  package final func request(_ demand: Subscribers.Demand) {
    demand.requirePositive()
    if isTerminated { return }
    if !hub.replays {
      if case .begun = arrival {} else { hub.owe(demand, to: self) }
      add(demand)
    } else if addInTurn(demand) {
      hub.tell(self, .serve)
    }
    hub.askUpstreams()
  }

  @usableFromInline
  package final func _outermostGate(of thread: UInt) -> _Gated? { hub.outermostGate(of: thread, before: self) }

  @usableFromInline
  package final func cancel() {
    if end() { hub.release(self) }
  }

  /// Adds demand; `counted` of it is included in the demand of all members already.
  @usableFromInline
  final func add(_ more: Subscribers.Demand, counted: Int = 0) {
    var found = demand.load(ordering: .relaxed)
    while found >= 0, found != .max {
      let sum = more == .unlimited ? .max : (Subscribers.Demand.max(found) + more).max ?? .max
      let (done, now) = demand.compareExchange(expected: found, desired: sum, ordering: .relaxed)
      if done {
        countDemand(sum, before: found)
        break
      }
      found = now
    }
    if counted > 0 { hub.demand.wrappingSubtract(counted, ordering: .relaxed) }
  }

  /// Adds demand to a member of a hub that replays.
  ///
  /// If pending values have been dropped, the demand is added after the pending ones, and the result is false.
  @usableFromInline
  @discardableResult
  final func addInTurn(_ more: Subscribers.Demand) -> Bool {
    let share = demandShare(of: more.max ?? .max)
    let isNow = hub.count(more, as: share, of: self)
    if isNow { add(more, counted: share) }
    return isNow
  }

  /// Whether the member receives a value.
  @usableFromInline
  enum Admission {
    /// Its demand is unlimited.
    case always
    /// One was subtracted from its demand.
    case once
    /// It has no demand.
    case never
    /// A request during the delivery has already delivered the value.
    case notAgain
  }

  /// Decides whether the member receives the value with this version.
  ///
  /// It also receives older values: a nested send delivers the newer value first.
  @inlinable
  @inline(__always)
  final func admit(_ version: Int) -> Admission {
    if served == version { return .notAgain }
    if demand.load(ordering: .relaxed) == .max {
      saw(version)
      return .always
    }
    guard takeOne() else { return .never }
    saw(version)
    return .once
  }

  @inlinable
  @inline(__always)
  final func saw(_ version: Int) {
    seen = seen < version ? version : seen
  }

  @inlinable
  final func takeOne() -> Bool {
    var found = demand.load(ordering: .relaxed)
    while found > 0 {
      if found == .max { return true }
      let (done, now) = demand.compareExchange(expected: found, desired: found - 1, ordering: .relaxed)
      if done {
        countDemand(found - 1, before: found)
        return true
      }
      found = now
    }
    return false
  }

  /// Adds the demand that a delivery has returned.
  // Performance: out of line, so that the path of values that return none stays short where it is inlined.
  @usableFromInline
  @inline(never)
  final func addReturned(_ more: Subscribers.Demand) {
    if hub.replays { addInTurn(more) } else { add(more) }
  }

  /// Counts a change of the demand in that of all members.
  @inlinable
  @inline(__always)
  final func countDemand(_ demand: Int, before: Int) {
    hub.demand.wrappingAdd(demandShare(of: demand) - demandShare(of: before), ordering: .relaxed)
  }

  @inlinable
  final var isUnlimited: Bool { demand.load(ordering: .relaxed) == .max }

  @inlinable
  final var isTerminated: Bool { demand.load(ordering: .relaxed) < 0 }

  /// Terminates the member.
  ///
  /// Returns true for the first call only.
  @usableFromInline
  final func end() -> Bool {
    let before = demand.bitwiseOr(.min, ordering: .acquiringAndReleasing).oldValue
    if before > 0 { countDemand(0, before: before) }
    return before >= 0
  }

  /// The version of the first value in the history that it has not received.
  @usableFromInline
  final var nextVersion: Int {
    let oldest = hub.oldestKept
    return seen < oldest ? oldest : seen + 1
  }

  /// Whether a delivery is in flight that can be to this member although it isn't in the list.
  ///
  /// A member that has come during another delivery is released when this one has returned.
  final var isBusy: Bool {
    get { bits & 1 != 0 }
    set { bits = newValue ? bits | 1 : bits & ~1 }
  }

  /// Whether it has been added to the list, and is not detached.
  @inlinable
  final var hasJoined: Bool {
    get { bits & 2 != 0 }
    set { bits = newValue ? bits | 2 : bits & ~2 }
  }
}

/// The part of a member's demand in the demand of all members.
///
/// It is bounded, so that the sum of millions doesn't overflow.
///
/// Performance: transparent, for debug builds, which a method of a class can't be.
@inlinable
@_transparent
func demandShare(of demand: Int) -> Int { demand < 1 << 40 ? demand : 1 << 40 }
