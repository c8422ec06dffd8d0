/// A subscription that can tell whether it is hot.
///
/// It is hot if its publisher drops the values for which there is no demand, and a request makes no other publisher send that
/// waits for demand. So a request isn't answered with many values, and can be made at any time.
package protocol HotSubscription: Subscription {
  /// Whether it is hot; `isToConnect` if a publisher behind it connects its subject to an upstream, perhaps later.
  func isHot(isToConnect: Bool) -> Bool
}

/// Whether a subscription is hot, as far as it is known.
func isHot(_ subscription: any Subscription, isToConnect: Bool = false) -> Bool {
  (subscription as? any HotSubscription)?.isHot(isToConnect: isToConnect) ?? false
}

extension OptionalSubscription {
  func isHot(isToConnect: Bool) -> Bool { content.map { Weir.isHot($0, isToConnect: isToConnect) } ?? false }
}

extension AnyMulticastSubscription: HotSubscription {
  @usableFromInline
  package func isHot(isToConnect: Bool) -> Bool { hub.isHot(isToConnect: isToConnect) }
}

extension OperatorSubscription: HotSubscription {
  @usableFromInline
  package func isHot(isToConnect: Bool) -> Bool { state.withLock { $0.upstream }.isHot(isToConnect: isToConnect) }
}

extension TapSubscription: HotSubscription {
  @usableFromInline
  package func isHot(isToConnect: Bool) -> Bool {
    upstreamSlot.subscription.withLock { $0 }.isHot(isToConnect: isToConnect || self.isToConnect)
  }
}
