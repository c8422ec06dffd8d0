public import Synchronization

/// The observers of subscriptions: the enabled witnesses and the tracer.
@usableFromInline
enum IntrospectionRegistry {
  /// Whether there are any.
  ///
  /// Performance: the only check of a subscription if there are none.
  @usableFromInline
  static let hasWitnesses = Atomic<Bool>(false)

  private struct State {
    var witnesses: [any _Introspection] = []
    var tracing = Tracing.off
    var isReporting = false
  }

  // Safety: the lock protects every access to its content. A witness is called outside of the lock, on any thread.
  // (`IntrospectionTests`)
  private nonisolated(unsafe) static let state = Locked(State())

  private static func change(_ change: (inout State) -> Void) {
    // The old list can hold the last reference to a witness, which must not be released under the lock.
    let before = state.withLock { state in
      let before = state
      change(&state)
      hasWitnesses.store(!state.witnesses.isEmpty || state.tracing > .off, ordering: .relaxed)
      AssemblySites.isRecording.store(state.tracing == .assembly, ordering: .relaxed)
      Reports.isReporting.store(state.isReporting || state.tracing > .off, ordering: .relaxed)
      return before
    }
    withExtendedLifetime(before) {}
  }

  static var now: [any _Introspection] { state.withLock { $0.witnesses } }

  static func change(_ change: (inout [any _Introspection]) -> Void) {
    self.change { (state: inout State) in change(&state.witnesses) }
  }

  static var tracing: Tracing {
    get { state.withLock { $0.tracing } }
    set { change { (state: inout State) in state.tracing = newValue } }
  }

  /// Records whether there is a hook for reports.
  static func setReporting(_ isReporting: Bool) {
    change { (state: inout State) in state.isReporting = isReporting }
  }

  static func tell(_ step: (any _Introspection) -> Void) {
    for witness in now { step(witness) }
  }

  /// Subscribes while there are witnesses.
  ///
  /// Performance: it is never specialized, because each specialization would create another for the previous operator.
  @usableFromInline
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  static func subscribe<Upstream: Publisher, Downstream: Subscriber>(_ subscriber: Downstream, to publisher: Upstream)
  where Upstream.Failure == Downstream.Failure, Upstream.Output == Downstream.Input {
    let known = introspectedSubscriber(subscriber)
    if let known, let inner = known.inner as? AnySubscriber<Upstream.Output, Upstream.Failure> {
      // The subscriber has passed unchanged through another publisher's `receive(subscriber:)`.
      tell { $0.willReceive(publisher: publisher, subscriber: inner) }
      let node = known.node.flatMap { makeNode(of: publisher, subscriber, downstream: $0) }
      if let node {
        let wrapper = NotifyingSubscriber(subscriber: subscriber, node: node, notifies: false)
        TraceScope(node: node, isSubscribing: true).run { publisher.receive(subscriber: wrapper) }
      } else {
        publisher.receive(subscriber: subscriber)
      }
      tell { $0.didReceive(publisher: publisher, subscriber: inner) }
    } else {
      tell { $0.willReceive(publisher: publisher, subscriber: subscriber) }
      let node = makeNode(of: publisher, subscriber, downstream: operatorThatSubscribes(subscriber))
      let wrapper = NotifyingSubscriber(subscriber: subscriber, node: node, notifies: true)
      if let node {
        TraceScope(node: node, isSubscribing: true).run { publisher.receive(subscriber: wrapper) }
      } else {
        publisher.receive(subscriber: wrapper)
      }
      tell { $0.didReceive(publisher: publisher, subscriber: subscriber) }
    }
  }

  /// Attaches an operator's downstream while there are witnesses.
  @usableFromInline
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  static func attach<Upstream: Publisher>(
    _ downstream: consuming Downstream<Upstream.Output, Upstream.Failure>, to publisher: Upstream
  ) {
    subscribe(Border(downstream), to: publisher)
  }

  private static func makeNode<Upstream: Publisher, Downstream: Subscriber>(
    of publisher: Upstream, _ subscriber: Downstream, downstream: TraceNode?
  ) -> TraceNode? {
    tracing == .off ? nil : TraceNode(publisher, subscriber: subscriber, downstream: downstream)
  }

  /// Returns the operator to which a subscriber belongs, or `nil` for one at the end of a pipeline.
  ///
  /// The subscribers of Weir's operators are known. Other subscribers belong to an operator only if they subscribe
  /// while it is being subscribed to. A subscription that a closure makes for a value is a pipeline of its own.
  private static func operatorThatSubscribes(_ subscriber: some Subscriber) -> TraceNode? {
    let scope = TraceScope.current
    let border = subscriber as? any ConditionalOperatorSubscriber
    if border?.isInner ?? (subscriber is any OperatorSubscriber) { return scope.node }
    let shown = border?.erased ?? subscriber
    return scope.isSubscribing && !(shown is any OperatorReflectable) ? scope.node : nil
  }
}

/// A subscriber that notifies witnesses.
protocol IntrospectedSubscriber {
  /// The wrapped subscriber, type-erased.
  var inner: Any { get }

  var node: TraceNode? { get }
}

/// Returns the notifying wrapper that a subscriber is or contains.
func introspectedSubscriber(_ subscriber: Any) -> (any IntrospectedSubscriber)? {
  (subscriber as? any ErasingSubscriber)?.erased as? any IntrospectedSubscriber ?? subscriber
    as? any IntrospectedSubscriber
}

/// A type-erasing subscriber.
protocol ErasingSubscriber {
  var erased: Any { get }
}

/// Forwards every event, and notifies the witnesses before and after.
private struct NotifyingSubscriber<Downstream: Subscriber>: Subscriber, CustomStringConvertible, IntrospectedSubscriber
{
  let subscriber: Downstream

  let node: TraceNode?

  /// Whether this wrapper notifies witnesses; false if the subscriber was wrapped already.
  let notifies: Bool

  var inner: Any {
    notifies ? AnySubscriber(subscriber) : introspectedSubscriber(subscriber)?.inner ?? AnySubscriber(subscriber)
  }

  var combineIdentifier: CombineIdentifier { subscriber.combineIdentifier }

  var description: String { String(describing: subscriber) }

  func receive(subscription: any Subscription) {
    let known = subscription as? NotifyingSubscription
    let inner = known?.subscription ?? subscription
    let wrapper = NotifyingSubscription(subscription: inner, nodes: (node.map { [$0] } ?? []) + (known?.nodes ?? []))
    traced {
      $0.subscribed()
    } then: {
      tell { $0.willReceive(subscriber: subscriber, subscription: inner) }
      subscriber.receive(subscription: wrapper)
      tell { $0.didReceive(subscriber: subscriber, subscription: inner) }
    }
  }

  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    let more = traced {
      $0.received()
    } then: {
      tell { $0.willReceive(subscriber: subscriber, input: input) }
      let more = subscriber.receive(input)
      tell { $0.didReceive(subscriber: subscriber, input: input, resultingDemand: more) }
      return more
    }
    if more > .none { node?.requested(more) }
    return more
  }

  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    traced {
      $0.completed(completion)
    } then: {
      tell { $0.willReceive(subscriber: subscriber, completion: completion) }
      subscriber.receive(completion: completion)
      tell { $0.didReceive(subscriber: subscriber, completion: completion) }
    }
  }

  private func tell(_ step: (any _Introspection) -> Void) {
    if notifies { IntrospectionRegistry.tell(step) }
  }

  /// Records an event, reports its fault, and forwards it in the scope of the receiving operator.
  private func traced<Result>(_ note: (TraceNode) -> Conduct.Fault?, then pass: () -> Result) -> Result {
    guard let node else { return pass() }
    var scope = TraceScope(node: node.downstream, delivery: node, isTold: TraceScope.current.isTold)
    if let fault = note(node), !scope.isTold {
      scope.isTold = true
      Reports.report(fault, at: node)
    }
    return scope.run(pass)
  }
}

/// Forwards every event, and notifies the witnesses before and after.
private struct NotifyingSubscription: Subscription, CustomStringConvertible {
  let subscription: any Subscription

  /// The nodes of the subscribers through which it was forwarded, the last one first.
  let nodes: [TraceNode]

  var combineIdentifier: CombineIdentifier { subscription.combineIdentifier }

  var description: String { String(describing: subscription) }

  func request(_ demand: Subscribers.Demand) {
    for node in nodes { node.requested(demand) }
    IntrospectionRegistry.tell { $0.willRequest(subscription: subscription, demand) }
    TraceScope(node: nodes.last).run { subscription.request(demand) }
    IntrospectionRegistry.tell { $0.didRequest(subscription: subscription, demand) }
  }

  func _earlyDemand(isToConnect: Bool) -> Subscribers.Demand { subscription._earlyDemand(isToConnect: isToConnect) }

  func _outermostGate(of thread: UInt) -> _Gated? { subscription._outermostGate(of: thread) }

  func cancel() {
    for node in nodes { node.cancelled() }
    IntrospectionRegistry.tell { $0.willCancel(subscription: subscription) }
    subscription.cancel()
    IntrospectionRegistry.tell { $0.didCancel(subscription: subscription) }
  }
}

extension AnySubscriber: ErasingSubscriber {}
