/// Forwards the values of upstreams that follow one another: behind `append`, `prepend`, `catch`, `retry` and
/// `repeated`.
///
/// Invariant: one upstream is attached at a time, and the next one only when no delivery is in progress. So one thread
/// at a time delivers, without a lock. The outstanding demand is requested from the next upstream.
/// (`SubscriptionArbiterTests`)
@usableFromInline
final class SubscriptionArbiter<Output, Failure: Error> {
  @usableFromInline
  let downstream: BorrowedDownstream<Output, Failure>

  @usableFromInline
  let link: OperatorSubscription

  /// Whether an upstream may complete before its subscription, as in Combine's `retry`.
  @usableFromInline
  let passesEarlyCompletion: Bool

  // Safety: only the one thread that hands over or delivers accesses the four properties below; no source delivers
  // while it hands its subscription over. The next upstream, which may deliver on another thread, is attached when no
  // delivery is in progress. (`SubscriptionArbiterTests/follows`, `HandingOverTests`, `Threads/succession`,
  // `Threads/request-elsewhere`, `SourceInterleavingTests/successions`)

  @usableFromInline
  @exclusivity(unchecked)
  var delivered = 0

  @usableFromInline
  @exclusivity(unchecked)
  var returned = Subscribers.Demand.none

  /// The number of nested deliveries in flight.
  @usableFromInline
  @exclusivity(unchecked)
  var depth = 0

  /// Attaches the next upstream after the delivery in which the previous one completed has returned.
  @usableFromInline
  @exclusivity(unchecked)
  var successor: (() -> Void)?

  @inlinable
  init(
    _ name: StaticString, requestsReturnedDemand: Bool = false, passesEarlyCompletion: Bool = false,
    showing mirrored: @escaping () -> [MirrorPart] = { [] }, downstream: consuming Downstream<Output, Failure>
  ) {
    self.passesEarlyCompletion = passesEarlyCompletion
    link = OperatorSubscription(
      name, policy: .forward, requestsReturnedDemand: requestsReturnedDemand, showing: mirrored, of: downstream.face)
    self.downstream = BorrowedDownstream(downstream)
  }

  @inlinable
  var isLive: Bool {
    link.isLive
  }

  /// Whether a completion is forwarded.
  @inlinable
  var mayComplete: Bool {
    isLive || passesEarlyCompletion && link.isUnattached
  }

  @inlinable
  func receive(subscription: any Subscription) {
    assertNoLockIsHeld()
    switch link.attach(subscription, counted: (returned, delivered)) {
    case .refused: break
    case .first:
      // The upstream may complete during this call.
      depth &+= 1
      downstream.functions.begin(link)
      depth &-= 1
      attachSuccessor()
    case .next(let request): link.make(request)
    }
  }

  @inlinable
  @inline(__always)
  func receive(_ value: Output) -> Subscribers.Demand {
    guard isLive else { return .none }
    delivered &+= 1
    assertNoLockIsHeld()
    depth &+= 1
    let more = downstream.functions.next(value)
    depth &-= 1
    return more == .none ? .none : passOn(more)
  }

  /// Counts the demand that a delivery has returned, or requests it.
  @inlinable
  @inline(never)
  func passOn(_ more: Subscribers.Demand) -> Subscribers.Demand {
    if link.requestsReturnedDemand {
      link.request(more)
      return .none
    }
    returned += more
    return more
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    assertNoLockIsHeld()
    if link.end(cancelling: false) { downstream.functions.end(completion) }
  }

  /// Attaches the next upstream as soon as no delivery is in flight.
  @usableFromInline
  func follow(by attach: @escaping () -> Void) {
    if depth > 0 { successor = attach } else { attach() }
  }

  /// Continues with a publisher as soon as no delivery is in flight; `end` decides what follows its completion.
  @inlinable
  func follow<Next: Publisher>(
    by next: Next, end: @escaping ArbitratedSubscriber<Output, Next.Failure, Failure>.End
  ) where Next.Output == Output {
    if depth > 0 { successor = { [self] in attach(next, end: end) } } else { attach(next, end: end) }
  }

  @inlinable
  func attach<Next: Publisher>(
    _ next: Next, end: @escaping ArbitratedSubscriber<Output, Next.Failure, Failure>.End
  ) where Next.Output == Output {
    if let only = next._scalarValue, link.switchToScalar() {
      _ = receive(only)
      return receive(completion: .finished)
    }
    next.attach(ArbitratedSubscriber(self, end: end).events)
  }

  @usableFromInline
  @inline(never)
  func attachSuccessor() {
    guard depth == 0, let attach = successor.take(), !link.phase.isNow(.terminated) else { return }
    attach()
  }
}

/// The subscriber of one of the upstreams that follow one another; `end` decides what follows.
@usableFromInline
final class ArbitratedSubscriber<Input, Failure: Error, DownstreamFailure: Error>: Subscriber, Subscription,
  OperatorReflectable
{
  @usableFromInline
  typealias End = (Subscribers.Completion<Failure>, SubscriptionArbiter<Input, DownstreamFailure>) -> Void

  @usableFromInline
  let arbiter: SubscriptionArbiter<Input, DownstreamFailure>

  @usableFromInline
  let end: End

  // Safety: only the one thread that delivers for this upstream accesses it, see `Reentrant`.
  // (`SubscriptionArbiterTests`, `Threads/succession`)
  @usableFromInline
  @exclusivity(unchecked)
  var isTerminated = false

  @inlinable
  init(_ arbiter: SubscriptionArbiter<Input, DownstreamFailure>, end: @escaping End) {
    self.arbiter = arbiter
    self.end = end
  }

  @usableFromInline
  var description: String { arbiter.link.description }

  @usableFromInline
  var mirrorChildren: [Mirror.Child] { arbiter.link.mirrorChildren(downstream: arbiter.downstream.shown) }

  @usableFromInline
  var combineIdentifier: CombineIdentifier { arbiter.link.combineIdentifier }

  /// The downstream of the upstream.
  ///
  /// Performance: its functions capture only this object, so they need no allocation in a debug build.
  @inlinable
  @inline(__always)
  var events: Downstream<Input, Failure> {
    Downstream(
      face: Face({ self }, type: arbiter.downstream.functions.face.type(inFrontOf: ArbitratedSubscriber.self)),
      begin: { self.receive(subscription: $0) },
      end: { self.receive(completion: $0) }, next: { self.receive($0) })
  }

  @inlinable
  func receive(subscription: any Subscription) {
    if isTerminated { subscription.cancel() } else { arbiter.receive(subscription: subscription) }
  }

  @inlinable
  func receive(_ value: Input) -> Subscribers.Demand {
    if isTerminated { return .none }
    let more = arbiter.receive(value)
    guard isTerminated else { return more }
    // The upstream completed during the delivery, so the next one gets this demand.
    arbiter.attachSuccessor()
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    if isTerminated || !arbiter.mayComplete { return Reports.late(completion) }
    isTerminated = true
    end(completion, arbiter)
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    arbiter.link.request(demand)
  }

  @usableFromInline
  func cancel() {
    arbiter.link.cancel()
  }
}
