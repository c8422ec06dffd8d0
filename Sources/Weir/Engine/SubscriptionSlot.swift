/// A subscription, or none.
///
/// What `(any Subscription)?` would be, if the compiler did not copy and release that through metadata which it looks up
/// each time.
@usableFromInline
@frozen
struct SubscriptionSlot {
  @usableFromInline
  var content: any Subscription = EmptySubscription()

  @usableFromInline
  var isFull = false

  @inlinable
  @inline(__always)
  init() {}

  @inlinable
  @inline(__always)
  init(_ subscription: any Subscription) {
    content = subscription
    isFull = true
  }

  /// Empties the slot.
  @inlinable
  @inline(__always)
  mutating func take() -> SubscriptionSlot {
    var taken = SubscriptionSlot()
    swap(&self, &taken)
    return taken
  }

  /// Asks the subscription, if there is one.
  @inlinable
  func request(_ demand: Subscribers.Demand) {
    if isFull { content.request(demand) }
  }

  /// Cancels the subscription, if there is one.
  @inlinable
  func cancel() {
    if isFull { content.cancel() }
  }
}
