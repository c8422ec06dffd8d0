/// An operator's subscriber that makes the requests of a border in front of it.
///
/// A border can deliver a value after the publisher's call has returned. The demand that is returned for the value is
/// requested then, in turn with the requests that an operator behind the border makes itself. Invariant: such an
/// operator never requests from one upstream on two threads at the same time. (`RequestTests`)
protocol BorderedSubscriber {
  /// Makes a request, or leaves it to the thread that is requesting from this upstream.
  func request(_ demand: Subscribers.Demand, from upstream: SubscriptionObject)
}

extension Face {
  /// Makes a request for the border in front of this subscriber.
  func request(_ demand: Subscribers.Demand, from upstream: SubscriptionObject) {
    if let bordered = subscriber() as? any BorderedSubscriber {
      bordered.request(demand, from: upstream)
    } else {
      upstream.request(demand)
    }
  }

  /// Makes a request for the border in front of an operator that sends its own subscription downstream.
  ///
  /// The operator has counted and reported this demand when it returned it, so the request bypasses that subscription.
  fileprivate func request(
    _ demand: Subscribers.Demand, from upstream: SubscriptionObject, behind subscription: any Subscription
  ) {
    request(demand, from: BypassingSubscription(upstream, of: subscription.combineIdentifier))
  }
}

/// An upstream's subscription, with the identity of the one that an operator has sent downstream.
private final class BypassingSubscription: Subscription {
  let combineIdentifier: CombineIdentifier

  private let upstream: SubscriptionObject

  init(_ upstream: SubscriptionObject, of identifier: CombineIdentifier) {
    self.upstream = upstream
    combineIdentifier = identifier
  }

  func request(_ demand: Subscribers.Demand) {
    upstream.request(demand)
  }

  func cancel() {
    upstream.cancel()
  }
}

extension UpstreamSubscriber: BorderedSubscriber {
  func request(_ demand: Subscribers.Demand, from upstream: SubscriptionObject) {
    coordinator.makeInTurn(UpstreamRequest(number, upstream, demand))
  }
}

extension Coordinator: BorderedSubscriber {
  func request(_ demand: Subscribers.Demand, from upstream: SubscriptionObject) {
    makeInTurn(UpstreamRequest(outerNumber, upstream, demand))
  }
}

extension StatefulSubscriber: BorderedSubscriber {
  func request(_ demand: Subscribers.Demand, from upstream: SubscriptionObject) {
    downstream.functions.face.request(demand, from: upstream, behind: link)
  }
}

extension ArbitratedSubscriber: BorderedSubscriber {
  func request(_ demand: Subscribers.Demand, from upstream: SubscriptionObject) {
    arbiter.downstream.functions.face.request(demand, from: upstream, behind: arbiter.link)
  }
}

extension Tap: BorderedSubscriber {
  func request(_ demand: Subscribers.Demand, from upstream: SubscriptionObject) {
    downstream.functions.face.request(demand, from: upstream, behind: subscription)
  }
}

extension SubscriptionReplacingSubscriber: BorderedSubscriber {
  func request(_ demand: Subscribers.Demand, from upstream: SubscriptionObject) {
    downstream.functions.face.request(demand, from: upstream, behind: subscription)
  }
}

extension ScanSubscriber: BorderedSubscriber {
  func request(_ demand: Subscribers.Demand, from upstream: SubscriptionObject) {
    downstream.functions.face.request(demand, from: upstream)
  }
}

extension Publishers.SubscribeOn.Inner: BorderedSubscriber {
  /// Requests on the scheduler.
  func request(_ demand: Subscribers.Demand, from upstream: SubscriptionObject) {
    downstream.functions.face.request(demand, from: subscription)
  }
}
