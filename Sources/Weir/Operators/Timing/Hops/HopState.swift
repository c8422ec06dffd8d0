/// What a ``HopSubscription`` decides under its lock.
///
/// Events and hops are counted here. The values are stored where their type is known.
@usableFromInline
struct HopState {
  enum Phase {
    /// The upstream has not sent its subscription. Only the upstream has access to this one, and its calls have no
    /// effect.
    case waiting
    /// Events are accepted; the downstream may still be receiving its subscription.
    case running
    /// The interval of a timeout has ended, and its completion is being created.
    case expiring
    /// A completion is pending, perhaps behind earlier values.
    case ending
    /// Finished, failed or cancelled.
    case terminated
  }

  /// What the delivering thread does next.
  @usableFromInline
  enum Turn {
    /// Deliver the oldest value.
    case value
    case complete(AnyCompletion)
    /// Nothing: another thread may deliver from now on. Perhaps a hop must be scheduled for those that found this one.
    case rest(needsHop: Bool)
    /// The subscription was cancelled: release what the delivering thread owns.
    case release
  }

  private(set) var phase = Phase.waiting

  /// Whether the upstream's events are accepted.
  ///
  /// Performance: stored. In a debug build, a comparison of phases calls a function.
  @usableFromInline
  private(set) var isOpen = false

  private(set) var upstream = OptionalSubscription()
  private var completion: AnyCompletion?

  /// Whether one hop takes all pending events.
  private let drains: Bool

  /// The number of values that have not been delivered.
  private var pending = 0

  /// The thread that delivers, also the subscription, or 0.
  private var deliverer: UInt = 0

  /// Whether that thread delivers the subscription; a completion can be pending already.
  private var isAnnouncing = false

  /// The number of arrived hops that can still deliver an event.
  private var arrived = 0

  /// The number of arrived hops that found another thread delivering; 1 for any number that take all events.
  private var missed = 0

  /// A hop that takes all pending events has been scheduled and has not arrived.
  private var isUnderWay = false

  /// A hop for the missed events has been scheduled and has not arrived.
  private var isMakingUp = false

  /// The demand that is still to be requested from the upstream, and whether a thread is requesting.
  private var toRequest = Subscribers.Demand.none
  private var isRequesting = false

  /// How much of the demand may be requested while the downstream receives its subscription.
  ///
  /// Until then, all values that the upstream sends in answer are pending.
  private var early = Subscribers.Demand.none

  /// Whether the downstream has requested values.
  private var isAsked = false

  /// The number of the latest timer; earlier ones have no effect.
  @usableFromInline
  private(set) var timer = 0

  init(drains: Bool = false) {
    self.drains = drains
  }

  // MARK: Upstream's side

  /// Takes the upstream's subscription; returns `false` if it must be cancelled.
  mutating func subscribed(
    _ subscription: SubscriptionObject, early: Subscribers.Demand, on thread: UInt
  ) -> Bool {
    guard case .waiting = phase else { return false }
    phase = .running
    self.early = early
    isOpen = true
    upstream = OptionalSubscription(subscription)
    deliverer = thread
    isAnnouncing = true
    return true
  }

  /// The downstream has received its subscription.
  ///
  /// - Returns: whether a hop must be scheduled, or `nil` if the downstream has cancelled.
  mutating func announced() -> Bool? {
    if case .terminated = phase { return nil }
    isAnnouncing = false
    timer += 1
    return rest()
  }

  /// Counts a value; returns `false` if it is ignored.
  @usableFromInline
  mutating func admit() -> Bool {
    guard isOpen else { return false }
    pending += 1
    timer += 1
    return true
  }

  /// Stores the completion, and returns the upstream for its release; `nil` if the completion is ignored.
  mutating func completed(_ completion: AnyCompletion) -> OptionalSubscription? {
    guard isOpen else { return nil }
    end(with: completion)
    return upstream.take()
  }

  private mutating func end(with completion: AnyCompletion) {
    phase = .ending
    isOpen = false
    self.completion = completion
  }

  /// Whether a hop must be scheduled for an event.
  @usableFromInline
  mutating func needsHop() -> Bool {
    if isUnderWay || drains && isMakingUp { return false }
    isUnderWay = drains
    return true
  }

  // MARK: Timeout

  /// Ends the interval of this timer, and returns the upstream to cancel; `nil` for an outdated timer.
  ///
  /// A timer that a request starts inside the subscription is replaced when the downstream has received it.
  mutating func expire(_ number: Int) -> OptionalSubscription? {
    guard number == timer, !isAnnouncing, case .running = phase else { return nil }
    phase = .expiring
    isOpen = false
    return upstream.take()
  }

  /// Stores the completion of a timeout, unless the subscription was cancelled meanwhile.
  mutating func expired(with completion: AnyCompletion) {
    if case .expiring = phase { end(with: completion) }
  }

  // MARK: Scheduler's side

  /// Counts a hop that has arrived; returns whether this thread delivers now.
  mutating func arrive(isOverdue: Bool, on thread: UInt) -> Bool {
    if isOverdue { isMakingUp = false } else { isUnderWay = false }
    switch phase {
    case .waiting, .terminated: return false
    case .running, .expiring, .ending: break
    }
    if isAnnouncing || deliverer != 0 && deliverer != thread {
      if drains { missed = 1 } else if !isOverdue { missed += 1 }
      return false
    }
    // A hop during a delivery, from a nested run loop for instance, extends the delivery that is in progress.
    let due = arrived + (drains ? pending + 1 : missed + (isOverdue ? 0 : 1))
    arrived = min(due, HandOver.limit)
    if drains {
      missed = pending + (completion == nil ? 0 : 1) > arrived ? 1 : 0
    } else {
      missed = due - arrived
    }
    defer { deliverer = thread }
    return deliverer == 0
  }

  /// What the delivering thread does next.
  @usableFromInline
  mutating func next() -> Turn {
    if case .terminated = phase { return .release }
    if arrived > 0 {
      if pending > 0 {
        arrived -= 1
        pending -= 1
        return .value
      }
      if let completion = completion.take() {
        phase = .terminated
        return .complete(completion)
      }
      arrived = 0
    }
    return .rest(needsHop: rest())
  }

  /// Lets other threads deliver; returns whether a hop must be scheduled for those that found this one delivering, or
  /// for the events beyond its limit.
  ///
  /// They don't schedule it themselves: on an idle scheduler, it would arrive again and again until this thread has
  /// finished.
  private mutating func rest() -> Bool {
    deliverer = 0
    if pending == 0, completion == nil { missed = 0 }
    if missed == 0 || isMakingUp { return false }
    isMakingUp = true
    return true
  }

  /// Whether this thread can access the downstream, because no other thread delivers.
  func maySee(_ thread: UInt) -> Bool { deliverer == 0 || deliverer == thread }

  // MARK: Downstream's side

  /// Adds demand; returns `true` if this request restarts the interval of a timeout.
  mutating func request(_ demand: Subscribers.Demand) -> Bool {
    if case .waiting = phase { return false }
    toRequest += demand
    guard !isAsked, isOpen else { return false }
    isAsked = true
    timer += 1
    return true
  }

  /// A request to the upstream.
  struct Request {
    let upstream: SubscriptionObject
    let demand: Subscribers.Demand
  }

  var isMoreToRequest: Bool { toRequest > .none }

  /// Takes the demand to request from the upstream, unless another thread is requesting: that thread requests it.
  mutating func takeRequest() -> Request? {
    let demand = isAnnouncing ? min(toRequest, early) : toRequest
    guard !isRequesting, demand > .none, isOpen, let upstream = upstream.content else { return nil }
    isRequesting = true
    if isAnnouncing, early != .unlimited { early -= demand }
    toRequest = demand == toRequest ? .none : toRequest - demand
    return Request(upstream: upstream, demand: demand)
  }

  /// The same when a request has returned.
  mutating func takeNextRequest() -> Request? {
    isRequesting = false
    return takeRequest()
  }

  /// What a cancellation leaves to be done without the lock.
  struct Cancellation {
    let upstream: OptionalSubscription

    /// A completion that was pending, for its release.
    let dropped: AnyCompletion?

    /// Whether this thread releases the downstream, because no thread delivers.
    let releases: Bool
  }

  /// Ends without a completion; returns `nil` after the end, and before the upstream's subscription.
  mutating func cancel(on thread: UInt) -> Cancellation? {
    switch phase {
    case .waiting, .terminated: return nil
    case .running, .expiring, .ending: phase = .terminated
    }
    isOpen = false
    let releases = deliverer == 0
    if releases { deliverer = thread }
    return Cancellation(upstream: upstream.take(), dropped: completion.take(), releases: releases)
  }
}
