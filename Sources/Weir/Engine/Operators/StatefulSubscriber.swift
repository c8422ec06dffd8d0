/// Runs an operator between its upstream and its downstream.
///
/// Values take no lock. The upstream delivers serially, and a cancel on another thread changes only the link's phase.
@usableFromInline
final class StatefulSubscriber<Operator: StatefulOperator>: Reentrant, Subscriber, Subscription, OperatorReflectable {
  @usableFromInline
  typealias Input = Operator.Input

  @usableFromInline
  typealias Failure = Operator.UpstreamFailure

  // Safety: only a step accesses `logic`, and only the one thread that delivers the other three, under the invariants
  // of `Reentrant`. No access to those three lasts while user code runs. (`ReentrancyTests`, `Reentry`,
  // `Threads/careless`)

  /// The operator.
  @usableFromInline
  @exclusivity(unchecked)
  var logic: Operator

  @usableFromInline
  @exclusivity(unchecked)
  var delivered = 0

  @usableFromInline
  @exclusivity(unchecked)
  var returned = Subscribers.Demand.none

  /// The number of nested deliveries in flight.
  ///
  /// Only operators that may send a value at the completion count them.
  @usableFromInline
  @exclusivity(unchecked)
  var depth = 0

  @usableFromInline
  let downstream: BorrowedDownstream<Operator.Output, Operator.Failure>

  @usableFromInline
  let link: OperatorSubscription

  /// Publishers that share an operator pass a name of their own.
  @inlinable
  init(
    _ logic: consuming Operator, name: StaticString = Operator.name,
    downstream: consuming Downstream<Operator.Output, Operator.Failure>
  ) {
    link = OperatorSubscription(
      name, policy: logic.policy, requestsReturnedDemand: Operator.requestsReturnedDemand,
      passesEarlyValues: Operator.early.values, showing: { Operator.mirrored },
      of: downstream.face)
    self.logic = logic
    self.downstream = BorrowedDownstream(downstream)
    super.init()
  }

  @usableFromInline
  var description: String { link.description }

  @usableFromInline
  var mirrorChildren: [Mirror.Child] { link.mirrorChildren(downstream: downstream.shown) }

  /// The downstream of the upstream.
  ///
  /// Performance: its functions capture only this object, so they need no allocation in a debug build.
  @inlinable
  @inline(__always)
  var events: Downstream<Operator.Input, Operator.UpstreamFailure> {
    Downstream(
      face: Face({ self }, type: downstream.functions.face.type(inFrontOf: StatefulSubscriber.self)),
      begin: { self.receive(subscription: $0) },
      end: { self.receive(completion: $0) }, next: { self.receive($0) })
  }

  @inlinable
  func receive(subscription: any Subscription) {
    if isPending { return postpone(subscription) }
    if subscription._isScalar { return receive(scalar: subscription) }
    if attach(subscription) { subscription.request(drain()) }
  }

  /// Passes the subscription of a scalar publisher on, whose one value needs no request.
  @inlinable
  @inline(never)
  func receive(scalar subscription: any Subscription) {
    guard link.attachScalar() else { return subscription.cancel() }
    assertNoLockIsHeld()
    _ = beginStep()
    logic.begin()
    endStep()
    if !Operator.early.subscription { downstream.functions.begin(subscription) }
    if logic.isTerminated, link.end(cancelling: false) {
      subscription.cancel()
      finish()
    }
  }

  // Performance: the three `postpone` methods aren't inlinable. Only an event that a closure of this operator causes
  // runs them, and specialized for each operator they made a client's code 7 % larger.

  /// Enqueues a subscription that arrived during the step of an early value.
  @usableFromInline
  func postpone(_ subscription: any Subscription) {
    enqueueAction { [self] in _ = attach(subscription) }
  }

  /// Takes the first subscription, and sends the link downstream.
  ///
  /// Returns true if events were enqueued meanwhile.
  @inlinable
  func attach(_ subscription: any Subscription) -> Bool {
    if case .refused = link.attach(subscription) { return false }
    assertNoLockIsHeld()
    _ = beginStep()
    logic.begin()
    endStep()
    // No demand was requested for early values.
    delivered = 0
    // Read before the downstream has the link: it may request on another thread then, and values may arrive there.
    let hasPending = isPending
    if logic.isTerminated {
      // The upstream is cancelled before the downstream can request a value.
      guard link.end(.finishing, cancelling: true) else { return false }
      downstream.functions.begin(link)
      if link.end(cancelling: false) { finish() }
      return false
    }
    if !Operator.early.subscription { downstream.functions.begin(link) }
    // Early values may have changed the operator's policy. No other values arrive before the link is open.
    if case .forwardAfter = link.policy, case .forwardAfter(let count) = logic.policy { link.open(askingFor: count) }
    if case .unlimited = link.policy, link.isLive { subscription.request(.unlimited) }
    return hasPending
  }

  @inlinable
  @inline(__always)
  func receive(_ input: Operator.Input) -> Subscribers.Demand {
    guard link.isLive else { return .none }
    assertNoLockIsHeld()
    guard Operator.runsUserCode else { return perform(input) }
    guard beginStep() else { return postpone(input) }
    let more = perform(input)
    return isPending ? drain(answering: more) : more
  }

  /// Enqueues an input that arrived during a step.
  @usableFromInline
  func postpone(_ input: Operator.Input) -> Subscribers.Demand {
    enqueue { [self] in link.isLive ? perform(input) : .none }
    return .none
  }

  /// Runs the operator for an input, which ends the step, and performs its result.
  ///
  /// Performance: one function handles the result, because in a debug build each one looks its type up.
  @inlinable
  @inline(__always)
  func perform(_ input: Operator.Input) -> Subscribers.Demand {
    switch step(input) {
    case .emit(let output):
      return deliver(output)
    case .skip:
      return logic.demandForSkipped
    case .emitAndFinish(let output):
      if link.end(.finishing, cancelling: true) { finish(emitting: output) }
    case .emitLast(let output):
      // As in Combine, there is nothing to complete before the subscription.
      if Operator.early.values, link.phase.isNow(.early) { return deliver(output) }
      guard link.beginLastValue() else { break }
      _ = downstream.functions.next(output)
      if link.endByItself() { finish() }
    case .finish:
      if link.endByItself() { finish() }
    case .fail(let error):
      if link.endByItself() { fail(error) }
    }
    return .none
  }

  @inlinable
  @inline(__always)
  func step(_ input: Operator.Input) -> OperatorResult<Operator.Output, Operator.Failure> {
    defer { endStep() }
    return logic.next(input)
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Operator.UpstreamFailure>) {
    guard isDue(completion) else { return }
    assertNoLockIsHeld()
    guard beginStep() else { return postpone(completion) }
    let step = logic.end(completion)
    endStep()
    perform(step)
    if isPending { _ = drain() }
  }

  @usableFromInline
  func postpone(_ completion: Subscribers.Completion<Operator.UpstreamFailure>) {
    enqueueAction { [self] in
      if isDue(completion) { perform(logic.end(completion)) }
    }
  }

  /// Whether a completion is forwarded: after the subscription, or before it where Combine forwards it.
  @inlinable
  func isDue(_ completion: Subscribers.Completion<Operator.UpstreamFailure>) -> Bool {
    if link.phase.isNow(.live) || Operator.early.completion && link.isUnattached { return true }
    if !link.releaseUpstreamOfLastValue() { Reports.late(completion) }
    return false
  }

  @inlinable
  func perform(_ step: OperatorCompletion<Operator.Output, Operator.Failure>) {
    switch step {
    case .complete(let completion):
      if link.end(cancelling: false) { downstream.functions.end(completion) }
    case .emit(let output):
      if link.end(.finishing, cancelling: false) { finish(emitting: output) }
    }
  }

  @inlinable
  @inline(__always)
  func deliver(_ output: Operator.Output) -> Subscribers.Demand {
    // The operator may have run a closure that cancels or that completes the upstream.
    guard link.isLive else { return .none }
    guard Operator.mayEmitAtEnd else { return answer(downstream.functions.next(output)) }
    delivered &+= 1
    depth &+= 1
    let more = downstream.functions.next(output)
    depth &-= 1
    return more == .none && link.isLive ? .none : passOn(more)
  }

  @inlinable
  @inline(__always)
  func answer(_ more: Subscribers.Demand) -> Subscribers.Demand {
    guard Operator.requestsReturnedDemand, more != .none else { return more }
    link.request(more)
    return .none
  }

  /// Counts the demand that a delivery has returned, and sends the pending last value.
  ///
  /// Performance: out of line. Inlined, it takes 30 instructions from values that return no demand.
  @inlinable
  @inline(never)
  func passOn(_ returnedDemand: Subscribers.Demand) -> Subscribers.Demand {
    let more = answer(returnedDemand)
    returned += more
    guard link.phase.isNow(.finishing) else { return link.policy.asked(for: more) }
    if depth == 0 { link.unpark(returned: returned, delivered: delivered) }
    return .none
  }

  // Performance: two functions, because in a debug build each call that names a completion looks its type up.

  @inlinable
  func finish() {
    downstream.functions.end(.finished)
  }

  @inlinable
  func fail(_ error: Operator.Failure) {
    downstream.functions.end(.failure(error))
  }

  @inlinable
  func finish(emitting output: Operator.Output) {
    let finish = { [self] in
      assertNoLockIsHeld()
      _ = downstream.functions.next(output)
      if link.end(cancelling: false) { self.finish() }
    }
    if !link.park(returned: returned, delivered: delivered, isDelivering: depth > 0, finish) { finish() }
  }

  // The downstream cancels through `link`. Until it has received `link`, only the upstream can call these methods.

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    if !link.isUnattached { link.request(demand) }
  }

  @usableFromInline
  func cancel() {
    if !link.isUnattached { link.cancel() }
  }
}

extension Publisher {
  /// Attaches a downstream through an operator with state.
  @inlinable
  package func attach<Operator: StatefulOperator>(
    _ downstream: consuming Downstream<Operator.Output, Operator.Failure>, through logic: consuming Operator,
    named name: StaticString = Operator.name
  ) where Operator.Input == Output, Operator.UpstreamFailure == Failure {
    attach(.running(logic, named: name, to: downstream))
  }
}

extension Downstream {
  /// The downstream of an operator's upstream.
  @inlinable
  @inline(never)
  static func running<Operator: StatefulOperator>(
    _ logic: consuming Operator, named name: StaticString,
    to downstream: consuming Downstream<Operator.Output, Operator.Failure>
  ) -> Downstream where Operator.Input == Input, Operator.UpstreamFailure == Failure {
    let subscriber = StatefulSubscriber(logic, name: name, downstream: downstream)
    if Operator.early.subscription { subscriber.downstream.functions.begin(subscriber.link) }
    return subscriber.events
  }
}
