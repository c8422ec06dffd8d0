/// An optional subscription.
@usableFromInline
@frozen
package struct OptionalSubscription {
  /// The subscription, if there is one.
  @usableFromInline
  package var content: SubscriptionObject?

  @inlinable
  @inline(__always)
  package init() {}

  @inlinable
  @inline(__always)
  package init(_ subscription: SubscriptionObject) {
    content = subscription
  }

  @inlinable
  @inline(__always)
  package var isFull: Bool { content != nil }

  /// Empties it, and returns the content.
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
    content?.request(demand)
  }

  /// The subscription that arrived, for a mirror.
  var shown: (any Subscription)? { (content as? any SubscriptionWrapper)?.wrapped ?? content }

  /// Returns the outermost gate that this thread has entered to deliver this subscription's values.
  @usableFromInline
  package func outermostGate(of thread: UInt) -> _Gated? {
    content?._outermostGate(of: thread)
  }

  /// Cancels the subscription, if there is one.
  @inlinable
  package func cancel() {
    content?.cancel()
  }
}
