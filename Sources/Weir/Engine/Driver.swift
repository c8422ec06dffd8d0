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

  /// Whether ``next(_:)`` may run a user's code: a closure, an operator of a user's type, or a `deinit`.
  ///
  /// Where it doesn't, nothing can re-enter the operation while it changes.
  static var runsUserCode: Bool { get }

  /// Whether the demand that the downstream returns from a delivery is requested of the upstream, instead of returned.
  static var requestsReturnedDemand: Bool { get }

  /// What goes on of that which a publisher sends before its subscription, against the rules: what Combine lets through.
  static var early: EarlyEvents { get }

  /// Whether the downstream has got its subscription before this is attached to the upstream.
  static var isAnnouncedEarly: Bool { get }

  /// The upstream has handed over its subscription.
  mutating func begin()

  mutating func next(_ input: Input) -> Step<Output, Failure>

  mutating func end(_ completion: Subscribers.Completion<UpstreamFailure>) -> LastStep<Output, Failure>

  /// What mirrors show.
  static var mirrored: [MirrorPart] { get }
}

/// Events that come before the subscription.
@usableFromInline
@frozen
package struct EarlyEvents: OptionSet {
  @usableFromInline
  package let rawValue: UInt8

  @inlinable
  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  @inlinable
  package static var values: EarlyEvents { EarlyEvents(rawValue: 1) }

  @inlinable
  package static var completion: EarlyEvents { EarlyEvents(rawValue: 2) }
}

extension Operation {
  @inlinable
  package var policy: Link.Policy { .forward }

  @inlinable
  package var isOver: Bool { false }

  @inlinable
  package static var mayEmitAtEnd: Bool { true }

  @inlinable
  package static var runsUserCode: Bool { true }

  @inlinable
  package static var requestsReturnedDemand: Bool { false }

  @inlinable
  package static var early: EarlyEvents { [] }

  @inlinable
  package static var isAnnouncedEarly: Bool { false }

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
/// Values take no lock: delivery is serial, and what another thread's cancel changes is the link's phase.
@usableFromInline
final class Driver<Work: Operation, Downstream: Subscriber>: _GuardedSubscriber, Subscription, Described
where Downstream.Input == Work.Output, Downstream.Failure == Work.Failure {
  @usableFromInline
  typealias Input = Work.Input

  @usableFromInline
  typealias Failure = Work.UpstreamFailure

  #if DEBUG
  @usableFromInline
  let liveObject = LiveObject("Driver")
  #endif

  // Safety: one thread at a time delivers, because a `StrictSubscriber` stands in front of every upstream that isn't
  // this library's. Only that thread accesses the properties below. `reentrancy` keeps calls out that user code makes
  // while `work` is being changed, so that no access to `work` begins inside another. (`StrictSubscriberTests`,
  // `ReentrancyTests`)
  @usableFromInline
  @exclusivity(unchecked)
  var work: Work

  @usableFromInline
  @exclusivity(unchecked)
  var reentrancy = ReentrancyGuard<Input, Failure>()

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

  /// The last value came before the subscription, when there was nothing to end: only a completion may follow.
  @usableFromInline
  @exclusivity(unchecked)
  var isUsedUp = false

  @usableFromInline
  let downstream: Downstream

  @usableFromInline
  let link: Link

  /// The name is another than the operation's own where several operators share it.
  @inlinable
  init(_ work: Work, name: StaticString = Work.name, downstream: Downstream) {
    self.work = work
    self.downstream = downstream
    link = Link(name, policy: work.policy, isRequestedInside: Work.requestsReturnedDemand) {
      (Work.mirrored, Downstream.self)
    }
  }

  @inlinable
  var _gates: AnyObject? { downstream._gates }

  @usableFromInline
  var description: String { link.description }

  @usableFromInline
  var reflected: [Mirror.Child] { link.reflected(downstream: downstream) }

  @inlinable
  func receive(subscription: any Subscription) {
    guard case .first = link.attach(subscription) else { return }
    assertNoLockIsHeld()
    _ = reentrancy.begin()
    work.begin()
    // Known before the downstream has the subscription: from then on another thread may request, and deliver.
    reentrancy.end()
    let isDrainNeeded = reentrancy.isPending
    if work.isOver, !isUsedUp {
      // The upstream is gone before the downstream can ask it for a value.
      guard link.end(.finishing, cancelling: true) else { return }
      downstream.receive(subscription: link)
      if link.end(cancelling: false) { downstream.receive(completion: .finished) }
      return
    }
    if isUsedUp { link.phase.move(from: .live, to: .switching) }
    if !Work.isAnnouncedEarly { downstream.receive(subscription: link) }
    if case .forwardAfter(let count) = link.policy { link.open(askingFor: count) }
    if case .unlimited = link.policy, link.isLive { subscription.request(.unlimited) }
    if isDrainNeeded { SubscriptionSlot(subscription).request(unlessNone: drain(answering: .none)) }
  }

  @inlinable
  @inline(__always)
  func receive(_ input: Work.Input) -> Subscribers.Demand {
    guard link.isLive else { return Work.early.contains(.values) ? receiveEarly(input) : .none }
    assertNoLockIsHeld()
    guard Work.runsUserCode else { return perform(work.next(input)) }
    guard reentrancy.begin() else { return enqueue(input) }
    let step = work.next(input)
    reentrancy.end()
    let more = perform(step)
    return reentrancy.isPending ? drain(answering: more) : more
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
      if link.end(.finishing, cancelling: true) { finish(emitting: output) }
    case .finish:
      complete(.finished)
    case .fail(let error):
      complete(.failure(error))
    }
    return .none
  }

  /// Ends by itself: a cancel that the upstream's cancel leads to comes first.
  @inlinable
  func complete(_ completion: Subscribers.Completion<Work.Failure>) {
    guard link.end(.finishing, cancelling: true) else { return }
    if link.end(cancelling: false) { downstream.receive(completion: completion) }
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Work.UpstreamFailure>) {
    guard link.isLive else { return receiveEarly(completion: completion) }
    assertNoLockIsHeld()
    guard reentrancy.begin() else { return reentrancy.enqueue(.completion(completion)) }
    let step = work.end(completion)
    reentrancy.end()
    perform(step)
    if reentrancy.isPending { _ = drain(answering: .none) }
  }

  @inlinable
  func perform(_ step: LastStep<Work.Output, Work.Failure>) {
    switch step {
    case .complete(let completion):
      if link.end(cancelling: false) { downstream.receive(completion: completion) }
    case .emit(let output):
      if link.end(.finishing, cancelling: false) { finish(emitting: output) }
    }
  }

  @inlinable
  @inline(__always)
  func deliver(_ output: Work.Output) -> Subscribers.Demand {
    // The operation may have run a closure that cancels, or that ends the upstream.
    guard link.isLive else { return .none }
    guard Work.mayEmitAtEnd else {
      let more = downstream.receive(output)
      return Work.requestsReturnedDemand ? request(returned: more) : more
    }
    delivered &+= 1
    depth &+= 1
    let more = downstream.receive(output)
    depth &-= 1
    return more == .none && link.isLive ? .none : passOn(more)
  }

  /// Counts demand that a delivery has brought, and sends what the end left while the delivery was in progress.
  ///
  /// Performance: out of line; inlined it makes the path of values that bring no demand 30 instructions longer.
  @inlinable
  @inline(never)
  func passOn(_ more: Subscribers.Demand) -> Subscribers.Demand {
    if Work.requestsReturnedDemand { return request(returned: more) }
    returned += more
    guard link.phase.isNow(.finishing) else { return link.policy.asked(for: more) }
    if depth == 0 { link.unpark(returned: returned, delivered: delivered) }
    return .none
  }

  /// Requests what the downstream has returned.
  @inlinable
  func request(returned more: Subscribers.Demand) -> Subscribers.Demand {
    link.request(more)
    return .none
  }

  @inlinable
  func finish(emitting output: Work.Output) {
    let finish = { [self] in
      assertNoLockIsHeld()
      _ = downstream.receive(output)
      if link.end(cancelling: false) { downstream.receive(completion: .finished) }
    }
    if !link.park(returned: returned, delivered: delivered, isDelivering: depth > 0, finish) { finish() }
  }

  // MARK: Before the subscription

  // Performance: out of line, and not a part of `perform(_:)`, so that the path of values stays short where it is inlined
  // (305 instructions instead of 261 for a pipeline). A publisher that sends before its subscription isn't this library's,
  // so a `StrictSubscriber` stands in front of it.

  /// Handles a value that comes when no subscription is there: before it, against the rules, or after the end.
  @inlinable
  @inline(never)
  func receiveEarly(_ input: Work.Input) -> Subscribers.Demand {
    guard link.phase.isNow(.waiting), !work.isOver else { return .none }
    guard reentrancy.begin() else { return enqueue(input) }
    let step = work.next(input)
    reentrancy.end()
    let more = performEarly(step)
    return reentrancy.isPending ? drain(answering: more) : more
  }

  @inlinable
  func performEarly(_ step: Step<Work.Output, Work.Failure>) -> Subscribers.Demand {
    // The operation may have run a closure that cancels.
    guard link.phase.isNow(.waiting) else { return .none }
    switch step {
    case .emit(let output), .emitAndFinish(let output):
      // Without a subscription there is nothing to end, as in Combine.
      if case .emitAndFinish = step { isUsedUp = true }
      delivered &+= 1
      let more = downstream.receive(output)
      returned += more
      return more
    case .skip: return work.demandForSkipped
    case .finish: break
    case .fail(let error):
      if link.end(cancelling: false, isEarly: true) { downstream.receive(completion: .failure(error)) }
    }
    return .none
  }

  /// The same for a completion.
  @inlinable
  @inline(never)
  func receiveEarly(completion: Subscribers.Completion<Work.UpstreamFailure>) {
    guard admitsEarlyCompletion else { return Reports.late(completion) }
    guard reentrancy.begin() else { return reentrancy.enqueue(.completion(completion)) }
    let step = work.end(completion)
    reentrancy.end()
    performEarly(step)
    if reentrancy.isPending { _ = drain(answering: .none) }
  }

  @inlinable
  var admitsEarlyCompletion: Bool {
    link.phase.isNow(.waiting) ? Work.early.contains(.completion) : link.phase.isNow(.switching)
  }

  @inlinable
  func performEarly(_ step: LastStep<Work.Output, Work.Failure>) {
    guard link.end(cancelling: false, isEarly: true) else { return }
    switch step {
    case .complete(let completion): downstream.receive(completion: completion)
    case .emit(let output):
      _ = downstream.receive(output)
      downstream.receive(completion: .finished)
    }
  }

  // MARK: Re-entrancy

  @inlinable
  @inline(never)
  func enqueue(_ input: Work.Input) -> Subscribers.Demand {
    reentrancy.enqueue(.value(input))
    return .none
  }

  /// Handles what arrived while the operation was being changed; the result is the demand that it brought, added to `demand`.
  ///
  /// Performance: never specialized. It is rare, and a copy for each pipeline would hold all of the pipeline's code once
  /// more.
  @usableFromInline
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  func drain(answering demand: Subscribers.Demand) -> Subscribers.Demand {
    var more = demand
    while let events = reentrancy.takePending() {
      for event in events {
        switch event {
        case .value(let input) where link.isLive: more += perform(work.next(input))
        case .value(let input) where Work.early.contains(.values) && link.phase.isNow(.waiting) && !work.isOver:
          more += performEarly(work.next(input))
        case .completion(let completion) where link.isLive: perform(work.end(completion))
        case .completion(let completion) where admitsEarlyCompletion: performEarly(work.end(completion))
        case .value, .completion: break
        }
      }
    }
    return more
  }

  // The downstream has the link. Before it has, nobody but the upstream gets here, which has only itself to cancel.

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    if !link.phase.isNow(.waiting) { link.request(demand) }
  }

  @usableFromInline
  func cancel() {
    if !link.phase.isNow(.waiting) { link.cancel() }
  }
}
