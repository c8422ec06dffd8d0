/// An optional subscription.
///
/// Performance: the compiler copies and releases an `(any Subscription)?` through metadata that it looks up each time.
@usableFromInline
@frozen
package struct OptionalSubscription {
  @usableFromInline
  package var content: any Subscription = EmptySubscription()

  @usableFromInline
  package var isFull = false

  @inlinable
  @inline(__always)
  package init() {}

  @inlinable
  @inline(__always)
  package init(_ subscription: any Subscription) {
    content = subscription
    isFull = true
  }

  /// Empties the slot.
  @inlinable
  @inline(__always)
  package mutating func take() -> OptionalSubscription {
    var taken = OptionalSubscription()
    swap(&self, &taken)
    return taken
  }

  /// Requests from the subscription, if there is one.
  @inlinable
  package func request(_ demand: Subscribers.Demand) {
    if isFull { content.request(demand) }
  }

  /// Returns the outermost gate that this thread has entered to deliver this subscription's values.
  @usableFromInline
  package func outermostGate(of thread: UInt) -> _Gated? {
    isFull ? content._outermostGate(of: thread) : nil
  }

  /// Cancels the subscription, if there is one.
  @inlinable
  package func cancel() {
    if isFull { content.cancel() }
  }
}
