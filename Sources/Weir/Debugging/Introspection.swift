/// An observer of the calls between publishers, subscribers and subscriptions.
///
/// Combine has the same undocumented protocol for its tools. An enabled witness is called before and after each event.
/// It observes the pipelines of the whole program whose subscriptions begin while any witness is enabled. It does not
/// observe the value of a `Just` or a similar publisher that an operator takes without subscribing.
///
/// - Threading: a witness is called on the thread on which the event occurs.
public protocol _Introspection: AnyObject {
  /// A subscriber is about to be attached.
  func willReceive<Upstream: Publisher, Downstream: Subscriber>(publisher: Upstream, subscriber: Downstream)
  where Upstream.Failure == Downstream.Failure, Upstream.Output == Downstream.Input

  /// A subscriber has been attached.
  func didReceive<Upstream: Publisher, Downstream: Subscriber>(publisher: Upstream, subscriber: Downstream)
  where Upstream.Failure == Downstream.Failure, Upstream.Output == Downstream.Input

  /// A subscriber is about to receive its subscription.
  func willReceive<Downstream: Subscriber>(subscriber: Downstream, subscription: any Subscription)

  /// A subscriber has received its subscription.
  func didReceive<Downstream: Subscriber>(subscriber: Downstream, subscription: any Subscription)

  /// A subscriber is about to receive a value.
  func willReceive<Downstream: Subscriber>(subscriber: Downstream, input: Downstream.Input)

  /// A subscriber has received a value and returned this demand.
  func didReceive<Downstream: Subscriber>(
    subscriber: Downstream, input: Downstream.Input, resultingDemand: Subscribers.Demand)

  /// A subscriber is about to receive the completion.
  func willReceive<Downstream: Subscriber>(
    subscriber: Downstream, completion: Subscribers.Completion<Downstream.Failure>)

  /// A subscriber has received the completion.
  func didReceive<Downstream: Subscriber>(
    subscriber: Downstream, completion: Subscribers.Completion<Downstream.Failure>)

  /// Demand is about to be requested from a subscription.
  func willRequest(subscription: any Subscription, _ demand: Subscribers.Demand)

  /// Demand has been requested from a subscription.
  func didRequest(subscription: any Subscription, _ demand: Subscribers.Demand)

  /// A subscription is about to be cancelled.
  func willCancel(subscription: any Subscription)

  /// A subscription has been cancelled.
  func didCancel(subscription: any Subscription)
}

extension _Introspection {
  /// Does nothing.
  public func willReceive<Upstream: Publisher, Downstream: Subscriber>(publisher: Upstream, subscriber: Downstream)
  where Upstream.Failure == Downstream.Failure, Upstream.Output == Downstream.Input {}

  /// Does nothing.
  public func didReceive<Upstream: Publisher, Downstream: Subscriber>(publisher: Upstream, subscriber: Downstream)
  where Upstream.Failure == Downstream.Failure, Upstream.Output == Downstream.Input {}

  /// Does nothing.
  public func willReceive<Downstream: Subscriber>(subscriber: Downstream, subscription: any Subscription) {}

  /// Does nothing.
  public func didReceive<Downstream: Subscriber>(subscriber: Downstream, subscription: any Subscription) {}

  /// Does nothing.
  public func willReceive<Downstream: Subscriber>(subscriber: Downstream, input: Downstream.Input) {}

  /// Does nothing.
  public func didReceive<Downstream: Subscriber>(
    subscriber: Downstream, input: Downstream.Input, resultingDemand: Subscribers.Demand
  ) {}

  /// Does nothing.
  public func willReceive<Downstream: Subscriber>(
    subscriber: Downstream, completion: Subscribers.Completion<Downstream.Failure>
  ) {}

  /// Does nothing.
  public func didReceive<Downstream: Subscriber>(
    subscriber: Downstream, completion: Subscribers.Completion<Downstream.Failure>
  ) {}

  /// Does nothing.
  public func willRequest(subscription: any Subscription, _ demand: Subscribers.Demand) {}

  /// Does nothing.
  public func didRequest(subscription: any Subscription, _ demand: Subscribers.Demand) {}

  /// Does nothing.
  public func willCancel(subscription: any Subscription) {}

  /// Does nothing.
  public func didCancel(subscription: any Subscription) {}

  /// Enables this witness.
  public func enable() {
    IntrospectionRegistry.change { witnesses in
      if !witnesses.contains(where: { $0 === self }) { witnesses.append(self) }
    }
  }

  /// Disables this witness.
  public func disable() {
    IntrospectionRegistry.change { $0.removeAll { $0 === self } }
  }

  /// Whether this witness is enabled.
  public var isEnabled: Bool {
    IntrospectionRegistry.now.contains { $0 === self }
  }
}
