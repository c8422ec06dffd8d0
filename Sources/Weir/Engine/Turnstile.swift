import Synchronization

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

  @inlinable
  @inline(__always)
  final func receive<Value>(
    _ value: Value, _ next: @escaping (Value) -> Subscribers.Demand
  ) -> Subscribers.Demand {
    guard let inspector else { return pass(value, next) }
    inspector.received()
    let more = pass(value, next)
    inspector.requested(more)
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
  @inline(__always)
  final func pass<Event>(_ event: Event, _ act: @escaping (Event) -> Subscribers.Demand) -> Subscribers.Demand {
    switch gate.enter() {
    case .entered:
      let more = act(event)
      return gate.leave() ? more : drain(answering: more)
    case .nested:
      return act(event)
    case .busy:
      return leave { act(event) }
    }
  }

  @usableFromInline
  @inline(never)
  final func leave(_ event: @escaping () -> Subscribers.Demand) -> Subscribers.Demand {
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
  private let made = AtomicLazyReference<Turnstile>()

  @usableFromInline
  init() {}

  @usableFromInline
  var turnstile: Turnstile {
    made.load() ?? made.storeIfNil(Turnstile(inspector: Inspector.ifWanted()))
  }
}
