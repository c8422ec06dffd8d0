/// The connection of one subscriber to a publisher.
///
/// - Demand: ``request(_:)`` adds to the outstanding demand. `.unlimited` absorbs all other demand.
/// - Cancellation: ``Cancellable/cancel()`` is idempotent and releases the subscriber. No event follows it.
/// - Threading: both methods can be called on any thread, also inside a delivery.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  /// Requests this many more values from the publisher.
  func request(_ demand: Subscribers.Demand)

  /// The outermost gate that this thread has entered to deliver to the subscriber, or `nil`.
  ///
  /// An implementation detail of Weir's own subscriptions: a buffer delivers when that gate is released. It calls no
  /// user code.
  func _outermostGate(of thread: UInt) -> _Gated?

  /// This subscription as an object: itself, or an object that contains it.
  ///
  /// An implementation detail: operators store it.
  var _object: any Subscription & AnyObject { get }

  /// Whether a single value follows without a request.
  ///
  /// An implementation detail of Weir's own subscriptions.
  var _isScalar: Bool { get }

  /// How many values may be requested while another delivery is in progress.
  ///
  /// An implementation detail of Weir's own subscriptions. `isToConnect` is true if a publisher in front of this one
  /// connects a subject to it, perhaps later.
  func _earlyDemand(isToConnect: Bool) -> Subscribers.Demand
}

extension Subscription {
  /// Returns `nil`.
  public func _outermostGate(of thread: UInt) -> _Gated? { nil }

  /// Returns `false`.
  @inlinable
  public var _isScalar: Bool { false }

  /// Returns an object that contains this value.
  public var _object: any Subscription & AnyObject { SubscriptionBox(self) }
}

extension Subscription where Self: AnyObject {
  /// Returns this object.
  @inlinable
  public var _object: any Subscription & AnyObject { self }
}

/// A subscription as an operator stores it.
///
/// Performance: an `any Subscription` may contain a value of any size, so the compiler copies and destroys it, and each
/// type that contains it, through their metadata. This is one reference.
@usableFromInline
package typealias SubscriptionObject = any Subscription & AnyObject

/// A namespace for symbols that belong to subscriptions.
public enum Subscriptions {
  /// A subscription that ignores demand and cancellation, for publishers that complete immediately.
  public static var empty: any Subscription {
    EmptySubscription(_isScalar: false)
  }
}

/// The value of ``Subscriptions/empty``.
///
/// Performance: a struct, so that sending it needs no allocation.
@usableFromInline
struct EmptySubscription: Subscription, OperatorReflectable, Sendable {
  /// Whether the subscriber takes scalars, so that it need not store this value.
  @usableFromInline
  let _isScalar: Bool

  @inlinable
  init(_isScalar: Bool) {
    self._isScalar = _isScalar
  }

  @usableFromInline
  var combineIdentifier: CombineIdentifier { .empty }

  @usableFromInline
  var description: String { "Empty" }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {}

  @usableFromInline
  func cancel() {}

  @usableFromInline
  var _object: any Subscription & AnyObject { Self.object }

  private static let object = SubscriptionBox(EmptySubscription(_isScalar: false))
}
