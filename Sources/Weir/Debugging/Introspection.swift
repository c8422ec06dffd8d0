/// A witness of what publishers, subscribers and subscriptions tell each other.
///
/// Combine has this for its tools and doesn't document it; the names are the same. A witness that is enabled is told of
/// each step before and after it, for all pipelines of the program whose subscriptions begin while any witness is enabled.
/// The values sent by `Just` and the like that an operator takes without subscribing are not among them.
///
/// - Threading: a witness is told on the thread on which the step is taken.
public protocol _Introspection: AnyObject {
  /// A subscriber is about to be attached.
  func willReceive<Upstream: Publisher, Downstream: Subscriber>(publisher: Upstream, subscriber: Downstream)
  where Upstream.Failure == Downstream.Failure, Upstream.Output == Downstream.Input

  /// A subscriber has been attached.
  func didReceive<Upstream: Publisher, Downstream: Subscriber>(publisher: Upstream, subscriber: Downstream)
  where Upstream.Failure == Downstream.Failure, Upstream.Output == Downstream.Input

  /// A subscriber is about to get its subscription.
  func willReceive<Downstream: Subscriber>(subscriber: Downstream, subscription: any Subscription)

  /// A subscriber has got its subscription.
  func didReceive<Downstream: Subscriber>(subscriber: Downstream, subscription: any Subscription)

  /// A subscriber is about to get a value.
  func willReceive<Downstream: Subscriber>(subscriber: Downstream, input: Downstream.Input)

  /// A subscriber has got a value and asks for so many more.
  func didReceive<Downstream: Subscriber>(
    subscriber: Downstream, input: Downstream.Input, resultingDemand: Subscribers.Demand)

  /// A subscriber is about to be told the end.
  func willReceive<Downstream: Subscriber>(
    subscriber: Downstream, completion: Subscribers.Completion<Downstream.Failure>)

  /// A subscriber has been told the end.
  func didReceive<Downstream: Subscriber>(
    subscriber: Downstream, completion: Subscribers.Completion<Downstream.Failure>)

  /// A subscription is about to be asked for values.
  func willRequest(subscription: any Subscription, _ demand: Subscribers.Demand)

  /// A subscription has been asked for values.
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

  /// Has this witness told of what happens from now on.
  public func enable() {
    Witnesses.change { witnesses in
      if !witnesses.contains(where: { $0 === self }) { witnesses.append(self) }
    }
  }

  /// Has this witness told of nothing more.
  public func disable() {
    Witnesses.change { $0.removeAll { $0 === self } }
  }

  /// Whether this witness is told of what happens.
  public var isEnabled: Bool {
    Witnesses.now.contains { $0 === self }
  }
}
