import Weir

// Queries of the rules on a run.
extension Run {
  /// The values and the completion that the subscriber received, as text.
  var deliveries: [String] { events.compactMap { $0.what.isDelivery ? $0.what.text : nil } }

  var values: [String] {
    events.compactMap { if case .value(let value) = $0.what { value } else { nil } }
  }

  /// Whether the subscriber has received the upstream's own subscription.
  var receivesUpstreamsSubscription: Bool {
    events.contains { $0.what == .subscription(Trace.upstreamSubscription) }
  }

  var completionIndex: Int? { events.firstIndex { $0.what.isCompletion } }

  var cancelIndex: Int? { events.firstIndex { $0.what == .cancels } }

  var isTerminated: Bool { completionIndex != nil || cancelIndex != nil }

  var subscriptionCount: Int {
    events.count { if case .subscription = $0.what { true } else { false } }
  }

  /// The outstanding demand at the end.
  var demand: Subscribers.Demand {
    events.reduce(.none) { demand, event in
      switch event.what {
      case .asks(let more), .returns(let more): demand + more
      case .value: demand > .none ? demand - 1 : demand
      default: demand
      }
    }
  }

  /// The outstanding demand of the last upstream subscription; `nil` if there is none, or it has terminated.
  var upstreamDemand: Subscribers.Demand? {
    var demand: Subscribers.Demand?
    for event in events {
      switch event.what {
      case .sendsSubscription: demand = Subscribers.Demand.none
      case .isAsked(_, let more), .isAnswered(_, let more): demand = demand.map { $0 + more }
      case .sendsValue: demand = demand.map { $0 > .none ? $0 - 1 : $0 }
      case .sendsCompletion, .isCancelled: demand = nil
      default: break
      }
    }
    return demand
  }

  /// The first completion of the upstream, and its index.
  func upstreamEnd(before limit: Int? = nil) -> (index: Int, isFailure: Bool)? {
    for (index, event) in events.enumerated() where index < limit ?? .max {
      if case .sendsCompletion(_, let isFailure) = event.what { return (index, isFailure) }
    }
    return nil
  }

  /// Whether the upstream failed before the limit, also after a completion and a new subscription.
  func upstreamFails(before limit: Int) -> Bool {
    events[..<limit].contains { if case .sendsCompletion(_, isFailure: true) = $0.what { true } else { false } }
  }

  /// The numbers of the upstream's subscriptions that were active at the limit.
  func liveSubscriptions(before limit: Int) -> [Int] {
    var live: [Int] = []
    for event in events[..<limit] {
      switch event.what {
      case .sendsSubscription(let number): live.append(number)
      case .sendsCompletion(let number, _): live.removeAll { $0 == number }
      default: break
      }
    }
    return live
  }

  func cancelCount(of number: Int) -> Int { events.count { $0.what == .isCancelled(number) } }

  /// Whether the run requests unlimited demand.
  var asksForAll: Bool { script.contains(.requestUnlimited) }

  /// Whether no values were requested.
  var asksForNothing: Bool {
    !events.contains { event in
      switch event.what {
      case .asks, .returns: true
      default: false
      }
    }
  }

  var isWellBehaved: Bool { conduct == .good }

  /// The first event for which a violation is found, followed by the violation.
  func first(after index: Int? = nil, where reason: (Trace.What) -> String?) -> String? {
    for event in events[(index.map { $0 + 1 } ?? 0)...] {
      if let reason = reason(event.what) { return reason }
    }
    return nil
  }
}
