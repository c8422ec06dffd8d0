/// A subscription whose first demand has been requested before its owner requests it.
///
/// The owner's requests are reduced by that demand. Those that come while it is being requested are made when that
/// request has returned, so that two threads don't request concurrently.
final class AskedSubscription: SubscriptionWrapper {
  private struct State {
    /// The demand that the owner has yet to request.
    var credit: Subscribers.Demand
    /// The owner's requests meanwhile; `nil` when the first request has returned, or after a cancel.
    var waiting: Subscribers.Demand? = Subscribers.Demand.none

    /// Subtracts the credit from a request.
    mutating func reduced(_ demand: Subscribers.Demand) -> Subscribers.Demand {
      if credit == .unlimited { return .none }
      let paid = min(demand, credit)
      credit -= paid
      return demand - paid
    }
  }

  private let upstream: SubscriptionObject
  private let state: Locked<State>

  var wrapped: any Subscription { upstream }

  init(_ upstream: SubscriptionObject, _ demand: Subscribers.Demand) {
    self.upstream = upstream
    state = Locked(State(credit: demand))
  }

  var combineIdentifier: CombineIdentifier { upstream.combineIdentifier }

  /// Requests the first demand, and then what the owner has requested meanwhile.
  func ask(_ demand: Subscribers.Demand) {
    var demand = demand
    while demand != .none {
      upstream.request(demand)
      demand = state.withLock { state in
        let waiting = state.waiting ?? .none
        state.waiting = waiting == .none ? nil : Subscribers.Demand.none
        return waiting
      }
    }
  }

  func request(_ demand: Subscribers.Demand) {
    let now = state.withLock { state in
      let more = state.reduced(demand)
      guard let waiting = state.waiting else { return more }
      state.waiting = waiting + more
      return .none
    }
    if now != .none { upstream.request(now) }
  }

  func cancel() {
    state.withLock { $0.waiting = nil }
    upstream.cancel()
  }

  func _outermostGate(of thread: UInt) -> _Gated? { upstream._outermostGate(of: thread) }
}
