public import Synchronization

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
  /// Takes no notice.
  public func willReceive<Upstream: Publisher, Downstream: Subscriber>(publisher: Upstream, subscriber: Downstream)
  where Upstream.Failure == Downstream.Failure, Upstream.Output == Downstream.Input {}

  /// Takes no notice.
  public func didReceive<Upstream: Publisher, Downstream: Subscriber>(publisher: Upstream, subscriber: Downstream)
  where Upstream.Failure == Downstream.Failure, Upstream.Output == Downstream.Input {}

  /// Takes no notice.
  public func willReceive<Downstream: Subscriber>(subscriber: Downstream, subscription: any Subscription) {}

  /// Takes no notice.
  public func didReceive<Downstream: Subscriber>(subscriber: Downstream, subscription: any Subscription) {}

  /// Takes no notice.
  public func willReceive<Downstream: Subscriber>(subscriber: Downstream, input: Downstream.Input) {}

  /// Takes no notice.
  public func didReceive<Downstream: Subscriber>(
    subscriber: Downstream, input: Downstream.Input, resultingDemand: Subscribers.Demand
  ) {}

  /// Takes no notice.
  public func willReceive<Downstream: Subscriber>(
    subscriber: Downstream, completion: Subscribers.Completion<Downstream.Failure>
  ) {}

  /// Takes no notice.
  public func didReceive<Downstream: Subscriber>(
    subscriber: Downstream, completion: Subscribers.Completion<Downstream.Failure>
  ) {}

  /// Takes no notice.
  public func willRequest(subscription: any Subscription, _ demand: Subscribers.Demand) {}

  /// Takes no notice.
  public func didRequest(subscription: any Subscription, _ demand: Subscribers.Demand) {}

  /// Takes no notice.
  public func willCancel(subscription: any Subscription) {}

  /// Takes no notice.
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

/// The witnesses that are enabled.
@usableFromInline
enum Witnesses {
  /// Whether there are any: all that a subscription has to look at when there are none.
  @usableFromInline
  static let areThere = Atomic<Bool>(false)

  // Safe because the lock is the only way to it; what a witness does with several threads is its own affair.
  private nonisolated(unsafe) static let all = Locked<[any _Introspection]>([])

  static var now: [any _Introspection] { all.withLock { $0 } }

  static func change(_ change: (inout [any _Introspection]) -> Void) {
    // A witness may go with the list: not under the lock.
    let before = all.withLock { all in
      let before = all
      change(&all)
      areThere.store(!all.isEmpty, ordering: .relaxed)
      return before
    }
    withExtendedLifetime(before) {}
  }

  static func tell(_ step: (any _Introspection) -> Void) {
    for witness in now { step(witness) }
  }

  /// Subscribes before witnesses.
  ///
  /// It is never specialised: each specialisation would bring forth another for the operator before.
  @usableFromInline
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  static func subscribe<Upstream: Publisher, Downstream: Subscriber>(_ subscriber: Downstream, to publisher: Upstream)
  where Upstream.Failure == Downstream.Failure, Upstream.Output == Downstream.Input {
    if let inner = (subscriber as? any WitnessedParty)?.inner as? AnySubscriber<Upstream.Output, Upstream.Failure> {
      // It has passed through another publisher's `receive(subscriber:)` unchanged.
      tell { $0.willReceive(publisher: publisher, subscriber: inner) }
      publisher.receive(subscriber: subscriber)
      tell { $0.didReceive(publisher: publisher, subscriber: inner) }
    } else {
      tell { $0.willReceive(publisher: publisher, subscriber: subscriber) }
      publisher.receive(subscriber: WitnessedSubscriber(subscriber: subscriber))
      tell { $0.didReceive(publisher: publisher, subscriber: subscriber) }
    }
  }
}

/// A subscriber behind which witnesses stand.
private protocol WitnessedParty {
  /// The subscriber itself, erased.
  var inner: Any { get }
}

/// Passes everything on and tells the witnesses before and after.
private struct WitnessedSubscriber<Downstream: Subscriber>: Subscriber, CustomStringConvertible, WitnessedParty {
  let subscriber: Downstream

  var inner: Any { AnySubscriber(subscriber) }

  var combineIdentifier: CombineIdentifier { subscriber.combineIdentifier }

  var description: String { String(describing: subscriber) }

  func receive(subscription: any Subscription) {
    let inner = (subscription as? WitnessedSubscription)?.subscription ?? subscription
    Witnesses.tell { $0.willReceive(subscriber: subscriber, subscription: inner) }
    subscriber.receive(subscription: WitnessedSubscription(subscription: inner))
    Witnesses.tell { $0.didReceive(subscriber: subscriber, subscription: inner) }
  }

  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    Witnesses.tell { $0.willReceive(subscriber: subscriber, input: input) }
    let more = subscriber.receive(input)
    Witnesses.tell { $0.didReceive(subscriber: subscriber, input: input, resultingDemand: more) }
    return more
  }

  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    Witnesses.tell { $0.willReceive(subscriber: subscriber, completion: completion) }
    subscriber.receive(completion: completion)
    Witnesses.tell { $0.didReceive(subscriber: subscriber, completion: completion) }
  }
}

/// Passes everything on and tells the witnesses before and after.
private struct WitnessedSubscription: Subscription, CustomStringConvertible {
  let subscription: any Subscription

  var combineIdentifier: CombineIdentifier { subscription.combineIdentifier }

  var description: String { String(describing: subscription) }

  func request(_ demand: Subscribers.Demand) {
    Witnesses.tell { $0.willRequest(subscription: subscription, demand) }
    subscription.request(demand)
    Witnesses.tell { $0.didRequest(subscription: subscription, demand) }
  }

  func cancel() {
    Witnesses.tell { $0.willCancel(subscription: subscription) }
    subscription.cancel()
    Witnesses.tell { $0.didCancel(subscription: subscription) }
  }
}
