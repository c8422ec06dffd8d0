/// The part of a ``Hop`` without type parameters, and the subscription that it sends downstream.
///
///     upstream's thread ──▶ values ──▶ hop on the scheduler ──▶ downstream
///
/// One hop is scheduled for each event, or one for all events that are pending when the hop arrives. The first hop to
/// arrive takes the oldest event. So the order is preserved on a concurrent scheduler, and the completion never
/// overtakes a value.
///
/// One thread at a time delivers. A hop that arrives meanwhile on another thread delivers nothing. The delivering
/// thread then schedules one additional hop, and the next hop delivers the events of all that arrived. One hop delivers
/// at most ``HandOver/limit`` values. Another one, which is scheduled behind the scheduler's other work, delivers the
/// rest.
///
/// No thread but those of the scheduler delivers values, so a thread that sends is never kept.
@usableFromInline
class HopSubscription: Subscription, OperatorReflectable, OperatorSubscriber {
  @usableFromInline
  enum Action {
    /// Deliver events as this thread's turn.
    case deliver
    /// Deliver the subscription.
    case announce
    /// Release the values and the downstream, after a cancellation.
    case release
  }

  /// What is released at the end, because a scheduler can retain this object with its pending work.
  @usableFromInline
  struct Context {
    /// Schedules the action of a hop; an overdue one as soon as possible.
    @usableFromInline
    let schedule: (_ action: @escaping () -> Void, _ isOverdue: Bool) -> Void

    @usableFromInline
    let timeout: HopTimeout?
  }

  @usableFromInline
  struct Content {
    @usableFromInline
    var state: HopState

    @usableFromInline
    var context: Context?
  }

  @usableFromInline
  final let content: Locked<Content>

  /// Performs an action where the types are known; returns whether a hop must be scheduled behind it.
  private final let act: (HopSubscription, Action) -> Bool

  private final let name: StaticString

  @usableFromInline
  init(
    _ name: StaticString, drains: Bool, timeout: HopTimeout?,
    schedule: @escaping (_ action: @escaping () -> Void, _ isOverdue: Bool) -> Void,
    act: @escaping (HopSubscription, Action) -> Bool
  ) {
    self.name = name
    self.act = act
    content = Locked(
      Content(state: HopState(drains: drains), context: Context(schedule: schedule, timeout: timeout)))
  }

  @usableFromInline
  final var description: String { name.description }

  @usableFromInline
  final func _outermostGate(of thread: UInt) -> _Gated? {
    content.withLock { $0.state.upstream.outermostGate(of: thread) }
  }

  // Declared here, because a class that inherits this requirement's default could not override it.
  @usableFromInline
  var mirrorChildren: [Mirror.Child] { [] }

  // MARK: Downstream's side

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    if demand == .none { return }
    let (timeout, number, first) = content.withLock { content -> (HopTimeout?, Int, HopState.Request?) in
      if content.state.request(demand), let timeout = content.context?.timeout {
        return (timeout, content.state.timer, nil)
      }
      return (nil, 0, content.state.takeRequest())
    }
    timeout?.start(number, for: self)
    if let next = timeout == nil ? first : content.withLock({ $0.state.takeRequest() }) { send(next) }
  }

  /// Requests demand from the upstream, and what other threads leave to this one.
  private func send(_ request: HopState.Request) {
    var next: HopState.Request? = request
    while let request = next {
      assertNoLockIsHeld()
      request.upstream.request(request.demand)
      next = content.withLock { $0.state.takeNextRequest() }
    }
  }

  @usableFromInline
  func cancel() {
    let thread = currentThread()
    let (cancellation, context) = content.withLock { content -> (HopState.Cancellation?, Context?) in
      let cancellation = content.state.cancel(on: thread)
      return (cancellation, cancellation == nil ? nil : content.context.take())
    }
    guard let cancellation else { return }
    if cancellation.releases { _ = act(self, .release) }
    context?.timeout?.stop()
    cancellation.upstream.cancel()
  }

  // MARK: Upstream's side

  /// Takes the upstream's first subscription, and delivers this one; returns whether the upstream can send now.
  @usableFromInline
  @discardableResult
  final func receive(subscription: any Subscription) -> Bool {
    let (object, thread) = (subscription._object, currentThread())
    let early = subscription._earlyDemand(isToConnect: false)
    guard content.withLock({ $0.state.subscribed(object, early: early, on: thread) }) else {
      subscription.cancel()
      return false
    }
    assertNoLockIsHeld()
    _ = act(self, .announce)
    let (announced, isOpen, isMoreAsked, timeout, number) = content.withLock { content in
      (
        content.state.announced(), content.state.isOpen, content.state.isMoreToRequest, content.context?.timeout,
        content.state.timer
      )
    }
    guard let needsHop = announced else {
      _ = act(self, .release)
      return false
    }
    timeout?.start(number, for: self)
    if needsHop { deliverMissed() }
    if isMoreAsked, let request = content.withLock({ $0.state.takeRequest() }) { send(request) }
    return isOpen
  }

  @usableFromInline
  final func receive(erased completion: AnyCompletion) {
    let (stored, context, needsHop) = content.withLock { content -> (OptionalSubscription?, Context?, Bool) in
      guard let upstream = content.state.completed(completion) else { return (nil, nil, false) }
      return (upstream, content.context, content.state.needsHop())
    }
    guard let upstream = stored else { return Reports.late(completion) }
    withExtendedLifetime(upstream) {
      context?.timeout?.stop()
      if needsHop { context?.schedule(arrival, false) }
    }
  }

  // MARK: Scheduler's side

  /// The action of a hop.
  ///
  /// Performance: the closure captures only this object, so it needs no allocation.
  @usableFromInline
  final var arrival: () -> Void { { self.arrive(isOverdue: false) } }

  /// A hop has arrived.
  @usableFromInline
  final func arrive(isOverdue: Bool) {
    if deliver(isOverdue: isOverdue) { deliverMissed() }
  }

  /// Delivers if no other thread does; returns whether another hop must be scheduled.
  @inline(__always)
  private func deliver(isOverdue: Bool) -> Bool {
    let thread = currentThread()
    let delivers = content.withLock { $0.state.arrive(isOverdue: isOverdue, on: thread) }
    return delivers && act(self, .deliver)
  }

  /// Schedules a hop for the events that earlier hops left.
  ///
  /// A scheduler that runs actions inline would nest such hops, one in the other. So they deliver from here.
  private func deliverMissed() {
    repeat {
      guard let context = content.withLock({ $0.context }) else { return }
      if isDeferred({ self.arrive(isOverdue: true) }, by: { context.schedule($0, true) }) { return }
    } while deliver(isOverdue: true)
  }

  /// The interval of a timeout has ended.
  final func expire(_ number: Int) {
    let expired = content.withLock { content in
      content.state.expire(number).map { ($0, content.context?.timeout) }
    }
    guard let (upstream, timeout) = expired else { return }
    timeout?.stop()
    upstream.cancel()
    guard let completion = timeout?.completion() else { return }
    content.withLock { $0.state.expired(with: completion) }
    // This runs on the scheduler, so it can deliver a pending event or the completion. The scheduled hops deliver the
    // rest.
    arrive(isOverdue: false)
  }
}

/// The timer of `timeout`.
@usableFromInline
final class HopTimeout {
  private let slot = TimerSlot()
  private let schedule: (@escaping () -> Void) -> any Cancellable

  /// Creates the completion when the interval ends.
  fileprivate let completion: () -> AnyCompletion

  /// `schedule` schedules an action for the end of the interval.
  @usableFromInline
  init(
    completion: @escaping () -> AnyCompletion, schedule: @escaping (@escaping () -> Void) -> any Cancellable
  ) {
    self.completion = completion
    self.schedule = schedule
  }

  /// Starts the interval, which replaces that of an earlier timer.
  @usableFromInline
  func start(_ number: Int, for hop: HopSubscription) {
    slot.start(number) { schedule { hop.expire(number) } }
  }

  fileprivate func stop() {
    slot.stop(.max)
  }
}
