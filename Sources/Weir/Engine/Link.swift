/// What an operator hands downstream as the subscription, and how it reaches its upstream.
///
///     downstream ──holds──▶ Link ──holds──▶ upstream's subscription ──holds──▶ Driver ──holds──▶ downstream
///                                                                                └──holds──▶ Link
///
/// Only the upstream holds the driver, and only the driver the downstream. Cancelling drops the upstream's subscription
/// and makes it let go of the driver; so everything is released by whoever delivers, when no delivery is under way, and
/// the path of values needs no lock.
@usableFromInline
package final class Link: Subscription, Described {
  /// Where the operator stands.
  ///
  /// Values pass only while `early` or `live`.
  @usableFromInline
  enum Phase: UInt8 {
    /// No subscription has arrived, and values pass without one, as in Combine.
    case early
    /// The upstream may send.
    case live
    /// No subscription has arrived.
    case waiting
    /// One upstream has ended, the next has not come yet.
    case switching
    /// The last value is on its way, and after it the completion, unless a cancel comes first.
    case finishing
    /// Finished, failed or cancelled.
    case ended
  }

  /// What becomes of the downstream's demand.
  @usableFromInline
  package enum Policy {
    /// Goes on to the upstream as it is.
    case forward
    /// Goes on, together with so many values that the operator keeps to itself.
    case forwardAfter(Int)
    /// Goes on, so many times as much: each output is made of so many inputs.
    case forwardTimes(Int)
    /// Waits for the one result: the upstream is asked for everything.
    case unlimited

    /// What is asked of the upstream when the downstream asks for so much.
    @inlinable
    func asked(for demand: Subscribers.Demand) -> Subscribers.Demand {
      if case .forwardTimes(let count) = self { demand * count } else { demand }
    }
  }

  @usableFromInline
  struct State {
    @usableFromInline
    var upstream = SubscriptionSlot()

    /// All that the downstream has requested, less what was returned from a receive.
    @usableFromInline
    var requested = Subscribers.Demand.none

    /// Requests go on to the upstream as they come.
    @usableFromInline
    var isOpen: Bool

    /// Delivers what waits for demand.
    @usableFromInline
    var parked: (() -> Void)?

    /// It waits for the return of the delivery in which it was left, too.
    var isParkedInDelivery = false

    /// What the upstream is to be asked for in turn, and whether a thread is asking it.
    var toAsk = Subscribers.Demand.none
    var isAsking = false

    mutating func takeParked() -> (() -> Void)? {
      isParkedInDelivery ? nil : parked.take()
    }

    /// What the upstream is to be asked for, unless a thread is asking it: that thread goes on with it.
    mutating func takeRequest() -> (SubscriptionSlot, Subscribers.Demand)? {
      guard !isAsking, toAsk > .none, upstream.isFull else { return nil }
      isAsking = true
      defer { toAsk = .none }
      return (upstream, toAsk)
    }

    /// What was asked for and has not come.
    ///
    /// An upstream that sent more than that leaves nothing, not less.
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

  /// Whether demand that deliveries return is requested, too: then one thread at a time asks the upstream.
  @usableFromInline
  let requestsReturnedDemand: Bool

  @usableFromInline
  let name: StaticString

  // Both are formed where the types are known, and capture nothing, so they keep nothing alive.
  @usableFromInline
  let mirrored: () -> [MirrorPart]

  @usableFromInline
  let downstreamType: any Any.Type

  /// `mirrored` tells what mirrors show; `face` is what is shown of the downstream.
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
  package var reflected: [Mirror.Child] { reflected(downstream: nil) }

  /// What a mirror shows of the operator; `downstream` is the subscriber where it is known.
  @usableFromInline
  func reflected(downstream: Any?) -> [Mirror.Child] {
    let (requested, upstream) = state.withLock { ($0.requested, $0.upstream) }
    return mirrored().map { part in
      switch part {
      case .downstream: ("downstream", downstream ?? downstreamType)
      case .upstreamSubscription: ("upstreamSubscription", orNil(upstream.isFull ? upstream.content : nil))
      case .status: ("status", orNil(phase.now))
      case .finished: ("finished", phase.isNow(.ended))
      case .demand: ("demand", requested)
      case .count: ("count", orNil(policy.asked(for: .max(1)).max))
      case .state(let label, let type): (label, type)
      case .growing(let label, let start): (label, requested == .none ? start : Swift.type(of: start))
      }
    }
  }

  /// Whether values pass.
  ///
  /// Performance: `live` and `early` are one comparison, so the early events of other publishers cost a value nothing.
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
      return (state.isOpen ? state.upstream : SubscriptionSlot(), state.takeParked())
    }
    upstream.request(policy.asked(for: demand))
    parked?()
  }

  private func requestInTurn(_ demand: Subscribers.Demand) {
    let parked = state.withLock { state in
      state.requested += demand
      // An upstream that follows is asked for all that is outstanding.
      if state.isOpen, state.upstream.isFull { state.toAsk += policy.asked(for: demand) }
      return state.takeParked()
    }
    while let (upstream, demand) = state.withLock({ $0.takeRequest() }) {
      upstream.request(demand)
      state.withLock { $0.isAsking = false }
    }
    parked?()
  }

  @usableFromInline
  package func _outermostGate(of thread: UInt) -> _Gated? {
    state.withLock { $0.upstream.outermostGate(of: thread) }
  }

  @usableFromInline
  package func cancel() {
    let released = state.withLock { state in
      phase.move(to: .ended)
      return (state.upstream.take(), state.parked.take())
    }
    released.0.cancel()
  }

  // MARK: Upstream's side

  @usableFromInline
  enum Attachment {
    /// There is one already, or it is over: this one was cancelled.
    case refused
    /// The first: the downstream is to get the link.
    case first
    /// One that follows another, or values: ask it for what is still outstanding.
    case next(Subscribers.Demand)
  }

  /// Takes an upstream's subscription; `delivered` and `returned` tell what the downstream has got and asked meanwhile.
  @usableFromInline
  func attach(
    _ subscription: any Subscription, returned: Subscribers.Demand = .none, delivered: Int = 0
  ) -> Attachment {
    let result = state.withLock { state -> Attachment in
      let isFirst = phase.isNow(.waiting)
      guard isFirst || phase.isNow(.switching) || phase.isNow(.early) else { return .refused }
      state.upstream = SubscriptionSlot(subscription)
      state.toAsk = .none
      phase.move(to: .live)
      return isFirst ? .first : .next(state.outstanding(returned: returned, delivered: delivered))
    }
    if case .refused = result { subscription.cancel() }
    return result
  }

  /// The upstream has ended by itself; another may follow it, whose values pass early or not.
  ///
  /// False if a cancel came first.
  @usableFromInline
  func detach(to next: Phase = .switching) -> Bool {
    let (moved, upstream) = state.withLock { state in
      if phase.isNow(.ended) { return (false, SubscriptionSlot()) }
      // The downstream has not got the link yet: it gets it with the next upstream.
      if !phase.isNow(.waiting) { phase.move(to: next) }
      return (true, state.upstream.take())
    }
    return withExtendedLifetime(upstream) { moved }
  }

  /// Moves on from where values pass, letting go of the upstream.
  ///
  /// False if a cancel came first.
  @usableFromInline
  func end(_ next: Phase = .ended, cancelling: Bool) -> Bool {
    let (moved, upstream) = state.withLock { state in
      if phase.isNow(.ended) { return (false, SubscriptionSlot()) }
      phase.move(to: next)
      return (true, state.upstream.take())
    }
    if cancelling { upstream.cancel() }
    return moved
  }

  /// Ends from inside a value, cancelling the upstream.
  ///
  /// False if a cancel came first. The upstream's `cancel()` may be user code that cancels the operator, too. (C15)
  @usableFromInline
  func endByItself() -> Bool {
    end(.finishing, cancelling: true) && end(cancelling: false)
  }

  /// Asks the upstream for what the downstream has requested until now and so many more; later requests go on directly.
  ///
  /// Until then nothing is requested: the upstream may end in answer to the first request.
  @usableFromInline
  func open(askingFor count: Int) {
    let (upstream, demand) = state.withLock { state in
      state.isOpen = true
      return (state.upstream, state.requested + count)
    }
    if demand != .none { upstream.request(demand) }
  }

  /// A delivery has returned in which something was left to be done at the next request: does it if there is demand.
  @usableFromInline
  func unpark(returned: Subscribers.Demand, delivered: Int) {
    let parked = state.withLock { state in
      state.isParkedInDelivery = false
      return state.outstanding(returned: returned, delivered: delivered) > .none ? state.parked.take() : nil
    }
    parked?()
  }

  /// Leaves something to be done at the next request; false if there is demand already, and it is to be done now.
  @usableFromInline
  func park(
    returned: Subscribers.Demand, delivered: Int, isDelivering: Bool, _ work: @escaping () -> Void
  ) -> Bool {
    state.withLock { state in
      guard phase.isNow(.finishing) else { return true }
      guard state.outstanding(returned: returned, delivered: delivered) == .none else { return false }
      state.parked = work
      state.isParkedInDelivery = isDelivering
      return true
    }
  }
}
