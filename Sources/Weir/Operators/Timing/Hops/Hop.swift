/// Stores the events of an upstream, and delivers them in hops of a scheduler.
@usableFromInline
class Hop<Output, Failure: Error>: HopSubscription {
  // Safety: a thread accesses the values only with the lock, or after a cancellation as the one thread that releases
  // them: the state admits no value then. Only the thread that delivers, announces or releases accesses the downstream.
  // A nested hop delivers nothing, and a nested cancellation leaves the release to that thread. (`ReceiveOnTests`,
  // `HopStateTests`, `Reentry/receive(on:)`, `Threads/hops`)

  @usableFromInline
  @exclusivity(unchecked)
  final var values = CircularBuffer<Output>()

  @usableFromInline
  @exclusivity(unchecked)
  final var downstream: BorrowedDownstream<Output, Failure>?

  @inlinable
  init(
    _ name: StaticString, drains: Bool = false, timeout: HopTimeout? = nil,
    for downstream: consuming Downstream<Output, Failure>,
    schedule: @escaping (_ action: @escaping () -> Void, _ isOverdue: Bool) -> Void
  ) {
    self.downstream = BorrowedDownstream(downstream)
    super.init(name, drains: drains, timeout: timeout, schedule: schedule) { hop, action in
      // Safety: `act` is called with the object that holds it. (`ReceiveOnTests`)
      let hop = _unsafeUncheckedDowncast(hop, to: Hop.self)
      switch action {
      case .deliver: return hop.deliver()
      case .announce: hop.downstream?.functions.begin(hop)
      case .release: hop.release()
      }
      return false
    }
  }

  /// The downstream of the upstream.
  ///
  /// Performance: its three functions capture only this object, so they need no allocation.
  @inlinable
  final var events: Downstream<Output, Failure> {
    Downstream(
      face: Face({ self }, type: downstream?.functions.face.type(inFrontOf: Hop.self) ?? Hop.self),
      begin: { self.receive(subscription: $0) },
      end: { self.receive(erased: $0.erased) }, next: { self.receive($0) })
  }

  /// The value that a mirror shows for the downstream; `nil` while another thread delivers, and after the end.
  @usableFromInline
  final var shownDownstream: Any? {
    let thread = currentThread()
    let face = content.withLock { content in
      content.state.maySee(thread) ? downstream?.functions : nil
    }
    return face?.shown
  }

  @inlinable
  final func receive(_ value: Output) -> Subscribers.Demand {
    let work = content.withLock { content -> (Context?, Int, needsHop: Bool) in
      guard content.state.admit() else { return (nil, 0, false) }
      values.append(value)
      return (content.context, content.state.timer, content.state.needsHop())
    }
    guard let context = work.0 else { return .none }
    context.timeout?.start(work.1, for: self)
    if work.needsHop { context.schedule(arrival, false) }
    return .none
  }

  /// Delivers the events of the hops that have arrived, and requests the demand that each delivery returns.
  ///
  /// - Returns: whether another hop must be scheduled.
  @inlinable
  final func deliver() -> Bool {
    while true {
      var value: Output?
      let turn = content.withLock { content in
        let turn = content.state.next()
        if case .value = turn { value = values.popFirst() }
        return turn
      }
      switch turn {
      case .value:
        if let value { request(deliver(value)) }
      case .complete(let completion):
        complete(completion)
        return false
      case .rest(let needsHop):
        return needsHop
      case .release:
        release()
        return false
      }
    }
  }

  @inlinable
  final func deliver(_ value: Output) -> Subscribers.Demand {
    assertNoLockIsHeld()
    // Performance: the pattern borrows the function; optional chaining would copy it.
    switch downstream {
    case let downstream?: return downstream.functions.next(value)
    case nil: return .none
    }
  }

  // Performance: a function of its own, because in a debug build it looks the completion's type up.
  @inlinable
  @inline(never)
  final func complete(_ completion: AnyCompletion) {
    let context = content.withLock { $0.context.take() }
    if let downstream = takeDownstream(&downstream) { downstream.functions.end(completion.typed()) }
    withExtendedLifetime(context) {}
  }

  /// Releases the downstream and the values.
  @inlinable
  final func release() {
    _ = takeDownstream(&downstream)
    var dropped = CircularBuffer<Output>()
    swap(&dropped, &values)
  }
}
