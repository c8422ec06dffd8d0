/// What an operation answers to one input.
@usableFromInline
@frozen
package enum Step<Output, Failure: Error> {
  /// Send this on.
  case emit(Output)
  /// Send nothing; the upstream may send another in its place.
  case skip
  /// Send this on, and it was the last.
  case emitAndFinish(Output)
  /// End without sending anything.
  case finish
  /// Stop with an error.
  case fail(Failure)
}

/// What an operation answers to the end of its upstream.
@usableFromInline
@frozen
package enum LastStep<Output, Failure: Error> {
  /// End the same way.
  case complete(Subscribers.Completion<Failure>)
  /// Send this as soon as there is demand for it, then finish.
  case emit(Output)
}

/// What passes an operator when its upstream sends it before the subscription, against the rules: as much as in Combine.
///
/// All else is dropped.
///
/// Performance: it is no option set. Looking into one takes thousands of instructions in a debug build.
@usableFromInline
@frozen
package struct EarlyEvents {
  /// The downstream gets its own subscription at once, not when the upstream's arrives.
  @usableFromInline
  let subscription: Bool

  @usableFromInline
  let values: Bool

  @usableFromInline
  let completion: Bool

  @inlinable
  package init(subscription: Bool = false, values: Bool = false, completion: Bool = false) {
    self.subscription = subscription
    self.values = values
    self.completion = completion
  }
}

/// An operator with state over one upstream, reduced to what it does with its inputs.
///
/// A ``Driver`` does the rest: the hand-over of the subscription, demand, cancellation, the end, serial delivery.
@usableFromInline
package protocol Operation<Input, Output> {
  associatedtype Input
  associatedtype Output
  associatedtype UpstreamFailure: Error
  associatedtype Failure: Error

  /// The name that subscribers and subscriptions show.
  static var name: StaticString { get }

  /// What becomes of the downstream's demand.
  var policy: Link.Policy { get }

  /// Whether there is nothing to wait for from the beginning.
  var isOver: Bool { get }

  /// Whether it may send a value at the end, for which there has to be demand: only then is it counted.
  static var mayEmitAtEnd: Bool { get }

  /// The demand that replaces a skipped value.
  var demandForSkipped: Subscribers.Demand { get }

  /// Whether demand that a value brings back is requested, as in Combine: some publishers ignore what `receive(_:)` returns.
  static var requestsReturnedDemand: Bool { get }

  /// Whether ``next(_:)`` may run user code: a closure, an operator of a user's type, or the `deinit` of a value.
  ///
  /// Where it doesn't, nothing can re-enter the operation while it changes.
  static var runsUserCode: Bool { get }

  /// What passes before the upstream's subscription.
  static var early: EarlyEvents { get }

  /// The upstream has handed over its subscription.
  mutating func begin()

  mutating func next(_ input: Input) -> Step<Output, Failure>

  mutating func end(_ completion: Subscribers.Completion<UpstreamFailure>) -> LastStep<Output, Failure>

  /// What mirrors show.
  static var mirrored: [MirrorPart] { get }
}

extension Operation {
  @inlinable
  package var policy: Link.Policy { .forward }

  @inlinable
  package var isOver: Bool { false }

  @inlinable
  package static var mayEmitAtEnd: Bool { true }

  @inlinable
  package static var requestsReturnedDemand: Bool { false }

  @inlinable
  package static var runsUserCode: Bool { true }

  @inlinable
  package static var early: EarlyEvents { EarlyEvents() }

  @inlinable
  package var demandForSkipped: Subscribers.Demand {
    if case .unlimited = policy { .none } else { .max(1) }
  }

  @inlinable
  @inline(__always)
  package mutating func begin() {}

  @usableFromInline
  package static var mirrored: [MirrorPart] { [] }
}

extension Operation where UpstreamFailure == Failure {
  @inlinable
  package mutating func end(_ completion: Subscribers.Completion<UpstreamFailure>) -> LastStep<Output, Failure> {
    .complete(completion)
  }
}

/// Runs an operation between its upstream and its downstream.
///
/// Values take no lock: the upstream delivers serially, and what another thread's cancel changes is the link's phase.
@usableFromInline
final class Driver<Work: Operation>: Reentrant, Subscriber, Subscription, Described {
  @usableFromInline
  typealias Input = Work.Input

  @usableFromInline
  typealias Failure = Work.UpstreamFailure

  // Safety: only a step accesses `work`, and only the one thread that delivers the other three, under the invariants of
  // `Reentrant`. No access to those three lasts while user code runs. (`ReentrancyTests`, `Reentry`, `Threads/careless`)

  @usableFromInline
  @exclusivity(unchecked)
  var work: Work

  @usableFromInline
  @exclusivity(unchecked)
  var delivered = 0

  @usableFromInline
  @exclusivity(unchecked)
  var returned = Subscribers.Demand.none

  /// How many deliveries are in progress, one inside the other; counted only by operators that may send a value at the end.
  @usableFromInline
  @exclusivity(unchecked)
  var depth = 0

  @usableFromInline
  let downstream: BorrowedDownstream<Work.Output, Work.Failure>

  @usableFromInline
  let link: Link

  /// The name is another than the operation's own where several operators share it.
  @inlinable
  init(_ work: consuming Work, name: StaticString = Work.name, downstream: Downstream<Work.Output, Work.Failure>) {
    link = Link(
      name, policy: work.policy, requestsReturnedDemand: Work.requestsReturnedDemand,
      passesEarlyValues: Work.early.values, showing: { Work.mirrored },
      of: downstream.face)
    self.work = work
    self.downstream = BorrowedDownstream(downstream)
    super.init()
  }

  @usableFromInline
  var description: String { link.description }

  @usableFromInline
  var reflected: [Mirror.Child] { link.reflected(downstream: downstream.shown) }

  @inlinable
  func receive(subscription: any Subscription) {
    if isPending { return leave(subscription) }
    if attach(subscription) { SubscriptionSlot(subscription).request(drain()) }
  }

  /// Leaves a subscription that came during the step of an early value.
  @inlinable
  @inline(never)
  func leave(_ subscription: any Subscription) {
    enqueueAction { [self] in _ = attach(subscription) }
  }

  /// Takes the first subscription, and hands the link downstream; true if something was left meanwhile.
  @inlinable
  func attach(_ subscription: any Subscription) -> Bool {
    if case .refused = link.attach(subscription) { return false }
    assertNoLockIsHeld()
    _ = beginStep()
    work.begin()
    endStep()
    // Early values were nobody's demand.
    delivered = 0
    // Read here: the downstream may request on another thread once it has the link, and values may arrive there.
    let hasPending = isPending
    if work.isOver {
      // The upstream is gone before the downstream can ask it for a value.
      guard link.end(.finishing, cancelling: true) else { return false }
      downstream.functions.begin(link)
      if link.end(cancelling: false) { finish() }
      return false
    }
    if !Work.early.subscription { downstream.functions.begin(link) }
    // Early values have changed the operation's policy. No other values arrive before this is open.
    if case .forwardAfter = link.policy, case .forwardAfter(let count) = work.policy { link.open(askingFor: count) }
    if case .unlimited = link.policy, link.isLive { subscription.request(.unlimited) }
    return hasPending
  }

  @inlinable
  @inline(__always)
  func receive(_ input: Work.Input) -> Subscribers.Demand {
    guard link.isLive else { return .none }
    assertNoLockIsHeld()
    guard Work.runsUserCode else { return perform(work.next(input)) }
    guard beginStep() else { return leave(input) }
    let step = work.next(input)
    endStep()
    let more = perform(step)
    return isPending ? drain(answering: more) : more
  }

  /// Leaves an input that came during a step.
  @inlinable
  @inline(never)
  func leave(_ input: Work.Input) -> Subscribers.Demand {
    enqueue { [self] in link.isLive ? perform(work.next(input)) : .none }
    return .none
  }

  @inlinable
  @inline(__always)
  func perform(_ step: Step<Work.Output, Work.Failure>) -> Subscribers.Demand {
    switch step {
    case .emit(let output):
      return deliver(output)
    case .skip:
      return work.demandForSkipped
    case .emitAndFinish(let output):
      // As in Combine, there is nothing to end before the subscription.
      if Work.early.values, link.phase.isNow(.early) { return deliver(output) }
      if link.end(.finishing, cancelling: true) { finish(emitting: output) }
    case .finish:
      if link.endByItself() { finish() }
    case .fail(let error):
      if link.endByItself() { fail(error) }
    }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Work.UpstreamFailure>) {
    guard isDue(completion) else { return }
    assertNoLockIsHeld()
    guard beginStep() else { return leave(completion) }
    let step = work.end(completion)
    endStep()
    perform(step)
    if isPending { _ = drain() }
  }

  @inlinable
  @inline(never)
  func leave(_ completion: Subscribers.Completion<Work.UpstreamFailure>) {
    enqueueAction { [self] in
      if isDue(completion) { perform(work.end(completion)) }
    }
  }

  /// Whether a completion comes in time: after the subscription, or as early as Combine passes it on.
  @inlinable
  func isDue(_ completion: Subscribers.Completion<Work.UpstreamFailure>) -> Bool {
    if link.phase.isNow(.live) || Work.early.completion && link.isUnattached { return true }
    Reports.late(completion)
    return false
  }

  @inlinable
  func perform(_ step: LastStep<Work.Output, Work.Failure>) {
    switch step {
    case .complete(let completion):
      if link.end(cancelling: false) { downstream.functions.end(completion) }
    case .emit(let output):
      if link.end(.finishing, cancelling: false) { finish(emitting: output) }
    }
  }

  @inlinable
  @inline(__always)
  func deliver(_ output: Work.Output) -> Subscribers.Demand {
    // The operation may have run a closure that cancels, or that ends the upstream.
    guard link.isLive else { return .none }
    guard Work.mayEmitAtEnd else { return answer(downstream.functions.next(output)) }
    delivered &+= 1
    depth &+= 1
    let more = downstream.functions.next(output)
    depth &-= 1
    return more == .none && link.isLive ? .none : passOn(more)
  }

  @inlinable
  @inline(__always)
  func answer(_ more: Subscribers.Demand) -> Subscribers.Demand {
    guard Work.requestsReturnedDemand, more != .none else { return more }
    link.request(more)
    return .none
  }

  /// Counts demand that a delivery has brought, and sends what the end has left meanwhile.
  ///
  /// Out of line: inlined it makes the path of values that bring none 30 instructions longer.
  @inlinable
  @inline(never)
  func passOn(_ returnedDemand: Subscribers.Demand) -> Subscribers.Demand {
    let more = answer(returnedDemand)
    returned += more
    guard link.phase.isNow(.finishing) else { return link.policy.asked(for: more) }
    if depth == 0 { link.unpark(returned: returned, delivered: delivered) }
    return .none
  }

  // Performance: the two below are apart, because each call of what names a completion looks its type up in a debug build.

  @inlinable
  func finish() {
    downstream.functions.end(.finished)
  }

  @inlinable
  func fail(_ error: Work.Failure) {
    downstream.functions.end(.failure(error))
  }

  @inlinable
  func finish(emitting output: Work.Output) {
    let finish = { [self] in
      assertNoLockIsHeld()
      _ = downstream.functions.next(output)
      if link.end(cancelling: false) { self.finish() }
    }
    if !link.park(returned: returned, delivered: delivered, isDelivering: depth > 0, finish) { finish() }
  }

  // The downstream has the link. Before it has, nobody but the upstream gets here, which has only itself to cancel.

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
  /// Attaches a downstream behind an operation with state.
  @inlinable
  package func attach<Work: Operation>(
    _ downstream: Downstream<Work.Output, Work.Failure>, through work: consuming Work,
    named name: StaticString = Work.name
  ) where Work.Input == Output, Work.UpstreamFailure == Failure {
    attach(.running(work, named: name, to: downstream))
  }
}

extension Downstream {
  /// What an operation's upstream sends to.
  @inlinable
  @inline(never)
  static func running<Work: Operation>(
    _ work: consuming Work, named name: StaticString, to downstream: Downstream<Work.Output, Work.Failure>
  ) -> Downstream where Work.Input == Input, Work.UpstreamFailure == Failure {
    let driver = Driver(work, name: name, downstream: downstream)
    if Work.early.subscription { downstream.begin(driver.link) }
    return Downstream(driver)
  }
}
