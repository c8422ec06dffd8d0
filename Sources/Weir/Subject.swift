/// A publisher into which code sends values.
///
/// - Demand: each subscriber has its own. Each subject documents what happens to values that are sent without demand.
/// - Completion: only the first one counts, and later events are ignored. A later subscriber receives the completion
///   immediately.
/// - Threading: can be sent to on any thread. Delivery has one owner at a time. A thread that sends during another
///   thread's delivery enqueues its event for the owner, and returns. A nested send, on the delivering thread,
///   delivers immediately, behind what other threads have sent since the delivery began. A thread that only
///   subscribes or cancels delivers to its own subscriber, and to no other. That also applies to a subscription
///   inside a delivery, although events of other threads may be pending.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Sends a value to the subscribers.
  func send(_ value: Output)

  /// Sends the completion to the subscribers.
  func send(completion: Subscribers.Completion<Failure>)

  /// Adds an upstream's subscription, from which the subject requests values when it has demand itself.
  func send(subscription: any Subscription)
}

extension Subject where Output == Void {
  /// Sends an event that carries no value.
  @inlinable
  public func send() {
    send(())
  }
}
