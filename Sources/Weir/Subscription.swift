/// The connection of one subscriber to a publisher.
///
/// - Demand: ``request(_:)`` adds to what is outstanding; `.unlimited` absorbs every other demand.
/// - Cancellation: ``Cancellable/cancel()`` is idempotent and releases the subscriber; no event follows it.
/// - Threading: both methods may be called from any thread, also from inside a delivery.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  /// Tells the publisher that it may send this many values more.
  func request(_ demand: Subscribers.Demand)

  /// The outermost gate that this thread has entered to deliver to the subscriber; `nil` if there is none.
  ///
  /// An implementation detail of Weir's own subscriptions: a buffer delivers when that gate is left. It calls no user code.
  func _outermostGate(of thread: UInt) -> _Gated?
}

extension Subscription {
  /// Returns `nil`.
  public func _outermostGate(of thread: UInt) -> _Gated? { nil }
}

/// A namespace for symbols that belong to subscriptions.
public enum Subscriptions {
  /// A subscription that ignores demand and cancellation, for publishers that end at once.
  public static var empty: any Subscription {
    EmptySubscription()
  }
}

/// What ``Subscriptions/empty`` returns: a value, so that handing it out allocates nothing.
@usableFromInline
struct EmptySubscription: Subscription, Described {
  @usableFromInline
  init() {}

  @usableFromInline
  var combineIdentifier: CombineIdentifier { .empty }

  @usableFromInline
  var description: String { "Empty" }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {}

  @usableFromInline
  func cancel() {}
}
