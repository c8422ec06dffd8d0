public import Synchronization

/// Stands between a publisher that isn't known to keep the rules of delivery and a subscriber of this library.
///
///     a program's publisher ──▶ StrictSubscriber ──▶ operator, sink, subject
///     a program's subscription ◀── StrictSubscription ◀──
///
/// - Rule 1.3: one thread at a time gets to the subscriber. Another one leaves its event and returns. A subscriber that
///   takes calls of several threads gets them as they come.
/// - Rule 1.9: a second subscription is cancelled. A value or completion before the first one is passed on, as in Combine.
/// - Rule 1.1: a value without demand is passed on, as in Combine.
/// - Rules 1.7 and 1.8: what comes after a completion or a cancel is dropped.
///
/// What breaks a rule is reported. (`StrictSubscriberTests`)
@usableFromInline
final class StrictSubscriber<Downstream: Subscriber>: Subscriber, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
{
  @usableFromInline
  typealias Input = Downstream.Input

  @usableFromInline
  typealias Failure = Downstream.Failure

  @usableFromInline
  enum Event {
    case subscription(StrictSubscription<Downstream>)
    case value(Input)
    case completion(Subscribers.Completion<Failure>)
  }

  #if DEBUG
  @usableFromInline
  let liveObject = LiveObject("StrictSubscriber")
  #endif

  @usableFromInline
  let phase = AtomicPhase(StrictPhase.waiting)

  /// What has been requested and not delivered; `.max` is unlimited.
  @usableFromInline
  let outstanding = Atomic<Int>(0)

  @usableFromInline
  let gate = Gate()

  /// What other threads send while one delivers.
  @usableFromInline
  let inbox = Locked<[Event]>([])

  // Safety: only the owner of the gate accesses the properties below. Where `guardKind` is `.checks`, other threads
  // read `held`, and it never changes. (`StrictSubscriberTests`)
  @usableFromInline
  @exclusivity(unchecked)
  var held: Held<Downstream>?

  /// Delivers a value, in code that is specialized for the downstream.
  @usableFromInline
  let passOn: (StrictSubscriber, Input) -> Subscribers.Demand

  @usableFromInline
  let guardKind: _DeliveryGuard

  /// Where broken rules are reported while tracing is on.
  @usableFromInline
  let node: AnyObject?

  /// It handles what other threads have left.
  @usableFromInline
  @exclusivity(unchecked)
  package var handlesOthers = false

  /// The buffers that deliver when the gate is left.
  @usableFromInline
  @exclusivity(unchecked)
  var waitingBuffers = WaitingBuffers()

  /// What the owner has taken out of the inbox and not handled yet.
  @usableFromInline
  @exclusivity(unchecked)
  var backlog = Fifo<Event>()

  /// Where demand is requested that comes back on a thread without a call of the publisher's to answer.
  private weak var subscription: StrictSubscription<Downstream>?

  /// What is shown when the subscriber has been released.
  @usableFromInline
  @exclusivity(unchecked)
  var name: String?

  /// The type of the publisher, for reports, if it is known.
  @usableFromInline
  let publisher: (any Any.Type)?

  @inlinable
  init(_ downstream: Downstream, of publisher: (any Any.Type)?) {
    held = Held(downstream)
    passOn = { $0.pass($1) }
    guardKind = downstream._guard
    node = Witnesses.areThere.load(ordering: .relaxed) ? Reports.node(of: downstream) : nil
    self.publisher = publisher
    combineIdentifier = downstream.combineIdentifier
    if let gates = downstream._gates { stand(above: gates) }
  }

  @usableFromInline
  @inline(never)
  func stand(above gates: AnyObject) {
    // A buffer that stands right behind takes calls of several threads.
    if guardKind != .checks { (gates as? GateRegister)?.stand(below: self) }
  }

  @usableFromInline
  let combineIdentifier: CombineIdentifier

  // MARK: The publisher's side

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard phase.move(from: .waiting, to: .pending) else {
      if !phase.isNow(.cancelled) { report("sent a second subscription") { $0.subscribed() } }
      return subscription.cancel()
    }
    let own = StrictSubscription(subscription, of: self)
    self.subscription = own
    switch gate.enter() {
    case .entered:
      announce(own)
      leave()
    case .nested, .busy:
      // The publisher sends values already, and has broken a rule by that. Inside or beside a delivery, the subscription
      // would reach an operator whose state is being changed.
      if guardKind == .checks { return announce(own) }
      let more = enqueue(Event.subscription(own))
      if more != .none { own.requestMore(more) }
    }
  }

  private func announce(_ subscription: StrictSubscription<Downstream>) {
    guard phase.move(from: .pending, to: .announcing) else { return subscription.cancel() }
    held?.downstream.receive(subscription: subscription)
    phase.move(from: .announcing, to: .active)
  }

  @inlinable
  func receive(_ value: Input) -> Subscribers.Demand {
    switch gate.enter() {
    case .entered:
      let more = deliver(value)
      guard phase.isNow(.active), waitingBuffers.isEmpty else { return leave(answering: more) }
      return gate.leave() ? more : drain(answering: more)
    case .nested:
      return phase.isNow(.pending) ? enqueue(value) : deliver(value)
    case .busy:
      return contended(value)
    }
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    switch gate.enter() {
    case .entered:
      complete(completion)
      leave()
    case .nested:
      if phase.isNow(.pending) { enqueue(completion) } else { complete(completion) }
    case .busy:
      contended(completion)
    }
  }

  @inlinable
  @inline(__always)
  func deliver(_ value: Input) -> Subscribers.Demand {
    let left = outstanding.load(ordering: .relaxed)
    if isOpen, left > 0 {
      if left != .max { take() }
    } else if !admitsUnexpected() {
      return .none
    }
    // Performance: a program's subscription is usually a generic class, which calls unspecialized code: 1,200 instructions
    // for each value without the function, which is formed where the types are known.
    let more = _isConcrete(Downstream.self) ? pass(value) : passOn(self, value)
    if more != .none { add(more) }
    return more
  }

  @inlinable
  func pass(_ value: Input) -> Subscribers.Demand {
    held?.receive(value) ?? .none
  }

  /// The subscriber has its subscription, or is receiving it, and nothing has ended.
  @inlinable
  var isOpen: Bool { phase.isNow(.active) || phase.isNow(.announcing) }

  /// Decides on a value that breaks a rule, and reports it: one that comes too late is dropped, one that comes too early or
  /// without demand is passed on.
  ///
  /// Performance: out of line, so that the path of values stays short where it is inlined. It doesn't see the value, because
  /// unspecialized code that does takes 2,000 instructions.
  @usableFromInline
  @inline(never)
  func admitsUnexpected() -> Bool {
    switch phase.now {
    case .completed:
      report("sent a value after its completion") { $0.received() }
      return false
    case .cancelled:
      return false
    case .waiting, .pending:
      report("sent a value before its subscription", passesOn: true)
    case .announcing, .active, nil:
      if outstanding.load(ordering: .relaxed) > 0 {
        take()
      } else {
        report("sent a value beyond the demand", passesOn: true)
      }
    }
    return true
  }

  @usableFromInline
  func complete(_ completion: Subscribers.Completion<Failure>) {
    if phase.isNow(.waiting) {
      // The subscriber decides. If it takes no notice, a subscription may still come.
      report("completed before its subscription", passesOn: true)
    } else {
      let before = phase.exchange(.completed)
      if before == .cancelled { phase.move(to: .cancelled) }
      if before == .completed || before == .cancelled { return late(completion, isSecond: before == .completed) }
    }
    held?.downstream.receive(completion: completion)
  }

  private func late(_ completion: Subscribers.Completion<Failure>, isSecond: Bool) {
    if let node = node as? TraceNode {
      if let fault = node.completed(completion) { Reports.tell(of: fault, at: node) }
    } else {
      if isSecond { report("completed a second time") }
      Reports.late(completion)
    }
  }

  @usableFromInline
  func take() {
    outstanding.subtractOne()
  }

  @usableFromInline
  func add(_ demand: Subscribers.Demand) {
    outstanding.addSaturating(demand)
  }

  // MARK: Another thread

  @usableFromInline
  @inline(never)
  func contended(_ value: Input) -> Subscribers.Demand {
    reportOverlap()
    if guardKind == .checks { return deliver(value) }
    return enqueue(value)
  }

  /// Performance: out of line, see `admitsUnexpected()`: an event of the value is made here only.
  @usableFromInline
  @inline(never)
  func enqueue(_ value: Input) -> Subscribers.Demand {
    enqueue(Event.value(value))
  }

  @usableFromInline
  @inline(never)
  func contended(_ completion: Subscribers.Completion<Failure>) {
    reportOverlap()
    if guardKind == .checks { return complete(completion) }
    enqueue(completion)
  }

  @usableFromInline
  @inline(never)
  func enqueue(_ completion: Subscribers.Completion<Failure>) {
    _ = enqueue(Event.completion(completion))
  }

  /// A publisher may answer a request on another thread before the subscriber has returned from its subscription.
  private func reportOverlap() {
    if !phase.isNow(.announcing) { report("delivered on two threads at once", passesOn: true) }
  }

  private func enqueue(_ event: Event) -> Subscribers.Demand {
    inbox.withLock { $0.append(event) }
    return gate.knock() ? drain(answering: .none) : .none
  }

  // MARK: For the owner of the gate

  /// Gives the gate up, after what other threads have left is delivered.
  @usableFromInline
  @inline(never)
  @discardableResult
  func leave(answering demand: Subscribers.Demand = .none) -> Subscribers.Demand {
    releaseIfOver()
    let buffers = waitingBuffers.take()
    let more = gate.leave() ? demand : drain(answering: demand)
    buffers.gateIsLeft()
    return more
  }

  @usableFromInline
  func drain(answering demand: Subscribers.Demand) -> Subscribers.Demand {
    var more = demand
    var left = HandOver.limit
    var buffers = WaitingBuffers()
    repeat {
      handlesOthers = true
      let events = inbox.withLock { inbox in
        var events: [Event] = []
        swap(&events, &inbox)
        return events
      }
      for event in events { backlog.append(event) }
      while let event = backlog.popFirst() {
        switch event {
        case .subscription(let subscription): announce(subscription)
        case .value(let value): more += deliver(value)
        case .completion(let completion): complete(completion)
        }
        left -= 1
        if left == 0 {
          handOver()
          return more
        }
      }
      releaseIfOver()
      handlesOthers = false
      buffers.add(waitingBuffers.take())
    } while !gate.leave()
    buffers.gateIsLeft()
    return more
  }

  /// Gives the gate up; if something is left, another thread goes on with it.
  private func handOver() {
    if backlog.isEmpty { releaseIfOver() }
    handlesOthers = false
    let buffers = waitingBuffers.take()
    if !backlog.isEmpty || !gate.leave() {
      gate.offer()
      HandOver.start { [self] in
        guard gate.takeOffer() else { return }
        let more = drain(answering: .none)
        if more != .none { subscription?.requestMore(more) }
      }
    }
    buffers.gateIsLeft()
  }

  /// Releases the subscriber after the end, unless other threads may be inside of it.
  private func releaseIfOver() {
    guard guardKind != .checks, phase.isNow(.completed) || phase.isNow(.cancelled) else { return }
    if let described = held?.downstream as? any Described { name = described.description }
    let released = held.take()
    _ = consume released
  }

  // MARK: The downstream's side

  /// The downstream has cancelled.
  func cancelled() {
    let before = phase.exchange(.cancelled)
    if before == .completed || before == .cancelled { return }
    switch gate.enter() {
    case .entered: leave()
    case .nested: break
    case .busy: if gate.knock() { _ = drain(answering: .none) }
    }
  }

  // MARK: What it shows

  // The subscriber is the thread's that delivers: others see its type only.
  @usableFromInline
  var description: String {
    shown { $0.map { String(describing: $0) } ?? name } ?? "\(Downstream.self)"
  }

  @usableFromInline
  var customMirror: Mirror {
    shown { $0.map { Mirror(reflecting: $0) } } ?? Mirror(self, children: EmptyCollection())
  }

  @usableFromInline
  var playgroundDescription: Any { description }

  private func shown<Result>(_ show: (Downstream?) -> Result?) -> Result? {
    switch gate.enter() {
    case .entered:
      defer { leave() }
      return show(held?.downstream)
    case .nested: return show(held?.downstream)
    case .busy: return nil
    }
  }

  // MARK: Reports

  /// Reports a broken rule; while tracing is on, `note` tells the node of the event, which then says what is wrong with it.
  ///
  /// What is passed on is noted where it arrives.
  private func report(_ rule: String, passesOn: Bool = false, _ note: (TraceNode) -> TraceNode.Fault? = { _ in nil }) {
    guard let node = node as? TraceNode else { return Reports.violation(rule, by: publisher) }
    if !passesOn, let fault = note(node) { Reports.tell(of: fault, at: node) }
  }
}

extension StrictSubscriber: InnerSubscriber {}

extension StrictSubscriber: GateKeeper {
  @usableFromInline
  package var isOwnedHere: Bool { gate.isOwnedHere }

  @usableFromInline
  package func whenLeft(_ buffer: BufferCore) { waitingBuffers.add(buffer) }
}

extension StrictSubscriber: Cancellable where Downstream: Cancellable {
  /// For those who look what else a subscriber is.
  @usableFromInline
  func cancel() {
    held?.downstream.cancel()
  }
}

extension StrictSubscriber: Subscription where Downstream: Subscription {
  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    held?.downstream.request(demand)
  }
}

/// Where a guarded subscription stands.
@usableFromInline
enum StrictPhase: UInt8 {
  /// No subscription has come.
  case waiting
  /// The subscription has arrived during a delivery, and is handed over when that has returned.
  case pending
  /// The subscription is being handed over: what other threads send meanwhile waits.
  case announcing
  /// Values may come.
  case active
  /// The publisher has completed.
  case completed
  /// The downstream has cancelled.
  case cancelled
}

/// A program's subscription, as a subscriber of this library gets it: counts what is requested.
///
/// It doesn't keep the guard, which keeps the subscriber, which keeps this: else they would stay when a publisher is
/// released that doesn't complete. A sink is cancelled when it is no longer kept, so there it does.
@usableFromInline
final class StrictSubscription<Downstream: Subscriber>: Subscription, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
{
  private let upstream: any Subscription
  private let kept: StrictSubscriber<Downstream>?
  private weak let subscriber: StrictSubscriber<Downstream>?

  init(_ upstream: any Subscription, of subscriber: StrictSubscriber<Downstream>) {
    self.upstream = upstream
    self.subscriber = subscriber
    kept = subscriber.guardKind == .serializesAndStays ? subscriber : nil
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    if let subscriber {
      if subscriber.phase.isNow(.cancelled) { return }
      subscriber.add(demand)
    }
    upstream.request(demand)
  }

  /// Requests what deliveries have brought, which is counted already.
  func requestMore(_ demand: Subscribers.Demand) {
    if subscriber?.phase.isNow(.cancelled) == false { upstream.request(demand) }
  }

  @usableFromInline
  func cancel() {
    subscriber?.cancelled()
    upstream.cancel()
  }

  @usableFromInline
  var combineIdentifier: CombineIdentifier { upstream.combineIdentifier }

  @usableFromInline
  var description: String { String(describing: upstream) }

  @usableFromInline
  var customMirror: Mirror { Mirror(reflecting: upstream) }

  @usableFromInline
  var playgroundDescription: Any {
    (upstream as? any CustomPlaygroundDisplayConvertible)?.playgroundDescription ?? description
  }
}

extension Atomic where Value == Int {
  /// Adds a demand, where `.max` is unlimited.
  @usableFromInline
  borrowing func addSaturating(_ demand: Subscribers.Demand) {
    guard let more = demand.max else { return store(.max, ordering: .relaxed) }
    var found = load(ordering: .relaxed)
    while found != .max {
      let (sum, overflow) = found.addingReportingOverflow(more)
      let (done, now) = compareExchange(expected: found, desired: overflow ? .max : sum, ordering: .relaxed)
      if done { return }
      found = now
    }
  }

  /// Takes one away, unless there is none, or no limit.
  @usableFromInline
  borrowing func subtractOne() {
    var found = load(ordering: .relaxed)
    while found > 0, found != .max {
      let (done, now) = compareExchange(expected: found, desired: found - 1, ordering: .relaxed)
      if done { return }
      found = now
    }
  }
}
