// The last value of an operator, which can wait for demand before the completion follows it.

extension OperatorSubscription {
  /// Leaves the phase in which values are forwarded, and keeps the upstream, to be cancelled when the last value has
  /// been delivered; requests are no longer forwarded.
  ///
  /// Returns false if a cancel came first.
  @usableFromInline
  func beginLastValue() -> Bool {
    state.withLock { state in
      if phase.isNow(.terminated) { return false }
      phase.move(to: .finishing)
      state.isOpen = false
      return true
    }
  }

  /// Releases an upstream that completes during the last value, so that it isn't cancelled.
  ///
  /// Returns false if there is none.
  @usableFromInline
  func releaseUpstreamOfLastValue() -> Bool {
    let upstream = state.withLock { phase.isNow(.finishing) ? $0.upstream.take() : OptionalSubscription() }
    return withExtendedLifetime(upstream) { upstream.isFull }
  }

  /// Delivers the stored value after its delivery has returned, if there is demand.
  @usableFromInline
  func unpark(returned: Subscribers.Demand, delivered: Int) {
    let parked = state.withLock { state in
      state.isParkedInDelivery = false
      return state.outstanding(returned: returned, delivered: delivered) > .none ? state.parked.take() : nil
    }
    parked?()
  }

  /// Stores a delivery until the next request.
  ///
  /// Returns false if there is demand, so that the caller delivers now.
  @usableFromInline
  func park(
    returned: Subscribers.Demand, delivered: Int, isDelivering: Bool, _ work: @escaping () -> Void
  ) -> Bool {
    state.withLock { state in
      guard phase.isNow(.finishing) else { return true }
      guard state.outstanding(returned: returned, delivered: delivered) == .none else { return false }
      state.parked = work
      state.isParkedInDelivery = isDelivering
      return true
    }
  }
}
