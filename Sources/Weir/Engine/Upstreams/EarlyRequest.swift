/// How much of the first demand a thread requests from a subscription while another delivery is in progress.
///
/// What the publisher sends in answer is enqueued.
@usableFromInline
package enum EarlyRequest {
  /// All demand: the publisher drops the values for which there is no demand, or it is another library's. Such a
  /// publisher may start anew with each request.
  case whole
  /// At most ``HandOver/limit`` values, because a publisher that waits for demand can answer with any number of them.
  case limited
  /// Nothing: the publisher connects a subject, which requests unlimited values from its upstream.
  case none
}

extension EarlyRequest {
  /// The most demand that may be requested early.
  var demand: Subscribers.Demand {
    switch self {
    case .whole: .unlimited
    case .limited: .max(HandOver.limit)
    case .none: .none
    }
  }
}

/// A subscription that can tell how much may be requested early.
package protocol EarlySubscription: Subscription {
  /// How much may be requested early; `isToConnect` if a publisher behind it connects its subject to an upstream,
  /// perhaps later.
  func earlyRequest(isToConnect: Bool) -> EarlyRequest
}

extension EarlyRequest {
  /// How much may be requested early from a subscription.
  static func allowed(by subscription: any Subscription, isToConnect: Bool = false) -> EarlyRequest {
    if let subscription = subscription as? any EarlySubscription {
      return subscription.earlyRequest(isToConnect: isToConnect)
    }
    return subscription is any OperatorReflectable ? .limited : .whole
  }
}

extension OptionalSubscription {
  func earlyRequest(isToConnect: Bool) -> EarlyRequest {
    content.map { .allowed(by: $0, isToConnect: isToConnect) } ?? (isToConnect ? .none : .limited)
  }
}

extension AnyMulticastSubscription: EarlySubscription {
  @usableFromInline
  package func earlyRequest(isToConnect: Bool) -> EarlyRequest { hub.isHot(isToConnect: isToConnect) ? .whole : .none }
}

extension OperatorSubscription: EarlySubscription {
  @usableFromInline
  package func earlyRequest(isToConnect: Bool) -> EarlyRequest {
    state.withLock { $0.upstream }.earlyRequest(isToConnect: isToConnect)
  }
}

extension TapSubscription: EarlySubscription {
  @usableFromInline
  package func earlyRequest(isToConnect: Bool) -> EarlyRequest {
    upstreamSlot.subscription.withLock { $0 }.earlyRequest(isToConnect: isToConnect || self.isToConnect)
  }
}

extension HopSubscription: EarlySubscription {
  @usableFromInline
  package func earlyRequest(isToConnect: Bool) -> EarlyRequest {
    content.withLock { $0.state.upstream }.earlyRequest(isToConnect: isToConnect)
  }
}

extension ScheduledSubscription: EarlySubscription {
  @usableFromInline
  package func earlyRequest(isToConnect: Bool) -> EarlyRequest {
    upstreamSlot.subscription.withLock { $0 }.earlyRequest(isToConnect: isToConnect)
  }
}
