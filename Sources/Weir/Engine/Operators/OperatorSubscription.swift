/// The subscription that an operator sends downstream, and its connection to the upstream.
///
///     downstream ──▶ OperatorSubscription ──▶ upstream's subscription ──▶ StatefulSubscriber ──▶ downstream
///                                                                               └──▶ OperatorSubscription
///
/// An arrow is a strong reference. The subscriber calls this object its link.
///
/// Only the upstream holds the subscriber, and only the subscriber holds the downstream. A cancel releases the
/// upstream's subscription. The upstream releases the subscriber when no delivery is in flight. So the path of values
/// needs no lock.
@usableFromInline
package final class OperatorSubscription: Subscription, OperatorReflectable {
  /// The state of the operator's subscription.
  ///
  /// Values are forwarded only while `early` or `live`.
  @usableFromInline
  enum Phase: UInt8 {
    /// No subscription has arrived, and values are forwarded without one, as in Combine.
    case early
    /// The upstream may send.
    case live
    /// No subscription has arrived.
    case waiting
    /// One upstream has completed. The next one has not sent its subscription.
    case switching
    /// The last value is in flight. The completion follows unless a cancel comes first.
    case finishing
    /// Finished, failed or cancelled.
    case terminated
  }

  /// The way of the downstream's demand to the upstream.
  @usableFromInline
  package enum Policy {
    /// Forwards the demand unchanged.
    case forward
    /// Forwards the demand, and requests `count` values more, which the operator drops.
    case forwardAfter(Int)
    /// Multiplies the demand by `count`, because each output consumes `count` inputs.
    case forwardTimes(Int)
    /// Requests unlimited demand, because the one result needs all inputs.
    case unlimited

    /// The demand for the upstream that follows from a demand of the downstream.
    @inlinable
    func asked(for demand: Subscribers.Demand) -> Subscribers.Demand {
      if case .forwardTimes(let count) = self { demand * count } else { demand }
    }
  }

  @usableFromInline
  struct State {
    @usableFromInline
    var upstream = OptionalSubscription()

    /// All demand that the downstream has requested, without the demand that it has returned.
    @usableFromInline
    var requested = Subscribers.Demand.none

    /// Whether requests are forwarded to the upstream.
    @usableFromInline
    var isOpen: Bool

    /// Delivers the value that waits for demand.
    @usableFromInline
    var parked: (() -> Void)?

    /// Whether that value also waits for the return of the delivery in which it was stored.
    var isParkedInDelivery = false

    /// The demand that is requested from the upstream when the operator's own request has returned.
    var toAsk = Subscribers.Demand.none

    /// The thread that is making a request of the operator itself, or 0.
    var asker: UInt = 0

    /// The number of the upstreams that have been attached; a request to an earlier one is no longer counted.
    var attached = 0

    mutating func takeParked() -> (() -> Void)? {
      isParkedInDelivery ? nil : parked.take()
    }

    /// A request of the operator itself.
    @usableFromInline
    struct Request {
      let upstream: OptionalSubscription
      let demand: Subscribers.Demand

      /// The number of the upstream.
      let number: Int
    }

    /// Begins a request of the operator itself; the upstream must have been attached.
    mutating func begin(_ demand: Subscribers.Demand) -> Request {
      asker = currentThread()
      return Request(upstream: upstream, demand: demand, number: attached)
    }

    /// Takes the pending demand, unless another thread is requesting: that thread requests it.
    mutating func takeRequest() -> Request? {
      guard asker == 0, toAsk > .none, upstream.isFull else { return nil }
      defer { toAsk = .none }
      return begin(toAsk)
    }

    /// The same when this request has returned.
    mutating func takeRequest(after previous: Request) -> Request? {
      if previous.number != attached { return nil }
      asker = 0
      return takeRequest()
    }

    /// The demand that has not been served.
    ///
    /// It is not negative if an upstream has sent more values than were requested.
    func outstanding(returned: Subscribers.Demand, delivered: Int) -> Subscribers.Demand {
      let asked = requested + returned
      return asked > delivered ? asked - delivered : .none
    }
  }

  @usableFromInline
  let phase: AtomicPhase<Phase>

  @usableFromInline
  let state: Locked<State>

  @usableFromInline
  let policy: Policy

  /// Whether returned demand is requested.
  ///
  /// Then one thread at a time requests from the upstream.
  @usableFromInline
  let requestsReturnedDemand: Bool

  @usableFromInline
  let name: StaticString

  // Both closures are formed where the types are known. They capture nothing, so they retain nothing.
  @usableFromInline
  let mirrored: () -> [MirrorPart]

  @usableFromInline
  let downstreamType: any Any.Type

  /// `mirrored` returns the children of a mirror, and `face` represents the downstream.
  @usableFromInline
  init(
    _ name: StaticString, policy: Policy, requestsReturnedDemand: Bool, passesEarlyValues: Bool = false,
    showing mirrored: @escaping () -> [MirrorPart], of face: Face
  ) {
    phase = AtomicPhase(passesEarlyValues ? .early : .waiting)
    self.name = name
    self.policy = policy
    self.requestsReturnedDemand = requestsReturnedDemand
    self.mirrored = mirrored
    downstreamType = face.type
    let isOpen =
      switch policy {
      case .forward, .forwardTimes: true
      case .forwardAfter, .unlimited: false
      }
    state = Locked(State(isOpen: isOpen))
  }

  @usableFromInline
  package var description: String { name.description }

  @usableFromInline
  package var mirrorChildren: [Mirror.Child] { mirrorChildren(downstream: nil) }

  /// The children of the operator's mirror; `downstream` is the subscriber, if it is known.
  @usableFromInline
  func mirrorChildren(downstream: Any?) -> [Mirror.Child] {
    let (requested, upstream) = state.withLock { ($0.requested, $0.upstream) }
    return mirrored().map { part in
      switch part {
      case .downstream: ("downstream", downstream ?? downstreamType)
      case .upstreamSubscription: ("upstreamSubscription", unwrappedForMirror(upstream.shown))
      case .status: ("status", unwrappedForMirror(phase.now))
      case .finished: ("finished", phase.isNow(.terminated))
      case .demand: ("demand", requested)
      case .count: ("count", unwrappedForMirror(policy.asked(for: .max(1)).max))
      case .state(let label, let type): (label, type)
      case .growing(let label, let start): (label, requested == .none ? start : Swift.type(of: start))
      }
    }
  }

  /// Whether values are forwarded.
  ///
  /// Performance: one comparison for `live` and `early`, so early events cost a value nothing.
  @inlinable
  @inline(__always)
  var isLive: Bool { phase.isUpTo(.live) }

  /// Whether the first subscription is yet to arrive.
  @usableFromInline
  var isUnattached: Bool { phase.isNow(.early) || phase.isNow(.waiting) }

  // MARK: Downstream's side

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    if demand == .none { return }
    if requestsReturnedDemand { return requestInTurn(demand) }
    let (upstream, parked) = state.withLock { state in
      state.requested += demand
      // The asker calls inside its request, so it doesn't wait.
      if state.asker != 0, state.asker != currentThread() {
        state.toAsk += policy.asked(for: demand)
        return (OptionalSubscription(), state.takeParked())
      }
      return (state.isOpen ? state.upstream : OptionalSubscription(), state.takeParked())
    }
    upstream.request(policy.asked(for: demand))
    parked?()
  }

  private func requestInTurn(_ demand: Subscribers.Demand) {
    let parked = state.withLock { state in
      state.requested += demand
      // The next upstream gets all outstanding demand.
      if state.isOpen, state.upstream.isFull { state.toAsk += policy.asked(for: demand) }
      return state.takeParked()
    }
    make(state.withLock { $0.takeRequest() })
    parked?()
  }

  /// Makes a request of the operator itself, and then the downstream's that had to wait.
  @usableFromInline
  func make(_ request: State.Request?) {
    var next = request
    while let request = next {
      request.upstream.request(request.demand)
      next = state.withLock { $0.takeRequest(after: request) }
    }
  }

  @usableFromInline
  package func _outermostGate(of thread: UInt) -> _Gated? {
    state.withLock { $0.upstream.outermostGate(of: thread) }
  }

  @usableFromInline
  package func cancel() {
    let released = state.withLock { state in
      phase.move(to: .terminated)
      return (state.upstream.take(), state.parked.take())
    }
    released.0.cancel()
  }

  // MARK: Upstream's side

  @usableFromInline
  enum Attachment {
    /// There is a subscription, or the operator is terminated. This one was cancelled.
    case refused
    /// The first subscription. The downstream is to receive the link.
    case first
    /// The subscription of a next upstream, or one after early values. The outstanding demand is to be requested.
    case next(State.Request?)
  }

  /// Takes an upstream's subscription; `counted` is what the downstream has returned and received, if there is a next
  /// upstream.
  @usableFromInline
  func attach(
    _ subscription: any Subscription, counted: (returned: Subscribers.Demand, delivered: Int)? = nil
  ) -> Attachment {
    let object = subscription._object
    let result = state.withLock { state -> Attachment in
      let isFirst = phase.isNow(.waiting)
      guard isFirst || phase.isNow(.switching) || phase.isNow(.early) else { return .refused }
      state.upstream = OptionalSubscription(object)
      state.toAsk = .none
      state.asker = 0
      state.attached += 1
      phase.move(to: .live)
      guard !isFirst, let counted else { return .first }
      let outstanding = state.outstanding(returned: counted.returned, delivered: counted.delivered)
      return .next(outstanding > .none ? state.begin(outstanding) : nil)
    }
    if case .refused = result { subscription.cancel() }
    return result
  }

  /// Begins without a subscription and with unlimited demand, before a scalar publisher sends its value.
  ///
  /// Returns false if a cancel came first.
  @usableFromInline
  func attachScalar() -> Bool {
    state.withLock { state in
      if phase.isNow(.terminated) { return false }
      state.requested = .unlimited
      phase.move(to: .live)
      return true
    }
  }

  /// Continues with the value of a scalar publisher, which needs no request.
  ///
  /// Returns false if the demand is limited, or if the downstream has not received this subscription.
  @usableFromInline
  func switchToScalar() -> Bool {
    state.withLock { state in
      guard state.requested == .unlimited, phase.isNow(.switching) else { return false }
      phase.move(to: .live)
      return true
    }
  }

  /// Releases an upstream that has completed.
  ///
  /// In the phase `early`, the values of the next one are forwarded immediately.
  ///
  /// Returns false if a cancel came first.
  @usableFromInline
  func detach(to next: Phase = .switching) -> Bool {
    let (moved, upstream) = state.withLock { state in
      if phase.isNow(.terminated) { return (false, OptionalSubscription()) }
      // The downstream receives the link with the next upstream's subscription.
      if !phase.isNow(.waiting) { phase.move(to: next) }
      return (true, state.upstream.take())
    }
    return withExtendedLifetime(upstream) { moved }
  }

  /// Leaves the phase in which values are forwarded, and releases the upstream.
  ///
  /// Returns false if a cancel came first.
  @usableFromInline
  func end(_ next: Phase = .terminated, cancelling: Bool) -> Bool {
    let (moved, upstream) = state.withLock { state in
      if phase.isNow(.terminated) { return (false, OptionalSubscription()) }
      phase.move(to: next)
      return (true, state.upstream.take())
    }
    if cancelling { upstream.cancel() }
    return moved
  }

  /// Terminates during a value, and cancels the upstream.
  ///
  /// Returns false if a cancel came first. The upstream's `cancel()` may be user code that cancels the operator, too.
  /// (C15)
  @usableFromInline
  func endByItself() -> Bool {
    end(.finishing, cancelling: true) && end(cancelling: false)
  }

  /// Requests the downstream's demand and `count` values more.
  ///
  /// Later requests are forwarded immediately.
  ///
  /// Nothing is requested before, because the upstream may complete in answer to the first request.
  @usableFromInline
  func open(askingFor count: Int) {
    make(
      state.withLock { state in
        state.isOpen = true
        let demand = state.requested + count
        return demand == .none ? nil : state.begin(demand)
      })
  }
}
