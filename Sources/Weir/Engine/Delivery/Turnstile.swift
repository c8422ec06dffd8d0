public import Synchronization

/// Serializes the calls of publishers outside of Weir to a subscriber.
///
/// Such a publisher can deliver on several threads concurrently. The first thread enters. Events of the other threads
/// are enqueued, and the first thread drains them. A nested event, on the same thread, is delivered immediately, behind
/// those that have been enqueued before it.
///
/// Performance: the class has no type parameters, so it is compiled once. Each function passed to it captures one
/// object or is stored in a `Downstream`, so creating it needs no allocation.
@usableFromInline
class Turnstile: _Gated {
  /// The events of other threads that arrived while a thread was inside.
  private final let inbox = Locked<Enqueued<WaitingEvent>?>(nil)

  /// The publisher's subscription, to request the demand that deliveries return after a hand-over.
  @usableFromInline
  struct Upstream {
    /// Weak, because a publisher outside of Weir can retain its subscriber after a cancellation.
    weak var object: SubscriptionObject?

    /// A subscription that is no object, if a user's subscriber receives it.
    var value: (any Subscription)?

    @usableFromInline
    init() {}

    init(_ subscription: any Subscription) {
      if type(of: subscription) is AnyClass { object = subscription._object } else { value = subscription }
    }

    var subscription: (any Subscription)? { value ?? object }
  }

  private final let upstream = Locked(Upstream())

  /// The type of the publisher, if it is known.
  private final let publisher: (any Any.Type)?

  /// Looks for violations, if they are reported.
  @usableFromInline
  final let inspector: Inspector?

  @usableFromInline
  init(behind publisher: (any Any.Type)? = nil, inspector: Inspector? = nil) {
    self.publisher = publisher
    self.inspector = inspector
  }

  @usableFromInline
  final func receive(subscription: any Subscription, _ begin: @escaping (any Subscription) -> Void) {
    replaceUpstream(by: Upstream(subscription))
    let more = pass(inspector?.subscribed(subscription) ?? subscription) {
      begin($0)
      return .none
    }
    if more != .none { requestReturned(more) }
  }

  /// Requests the demand that was returned for values whose senders had left, unless the publisher has completed.
  private final func requestReturned(_ demand: Subscribers.Demand) {
    guard let subscription = upstream.withLock({ $0 }).subscription else { return }
    inspector?.requested(demand)
    request(demand, from: subscription)
  }

  /// Makes a request in turn with those of the operators behind this object.
  func request(_ demand: Subscribers.Demand, from subscription: any Subscription) {
    subscription.request(demand)
  }

  /// Enters the gate for a value.
  ///
  /// With `false` as the result, the caller passes its value to `receive(_:_:)`, which also inspects it.
  ///
  /// Performance: the path of a value that is neither inspected nor nested creates no function.
  @inlinable
  @inline(__always)
  final func enter() -> Bool {
    inspector == nil && gate.enter() == .acquired
  }

  /// Leaves the gate.
  ///
  /// The result is `demand` and the demand of the events that are drained.
  @inlinable
  @inline(__always)
  final func leave(answering demand: Subscribers.Demand) -> Subscribers.Demand {
    gate.leave() ? demand : drain(answering: demand)
  }

  @inlinable
  @inline(never)
  final func receive<Value>(
    _ value: Value, _ next: @escaping (Value) -> Subscribers.Demand
  ) -> Subscribers.Demand {
    inspector?.received()
    let more = pass(value, next)
    inspector?.requested(more)
    return more
  }

  @inlinable
  final func receive<Failure: Error>(
    completion: Subscribers.Completion<Failure>, _ end: @escaping (Subscribers.Completion<Failure>) -> Void
  ) {
    inspector?.completed(completion)
    replaceUpstream(by: Upstream())
    _ = pass(completion) {
      end($0)
      return .none
    }
  }

  @usableFromInline
  final func replaceUpstream(by new: Upstream) {
    let replaced = upstream.withLock { upstream in
      defer { upstream = new }
      return upstream
    }
    withExtendedLifetime(replaced) {}
  }

  @inlinable
  final func pass<Event>(_ event: Event, _ act: @escaping (Event) -> Subscribers.Demand) -> Subscribers.Demand {
    switch enterInOrder() {
    case .acquired: return leave(answering: act(event))
    case .reentrant: return nest { act(event) }
    case .contended: return enqueue { act(event) }
    }
  }

  override final var enqueuedCounts: EnqueuedCounts { inbox.withLock { $0?.counts } ?? EnqueuedCounts() }

  /// Delivers a nested event, behind those that the publisher has sent on other threads during the delivery in flight.
  ///
  /// The result is the demand that all of them return.
  @usableFromInline
  final func nest(_ event: () -> Subscribers.Demand) -> Subscribers.Demand {
    var more = Subscribers.Demand.none
    nest(deliverNext: { deliverNextEvent(&more) }) { more += event() }
    return more
  }

  @usableFromInline
  @inline(never)
  final func enqueue(_ event: @escaping () -> Subscribers.Demand) -> Subscribers.Demand {
    Reports.report(.secondThread, by: publisher)
    inbox.withLock { Enqueued.filling(&$0).append(WaitingEvent(handle: event)) }
    return gate.acquireOrRequestDrain() ? drain(answering: .none) : .none
  }

  /// Delivers the events of other threads.
  ///
  /// The result is `demand` and the demand that they returned.
  @usableFromInline
  @inline(never)
  final func drain(answering demand: Subscribers.Demand) -> Subscribers.Demand {
    var more = demand
    if drainOnce(&more) { return more }
    handOver()
    return more
  }

  private final func handOver() {
    handOver { [self] in
      var more = Subscribers.Demand.none
      let isDone = drainOnce(&more)
      let returned = more
      return (isDone, returned == .none ? nil : { self.requestReturned(returned) })
    }
  }

  /// Returns `false` if it offers the gate.
  private final func drainOnce(_ more: inout Subscribers.Demand) -> Bool {
    drain(isAnythingPending: { inbox.withLock { ($0?.events.count ?? 0) > 0 } }) { deliverNextEvent(&more) }
  }

  private final func deliverNextEvent(_ more: inout Subscribers.Demand) -> Bool {
    let (next, total) = inbox.withLock { inbox in (inbox?.events.popFirst(), inbox?.total ?? 0) }
    guard let event = next else { return false }
    deliver(knowing: total) { more += event.handle() }
    return true
  }
}

/// The turnstile of a subscriber that any publisher can call.
///
/// The first call creates it.
@usableFromInline
struct Turns: ~Copyable {
  /// A reference to the turnstile, or zero.
  @usableFromInline
  let made = Atomic<UInt>(0)

  @usableFromInline
  init() {}

  deinit {
    if isMade { turnstile.release() }
  }

  /// Whether a publisher has called the subscriber.
  ///
  /// Then the program has a reference to the subscriber.
  @inlinable
  var isMade: Bool { made.load(ordering: .relaxed) != 0 }

  // Performance: the toolchain's lazy reference looks up metadata for each value.

  // Safety: the reference is set once, and released only by this object's `deinit`. (`TurnstileTests`)
  @inlinable
  static func turnstile(at address: UInt) -> Unmanaged<Turnstile>? {
    UnsafeRawPointer(bitPattern: address).map { Unmanaged.fromOpaque($0) }
  }

  // Safety: the reference is set once, and released only by this object's `deinit`. (`TurnstileTests`)
  @inlinable
  var turnstile: Unmanaged<Turnstile> {
    Turns.turnstile(at: made.load(ordering: .acquiring)) ?? make()
  }

  // Safety: the reference is set once, and released only by this object's `deinit`. (`TurnstileTests`)
  @usableFromInline
  @inline(never)
  func make() -> Unmanaged<Turnstile> {
    let new = Unmanaged.passRetained(Turnstile(inspector: Inspector.ifWanted()))
    let (done, found) = made.compareExchange(
      expected: 0, desired: UInt(bitPattern: new.toOpaque()), ordering: .acquiringAndReleasing)
    if done { return new }
    new.release()
    return Turns.turnstile(at: found) ?? new
  }

  // Safety: the caller retains the subscriber, which retains this value, which retains the turnstile.
  // (`TurnstileTests`)
  @inlinable
  @inline(__always)
  func use<Result>(_ body: (Turnstile) -> Result) -> Result { turnstile._withUnsafeGuaranteedRef(body) }

  // MARK: Turnstile operations

  @inlinable
  @inline(__always)
  func enter() -> Bool { use { $0.enter() } }

  @inlinable
  @inline(__always)
  func leave(answering demand: Subscribers.Demand) -> Subscribers.Demand { use { $0.leave(answering: demand) } }

  @usableFromInline
  func receive(subscription: any Subscription, _ begin: @escaping (any Subscription) -> Void) {
    use { $0.receive(subscription: subscription, begin) }
  }

  @inlinable
  func receive<Value>(_ value: Value, _ next: @escaping (Value) -> Subscribers.Demand) -> Subscribers.Demand {
    use { $0.receive(value, next) }
  }

  @inlinable
  func receive<Failure: Error>(
    completion: Subscribers.Completion<Failure>, _ end: @escaping (Subscribers.Completion<Failure>) -> Void
  ) {
    use { $0.receive(completion: completion, end) }
  }
}
