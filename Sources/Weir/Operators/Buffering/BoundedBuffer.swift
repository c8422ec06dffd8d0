/// Keeps values until there is demand for them: behind `buffer`, and behind the operators of other modules that choose
/// what becomes of values without demand.
///
/// Values are taken in, or dropped, under its lock, by the thread that brings them. One thread at a time delivers: who comes
/// meanwhile leaves its value and goes. See ``BufferCore`` for where it delivers.
@usableFromInline
package final class BoundedBuffer<Downstream: Subscriber>: BufferCore, _GuardedSubscriber {
  @usableFromInline
  package typealias Input = Downstream.Input

  @usableFromInline
  package typealias Failure = Downstream.Failure

  @usableFromInline
  typealias State = BufferState<Input, Failure>

  @usableFromInline
  let state: Locked<State>

  // Safety: only the thread accesses it that has put itself down as the owner under the lock. (`BoundsTests`)
  @usableFromInline
  @exclusivity(unchecked)
  var held: Held<Downstream>?

  @inlinable
  package init(_ name: StaticString, _ policy: BufferPolicy<Input, Failure>, downstream: Downstream) {
    state = Locked(State(policy))
    held = Held(downstream)
    super.init(name) { buffer, action in
      // Safety: the base class calls it with itself, which is made here. (`BufferTests`)
      let buffer = unsafeDowncast(buffer, to: BoundedBuffer.self)
      switch action {
      case .request(let demand): buffer.requested(demand)
      case .cancel: buffer.cancelled()
      }
    }
  }

  @inlinable
  package var _guard: _DeliveryGuard { .checks }

  @inlinable
  package var _gates: AnyObject? { register }

  @usableFromInline
  package override var reflected: [Mirror.Child] {
    state.withLock { state in
      [
        ("values", state.values.elements), ("state", state.phase), ("downstreamDemand", state.demand),
        ("terminal", orNil(state.completion)),
      ]
    }
  }

  // MARK: The upstream's side

  @inlinable
  package func receive(subscription: any Subscription) {
    let asksFirst = state.withLock { state -> Bool? in
      guard case .waiting = state.phase else { return nil }
      state.phase = .announcing
      state.upstream = subscription
      state.own(by: currentThread())
      return state.policy.isCombines
    }
    guard let asksFirst else { return subscription.cancel() }
    if asksFirst { ask() }
    assertNoLockIsHeld()
    held?.downstream.receive(subscription: self)
    let keeper = keeperHere()
    let isOwned = state.withLock { state in
      guard case .announcing = state.phase else { return true }
      state.phase = .running
      if keeper != nil { state.owner = 0 }
      return keeper == nil
    }
    _ = isOwned ? deliver(answers: false) : goOn(keeper, answers: false)
    ask()
  }

  @inlinable
  @inline(__always)
  package func receive(_ value: Input) -> Subscribers.Demand {
    let keeper = keeperHere()
    let admission = state.withLock {
      $0.admit(
        value, isGated: keeper != nil, handlesOthers: keeper?.handlesOthers ?? false, by: currentThread())
    }
    if case .deliver(let value) = admission { return deliver(value, answers: true) }
    return take(admission, keeper)
  }

  @usableFromInline
  func take(_ admission: State.Admission, _ keeper: (any GateKeeper)?) -> Subscribers.Demand {
    switch admission {
    case .ignored, .waits:
      return .none
    case .deliver(let value):
      return deliver(value, answers: true)
    case .waitsForDelivery:
      return goOn(keeper, answers: true)
    case .full(let value):
      // Other threads wait before the gate meanwhile, but no value is lost that this thread brings and that is asked for.
      let more = goOn(nil, answers: true)
      let admission = state.withLock {
        $0.admit(value, isGated: keeper != nil, handlesOthers: true, by: currentThread())
      }
      return more + take(admission, keeper)
    case .dropped(let value, let onDrop, let isDue):
      onDrop?(value)
      Reports.dropped(value)
      return isDue ? goOn(keeper, answers: true) : .none
    case .failed(let value, let onDrop, let makeError):
      onDrop?(value)
      Reports.dropped(value)
      fail(makeError(), keeper)
      return .none
    }
  }

  /// Fails for want of room.
  private func fail(_ error: Failure, _ keeper: (any GateKeeper)?) {
    let (upstream, goesOn) = state.withLock { state -> ((any Subscription)?, Bool) in
      if case .over = state.phase { return (nil, false) }
      state.completion = .failure(error)
      state.isUpstreamCancelled = true
      // Combine's waits until it is asked for more.
      return (state.upstream, state.demand > .none || !state.policy.isCombines)
    }
    upstream?.cancel()
    if goesOn { _ = goOn(keeper, answers: false) }
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    let (isTaken, released) = state.withLock { state -> (Bool, (any Subscription)?) in
      switch state.phase {
      case .waiting, .over: return (false, nil)
      case .announcing, .running: if state.isClosed { return (false, nil) }
      }
      state.isClosed = true
      state.completion = completion
      return (true, state.upstream.take())
    }
    withExtendedLifetime(released) {}
    if isTaken { _ = goOn(keeperHere(), answers: false) } else { Reports.late(completion) }
  }

  // MARK: The downstream's side

  @inlinable
  func requested(_ demand: Subscribers.Demand) {
    let isDue = state.withLock { state in
      switch state.phase {
      case .waiting, .over: return false
      case .announcing, .running: break
      }
      state.demand += demand
      if state.asksLater {
        state.asksLater = false
        state.toRequest = .unlimited
      }
      // Else it is for who delivers.
      return state.owner == 0
    }
    if isDue {
      _ = goOn(nil, answers: false)
      ask()
    }
  }

  @inlinable
  func cancelled() {
    let (remains, isOwned, isCancelled) = state.withLock { state -> (State.Remains?, Bool, Bool) in
      if case .over = state.phase { return (nil, false, false) }
      state.phase = .over
      let isOwned = state.owner == 0
      // Nobody comes after this.
      if isOwned { state.owner = .max }
      return (state.takeRemains(), isOwned, state.isUpstreamCancelled)
    }
    guard let remains else { return }
    if !isCancelled { remains.upstream?.cancel() }
    if isOwned { held = nil }
    withExtendedLifetime(remains) {}
  }

  // MARK: Delivery

  /// Delivers what is due, if nobody does: at once, or when a gate of this thread's is left.
  @inlinable
  func goOn(_ keeper: (any GateKeeper)?, answers: Bool) -> Subscribers.Demand {
    let isDue = state.withLock { state in
      guard state.isDue else { return false }
      if keeper == nil { state.own(by: currentThread()) }
      return true
    }
    if !isDue { return .none }
    if keeper == nil { return deliver(answers: answers) }
    keeper?.whenLeft(self)
    return .none
  }

  @usableFromInline
  package override func gateIsLeft() {
    _ = goOn(keeperHere(), answers: false)
    ask()
  }

  /// Delivers as long as there is something, for the owner alone; `first` goes out before all that waits.
  ///
  /// What is to be asked of the upstream is the result if that answers the upstream. Else it is left to ``ask()``.
  @inlinable
  func deliver(_ first: Input? = nil, answers: Bool) -> Subscribers.Demand {
    var value = first
    var left = HandOver.limit
    while true {
      var more = Subscribers.Demand.none
      if let value = value.take() { more = held?.receive(value) ?? .none }
      switch state.withLock({ $0.next(more, left: &left, answers: answers) }) {
      case .deliver(let next):
        value = next
      case .rest(let demand):
        return demand
      case .complete(let completion, let remains):
        held.take()?.downstream.receive(completion: completion)
        withExtendedLifetime(remains) {}
        return .none
      case .release:
        held = nil
        return .none
      case .handOver:
        HandOver.start { [self] in gateIsLeft() }
        return .none
      }
    }
  }

  /// Asks the upstream, unless another thread does, or this one further up its stack: then that one goes on.
  ///
  /// As in Combine, it is asked, in vain, after it was canceled for want of room.
  @inlinable
  func ask() {
    while true {
      let request = state.withLock { state -> (any Subscription, Subscribers.Demand)? in
        guard state.toRequest > .none, !state.isAsking, let upstream = state.upstream else { return nil }
        state.isAsking = true
        return (upstream, state.takeRequest())
      }
      guard let (upstream, demand) = request else { return }
      upstream.request(demand)
      state.withLock { $0.isAsking = false }
    }
  }
}

extension BoundedBuffer: InnerSubscriber {}
