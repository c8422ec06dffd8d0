// How many values a thread may request from a subscription while another delivery is in progress. What the publisher
// sends in answer is enqueued.
//
// - All, if the publisher drops the values for which there is no demand, or if it is another library's. Such a publisher
//   may start anew with each request.
// - At most `HandOver.limit`, if the publisher waits for demand. It can answer with any number of values.
// - None, if the publisher connects a subject, which requests unlimited values from its upstream.

extension Subscription {
  /// Returns `.unlimited`.
  public func _earlyDemand(isToConnect: Bool) -> Subscribers.Demand { .unlimited }
}

extension Subscription where Self: OperatorReflectable {
  @usableFromInline
  package func _earlyDemand(isToConnect: Bool) -> Subscribers.Demand { .max(HandOver.limit) }
}

extension OptionalSubscription {
  func earlyDemand(isToConnect: Bool) -> Subscribers.Demand {
    content?._earlyDemand(isToConnect: isToConnect) ?? (isToConnect ? .none : .max(HandOver.limit))
  }
}

extension AnyMulticastSubscription {
  @usableFromInline
  package func _earlyDemand(isToConnect: Bool) -> Subscribers.Demand {
    hub.isHot(isToConnect: isToConnect) ? .unlimited : .none
  }
}

extension OperatorSubscription {
  @usableFromInline
  package func _earlyDemand(isToConnect: Bool) -> Subscribers.Demand {
    state.withLock { $0.upstream }.earlyDemand(isToConnect: isToConnect)
  }
}

extension TapSubscription {
  @usableFromInline
  package func _earlyDemand(isToConnect: Bool) -> Subscribers.Demand {
    upstreamSlot.subscription.withLock { $0 }.earlyDemand(isToConnect: isToConnect || self.isToConnect)
  }
}

extension HopSubscription {
  @usableFromInline
  package func _earlyDemand(isToConnect: Bool) -> Subscribers.Demand {
    content.withLock { $0.state.upstream }.earlyDemand(isToConnect: isToConnect)
  }
}

extension ScheduledSubscription {
  @usableFromInline
  package func _earlyDemand(isToConnect: Bool) -> Subscribers.Demand {
    upstreamSlot.subscription.withLock { $0 }.earlyDemand(isToConnect: isToConnect)
  }
}
