import Synchronization

/// A member of a multicaster: the subscription of one subscriber.
@usableFromInline
final class MulticastSubscription<Output, Failure: Error>: AnyMulticastSubscription {
  // Safety: only the owner of the hub's gate accesses it, or while the member is not in the list the thread that has
  // detached it. It is released when no delivery borrows it: by `AnyMulticaster` at depth 0, by the detaching thread
  // behind its deliveries. (`MulticasterTests`, `SubjectTests`, `SubscribingThreadTests`, `Reentry/share(replay:)`)

  /// The subscriber's functions, until the member is terminated and no delivery to it is in flight.
  @usableFromInline
  @exclusivity(unchecked)
  var downstream: SubscribedDownstream<Output, Failure>?

  @inlinable
  init(_ hub: Multicaster<Output, Failure>, of subject: AnyObject?, _ downstream: consuming Downstream<Output, Failure>)
  {
    self.downstream = SubscribedDownstream(downstream)
    super.init(hub, of: subject)
  }

  @inlinable
  func perform(_ action: Action) {
    switch action {
    case .serve: multicaster.serve(self)
    case .deliverLatest: deliverLatest()
    case .keepDue: multicaster.keepDue(for: self)
    case .complete: complete()
    case .join:
      if hub.deliverPending(self) { multicaster.joinLate(self) }
    case .release:
      _ = takeDownstream(&downstream)
      _ = subject.take()
    }
  }

  // Safety: the initializer takes a hub of this type, and `hub` never changes. (`MulticasterTests`)
  @inlinable
  var multicaster: Multicaster<Output, Failure> {
    _unsafeUncheckedDowncast(hub, to: Multicaster<Output, Failure>.self)
  }

  /// The subscriber is not shown while another thread delivers.
  @usableFromInline
  override var mirrorChildren: [Mirror.Child] {
    let hub = isTerminated ? nil : multicaster
    var known: Any?
    hub?.whileIdle { if !isTerminated { known = downstream?.shown } }
    let left = demand.load(ordering: .relaxed) & .max
    return [
      ("parent", unwrappedForMirror(hub)), ("downstream", unwrappedForMirror(known)),
      ("demand", left == .max ? Subscribers.Demand.unlimited : .max(left)), ("subject", unwrappedForMirror(hub)),
    ]
  }

  // MARK: For the owner of the hub's gate

  @inlinable
  @inline(__always)
  func deliver(_ value: Output) -> Subscribers.Demand {
    assertNoLockIsHeld()
    // The pattern borrows the downstream. Optional chaining would copy it.
    switch downstream {
    case let downstream?: return downstream.next(value)
    case nil: return .none
    }
  }

  /// Delivers a value if there is demand, and drops it otherwise.
  @inlinable
  @inline(__always)
  func offer(_ value: Output, version: Int) {
    switch admit(version) {
    case .always:
      _ = deliver(value)
    case .once:
      let more = deliver(value)
      if more != .none { addReturned(more) }
    case .never:
      dropped(value)
    case .notAgain:
      break
    }
  }

  /// Reports a dropped value, unless the member receives the latest one at its next request.
  @usableFromInline
  @inline(never)
  func dropped(_ value: Output) {
    if hub.replays || isTerminated { return }
    Reports.dropped(value, by: hub.name, onTheWayTo: mirrorChildren.first { $0.label == "downstream" }?.value)
  }

  /// Delivers the unseen values of the history, as far as there is demand, and then the completion.
  ///
  /// It skips values that are no longer in the history. The running loop serves re-entrant requests. A re-entrant value
  /// is delivered nested, unless an older one is pending for this member.
  @inlinable
  func replayHistory(isNew: Bool = false) {
    let hub = multicaster
    guard hasJoined || hub.isFree(self) else { return }
    let wasFollowing = isFollowing
    if wasFollowing, !isNew || seen < hub.version - 1 { return }
    isFollowing = true
    hub.depth += 1
    while nextVersion <= hub.version, isNothingPending, takeOne() {
      let version = nextVersion
      seen = version
      guard let history = hub.history else { break }
      let more = deliver(history.values[version - hub.oldestKept])
      if more != .none { addInTurn(more) }
    }
    if !isNothingPending {
      hub.keepDue(for: self)
    } else if let completion = hub.completion, nextVersion > hub.version, !isTerminated {
      complete(completion)
      if hasJoined { hub.discard(self) }
    }
    isFollowing = wasFollowing
    hub.endDelivery()
  }

  /// Whether nothing has been kept that precedes the rest of the history, as during a delivery to a detached member.
  @inlinable
  var isNothingPending: Bool { hasJoined || !hub.isAnythingPending(for: self) }

  /// Delivers the latest value if this member has not received it and has demand.
  @inlinable
  func deliverLatest() {
    let hub = multicaster
    let wasBusy = hub.beginSingle(self)
    if hub.keepsHistory {
      replayHistory()
    } else if hasJoined, !hub.isComplete, seen < hub.version, let latest = hub.latest?.value {
      hub.depth += 1
      if takeOne() {
        saw(hub.version)
        // A delivery of it that is in flight doesn't bring it again.
        served = hub.version
        let more = deliver(latest)
        if more != .none { addReturned(more) }
      }
      hub.endDelivery()
    }
    hub.endSingle(self, wasBusy: wasBusy)
  }

  /// Completes a member that joins a completed hub.
  @inlinable
  func completeLate() {
    complete()
    hub.discard(self)
  }

  /// Delivers the hub's completion.
  // Performance: apart from `perform(_:)`, which would look up the completion's type for each action.
  @inlinable
  @inline(never)
  func complete() {
    if let completion = multicaster.completion { complete(completion) }
  }

  @inlinable
  func complete(_ completion: Subscribers.Completion<Failure>) {
    if end() {
      assertNoLockIsHeld()
      downstream?.end(completion)
    }
  }
}
