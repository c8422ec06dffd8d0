/// The closures that observe a subscription.
///
/// Performance: noncopyable, so that a subscriber takes them over without a copy of each.
@usableFromInline
struct TapHooks<Output, Failure: Error>: ~Copyable {
  @usableFromInline
  var receiveSubscription: ((any Subscription) -> Void)?

  @usableFromInline
  var receiveOutput: ((Output) -> Void)?

  @usableFromInline
  var receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?

  @usableFromInline
  var receiveCancel: (() -> Void)?

  @usableFromInline
  var receiveRequest: ((Subscribers.Demand) -> Void)?

  /// Called with the demand that is returned for a value, also after a cancel.
  ///
  /// Without it, `receiveRequest` is called, but not after a cancel.
  @usableFromInline
  var receiveReturnedDemand: ((Subscribers.Demand) -> Void)?

  /// Whether the hooks for requests and cancellations are also called after the end.
  @usableFromInline
  var observesLateCalls: Bool

  @inlinable
  init(
    receiveSubscription: ((any Subscription) -> Void)? = nil, receiveOutput: ((Output) -> Void)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil, receiveCancel: (() -> Void)? = nil,
    receiveRequest: ((Subscribers.Demand) -> Void)? = nil,
    receiveReturnedDemand: ((Subscribers.Demand) -> Void)? = nil, observesLateCalls: Bool = false
  ) {
    self.receiveSubscription = receiveSubscription
    self.receiveOutput = receiveOutput
    self.receiveCompletion = receiveCompletion
    self.receiveCancel = receiveCancel
    self.receiveRequest = receiveRequest
    self.receiveReturnedDemand = receiveReturnedDemand
    self.observesLateCalls = observesLateCalls
  }

  /// Whether they observe nothing between the subscription and the end but values.
  @inlinable
  var observeOnlyValues: Bool { receiveCompletion == nil && receiveCancel == nil && receiveRequest == nil }
}

/// Forwards every event unchanged, and calls its hooks before, for `handleEvents` and `print`.
@usableFromInline
final class Tap<Input, Failure: Error>: Subscriber, Subscription, OperatorReflectable {
  @usableFromInline
  let hooks: TapHooks<Input, Failure>

  @usableFromInline
  let downstream: BorrowedDownstream<Input, Failure>

  @usableFromInline
  let subscription: TapSubscription

  @inlinable
  init(
    _ name: StaticString, hooks: consuming TapHooks<Input, Failure>, downstream: consuming Downstream<Input, Failure>
  ) {
    subscription = TapSubscription(
      name, observesLateCalls: hooks.observesLateCalls, onRequest: hooks.receiveRequest, onCancel: hooks.receiveCancel)
    self.hooks = hooks
    self.downstream = BorrowedDownstream(downstream)
  }

  @usableFromInline
  var description: String { subscription.description }

  /// The downstream of the upstream.
  ///
  /// Performance: its functions capture only this object, so they need no allocation in a debug build.
  @inlinable
  @inline(__always)
  var events: Downstream<Input, Failure> {
    Downstream(
      face: Face({ self }, type: faceType), begin: { self.receive(subscription: $0) },
      end: { self.receive(completion: $0) }, next: { self.receive($0) })
  }

  /// Hides the type of a scalar publisher's subscription from a hook.
  @inlinable
  var faceType: any Any.Type {
    if hooks.receiveSubscription != nil { return Tap.self }
    return downstream.functions.face.type(inFrontOf: Tap.self)
  }

  @inlinable
  func receive(subscription upstream: any Subscription) {
    assertNoLockIsHeld()
    guard let receiveSubscription = hooks.receiveSubscription else {
      if subscription.attach(upstream) {
        // The one value of a scalar publisher is received before the downstream can cancel.
        downstream.functions.begin(upstream._isScalar && hooks.observeOnlyValues ? upstream : subscription)
      }
      return
    }
    // The hook, or another thread during the hook, can complete the upstream. Invariant: the subscription is delivered
    // before the completion. An operator that joins publishers ignores an earlier completion, and would wait forever.
    // (`HandleEventsTests`)
    subscription.holdCompletion()
    receiveSubscription(upstream)
    let complete = subscription.takeCompletion()
    if subscription.attach(upstream) { downstream.functions.begin(subscription) }
    complete?()
  }

  @inlinable
  func receive(_ value: Input) -> Subscribers.Demand {
    if subscription.upstreamSlot.isTerminated { return .none }
    assertNoLockIsHeld()
    if let receiveOutput = hooks.receiveOutput {
      receiveOutput(value)
      if subscription.upstreamSlot.isTerminated { return .none }
    }
    let more = downstream.functions.next(value)
    if more > .none { returned(more) }
    return more
  }

  @inlinable
  func returned(_ more: Subscribers.Demand) {
    if let receiveReturnedDemand = hooks.receiveReturnedDemand {
      receiveReturnedDemand(more)
    } else if !subscription.upstreamSlot.isTerminated {
      hooks.receiveRequest?(more)
    }
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    if case .some = hooks.receiveSubscription {
      let isKept = subscription.keepCompletion { self.receive(completion: completion) }
      if isKept { return }
    }
    guard subscription.finish() else { return Reports.late(completion) }
    assertNoLockIsHeld()
    hooks.receiveCompletion?(completion)
    downstream.functions.end(completion)
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    subscription.request(demand)
  }

  // The downstream cancels through `subscription`. Until it has received `subscription`, only the upstream can call
  // this method, and only the hook is called.
  @usableFromInline
  func cancel() {
    if subscription.upstreamSlot.phase.isNow(.waiting) { hooks.receiveCancel?() } else { subscription.cancel() }
  }
}

/// The subscription that a tap sends downstream.
@usableFromInline
final class TapSubscription: Subscription, OperatorReflectable {
  private struct Hooks {
    var onRequest: ((Subscribers.Demand) -> Void)?
    var onCancel: (() -> Void)?
    /// Whether the hook for the subscription is running.
    var isHeld = false
    /// Delivers the completion that arrived while the hook was running.
    var complete: (() -> Void)?
  }

  @usableFromInline
  let upstreamSlot = SingleAssignmentSubscription()

  /// The operator's name; without one, the upstream's name is the description.
  private let name: StaticString?

  /// The upstream's name, which is needed after the upstream has been released.
  private let upstreamName = Locked<String?>(nil)

  private let hooks: Locked<Hooks>

  /// Whether requests and cancellations after the end are observed, too.
  private let observesLateCalls: Bool

  /// Whether its publisher connects a subject to an upstream.
  let isToConnect: Bool

  @usableFromInline
  init(
    _ name: StaticString?, observesLateCalls: Bool = false, isToConnect: Bool = false,
    onRequest: ((Subscribers.Demand) -> Void)? = nil, onCancel: (() -> Void)? = nil
  ) {
    self.name = name
    self.observesLateCalls = observesLateCalls
    self.isToConnect = isToConnect
    hooks = Locked(Hooks(onRequest: onRequest, onCancel: onCancel))
  }

  @usableFromInline
  var description: String {
    name?.description ?? upstreamName.withLock { $0 } ?? "Subscription"
  }

  /// Stores the upstream's subscription; returns `false` if there is one already, or after the termination.
  @usableFromInline
  func attach(_ upstream: any Subscription) -> Bool {
    if name == nil {
      // Performance: describing a value takes 4,000 instructions, and the upstream of `share` has a name.
      let known = (upstream as? TapSubscription)?.name?.description ?? String(describing: upstream)
      upstreamName.withLock { $0 = known }
    }
    return upstreamSlot.attach(upstream)
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    if demand == .none { return }
    hooks.withLock { $0.onRequest }?(demand)
    upstreamSlot.subscription.withLock { $0 }.request(demand)
  }

  @usableFromInline
  func _outermostGate(of thread: UInt) -> _Gated? { upstreamSlot.outermostGate(of: thread) }

  @usableFromInline
  func cancel() {
    release().onCancel?()
    upstreamSlot.cancel()
  }

  @usableFromInline
  func finish() -> Bool {
    let isFirst = upstreamSlot.finish()
    if isFirst { _ = release() }
    return isFirst
  }

  /// Withholds a completion from now on.
  @usableFromInline
  func holdCompletion() { hooks.withLock { $0.isHeld = true } }

  /// Stores a completion if completions are withheld.
  @usableFromInline
  func keepCompletion(_ complete: @escaping () -> Void) -> Bool {
    hooks.withLock { hooks in
      if hooks.isHeld, hooks.complete == nil { hooks.complete = complete }
      return hooks.isHeld
    }
  }

  /// Returns the withheld completion, and withholds none from now on.
  @usableFromInline
  func takeCompletion() -> (() -> Void)? {
    hooks.withLock { hooks in
      hooks.isHeld = false
      return hooks.complete.take()
    }
  }

  private func release() -> Hooks {
    hooks.withLock { hooks in
      let released = hooks
      hooks = observesLateCalls ? Hooks(onRequest: released.onRequest, onCancel: released.onCancel) : Hooks()
      return released
    }
  }
}

extension Downstream {
  /// Returns a downstream that receives this subscription instead of the upstream's.
  @inlinable
  @inline(never)
  func resubscribed(with subscription: TapSubscription, returnsDemand: Bool = true) -> Downstream {
    SubscriptionReplacingSubscriber(subscription, returnsDemand: returnsDemand, downstream: self).events
  }

  /// The same for a member of one of Weir's subjects, which delivers the values directly.
  @inlinable
  @inline(never)
  func resubscribed(asMemberWith subscription: TapSubscription) -> Downstream {
    SubscriptionReplacingSubscriber(subscription, downstream: self).eventsOfSubject
  }

  /// The same for a subscription with this name; `onCancel` is called before a cancellation.
  ///
  /// `isToConnect` if the publisher connects the subject to an upstream.
  @inlinable
  package func member(named name: StaticString, isToConnect: Bool, onCancel: @escaping () -> Void) -> Downstream {
    resubscribed(asMemberWith: TapSubscription(name, isToConnect: isToConnect, onCancel: onCancel))
  }
}

/// Forwards every event unchanged, and replaces the upstream's subscription by its own.
@usableFromInline
final class SubscriptionReplacingSubscriber<Input, Failure: Error>: Subscriber, OperatorReflectable {
  @usableFromInline
  let subscription: TapSubscription

  @usableFromInline
  let downstream: BorrowedDownstream<Input, Failure>

  /// Whether demand that a value brings is returned rather than requested.
  @usableFromInline
  let returnsDemand: Bool

  @inlinable
  init(_ subscription: TapSubscription, returnsDemand: Bool = true, downstream: consuming Downstream<Input, Failure>) {
    self.subscription = subscription
    self.returnsDemand = returnsDemand
    self.downstream = BorrowedDownstream(downstream)
  }

  @usableFromInline
  var combineIdentifier: CombineIdentifier { subscription.combineIdentifier }

  @usableFromInline
  var description: String { subscription.description }

  /// The downstream of the upstream.
  ///
  /// Performance: its functions capture only this object, so they need no allocation in a debug build.
  @inlinable
  @inline(__always)
  var events: Downstream<Input, Failure> {
    Downstream(
      face: Face({ self }, type: SubscriptionReplacingSubscriber.self), begin: { self.receive(subscription: $0) },
      end: { self.receive(completion: $0) }, next: { self.receive($0) })
  }

  /// The same for one of Weir's subjects: it sends no value to a member after the end, and adds the returned demand.
  ///
  /// Performance: so the values bypass this object.
  @inlinable
  @inline(__always)
  var eventsOfSubject: Downstream<Input, Failure> {
    Downstream(
      face: Face({ self }, type: SubscriptionReplacingSubscriber.self), begin: { self.receive(subscription: $0) },
      end: { self.receive(completion: $0) }, next: downstream.functions.next)
  }

  @inlinable
  func receive(subscription upstream: any Subscription) {
    if subscription.attach(upstream) { downstream.functions.begin(subscription) }
  }

  @inlinable
  func receive(_ value: Input) -> Subscribers.Demand {
    if subscription.upstreamSlot.isTerminated { return .none }
    let more = downstream.functions.next(value)
    if more == .none || returnsDemand { return more }
    subscription.request(more)
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    guard subscription.finish() else { return Reports.late(completion) }
    downstream.functions.end(completion)
  }
}
