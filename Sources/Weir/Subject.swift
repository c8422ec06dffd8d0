/// A publisher into which the outside sends values.
///
/// - Demand: each subscriber has its own; what a subscriber without demand misses is each subject's documented policy.
/// - Completion: the first one counts; what is sent later is ignored, and a later subscriber gets the completion at once.
/// - Threading: may be sent to from any thread. Delivery has one owner at a time: a second thread that sends meanwhile
///   leaves its event with the owner and returns. A send from inside a delivery, on the same thread, delivers at once.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Sends a value to the subscribers.
  func send(_ value: Output)

  /// Sends the completion to the subscribers.
  func send(completion: Subscribers.Completion<Failure>)

  /// Hands the subscription of an upstream to this subject, which requests from it when it is asked for values itself.
  func send(subscription: any Subscription)
}

extension Subject where Output == Void {
  /// Sends an event that carries no value.
  @inlinable
  public func send() {
    send(())
  }
}
