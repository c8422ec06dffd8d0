public import Synchronization

/// Lets one thread at a time through to a subscriber that publishers outside of Weir call.
///
/// Such a publisher may deliver on several threads at once. The first one gets through; what the others bring meanwhile waits for it,
/// in some order, and nothing is lost. What comes from inside a delivery, on the same thread, goes on at once.
///
/// Performance: it knows no types, so that it is compiled once. The functions it is given capture one object or come out of a
/// `Downstream`, so forming them allocates nothing.
@usableFromInline
class Turnstile {
  @usableFromInline
  final let gate = Gate()

  /// What other threads have brought while one was inside.
  private final let inbox = Locked<[() -> Subscribers.Demand]>([])

  /// The type of the publisher, where it is known.
  private final let publisher: (any Any.Type)?

  /// Looks for broken rules, where somebody would be told of them.
  @usableFromInline
  final let inspector: Inspector?

  @usableFromInline
  init(behind publisher: (any Any.Type)? = nil, inspector: Inspector? = nil) {
    self.publisher = publisher
    self.inspector = inspector
  }

  @usableFromInline
  final func receive(subscription: any Subscription, _ begin: @escaping (any Subscription) -> Void) {
    let subscription = inspector?.subscribed(subscription) ?? subscription
    let more = pass(subscription) {
      begin($0)
      return .none
    }
    if more != .none { subscription.request(more) }
  }

  /// How the caller gets in; who is told `.busy` goes by `receive(_:_:)`, for broken rules are looked for there, too.
  ///
  /// Performance: so what is done for a value needs no function.
  @inlinable
  @inline(__always)
  final func enter() -> Gate.Entry {
    inspector == nil ? gate.enter() : .busy
  }

  /// Leaves; the result is the demand of what has waited, too.
  @inlinable
  @inline(__always)
  final func leave(_ entry: Gate.Entry, answering demand: Subscribers.Demand) -> Subscribers.Demand {
    if entry == .nested || gate.leave() { return demand }
    return drain(answering: demand)
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
    _ = pass(completion) {
      end($0)
      return .none
    }
  }

  @inlinable
  final func pass<Event>(_ event: Event, _ act: @escaping (Event) -> Subscribers.Demand) -> Subscribers.Demand {
    let entry = gate.enter()
    if entry == .busy { return enqueue { act(event) } }
    return leave(entry, answering: act(event))
  }

  @usableFromInline
  @inline(never)
  final func enqueue(_ event: @escaping () -> Subscribers.Demand) -> Subscribers.Demand {
    Reports.tell(of: .secondThread, by: publisher)
    inbox.withLock { $0.append(event) }
    return gate.knock() ? drain(answering: .none) : .none
  }

  /// Passes on what other threads have brought; the result is the demand that it brought, added to `demand`.
  @usableFromInline
  @inline(never)
  final func drain(answering demand: Subscribers.Demand) -> Subscribers.Demand {
    var more = demand
    repeat {
      let events = inbox.withLock { inbox in
        var events: [() -> Subscribers.Demand] = []
        swap(&events, &inbox)
        return events
      }
      for event in events { more += event() }
    } while !gate.leave()
    return more
  }
}

/// The turnstile of a subscriber which publishers outside of Weir may call themselves; made when the first of them does.
@usableFromInline
struct Turns: ~Copyable {
  /// A reference to the turnstile, or zero.
  @usableFromInline
  let made = Atomic<UInt>(0)

  @usableFromInline
  init() {}

  deinit {
    Turns.turnstile(at: made.load(ordering: .acquiring))?.release()
  }

  // Performance: the toolchain's lazy reference looks metadata up for each value.

  // Safety: the reference is set once, and released at the end of this alone. (`TurnstileTests`)
  @inlinable
  static func turnstile(at address: UInt) -> Unmanaged<Turnstile>? {
    UnsafeRawPointer(bitPattern: address).map { Unmanaged.fromOpaque($0) }
  }

  // Safety: the reference is set once, and released at the end of this alone. (`TurnstileTests`)
  @inlinable
  var turnstile: Unmanaged<Turnstile> {
    Turns.turnstile(at: made.load(ordering: .acquiring)) ?? make()
  }

  // Safety: the reference is set once, and released at the end of this alone. (`TurnstileTests`)
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

  // Safety: whoever calls this has the subscriber, and so this, and so the turnstile. (`TurnstileTests`)
  @inlinable
  @inline(__always)
  func use<Result>(_ body: (Turnstile) -> Result) -> Result { turnstile._withUnsafeGuaranteedRef(body) }

  // MARK: What a turnstile does

  @inlinable
  @inline(__always)
  func enter() -> Gate.Entry { use { $0.enter() } }

  @inlinable
  @inline(__always)
  func leave(_ entry: Gate.Entry, answering demand: Subscribers.Demand) -> Subscribers.Demand {
    use { $0.leave(entry, answering: demand) }
  }

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
