/// A subscription that knows whether its publisher drops the values for which there is no demand.
///
/// Such a publisher doesn't answer a request with many values, so the request can be made at any time.
package protocol HotSubscription: Subscription {
  var isHot: Bool { get }
}

/// Whether the publisher of a subscription drops the values for which there is no demand, as far as it is known.
func isHot(_ subscription: any Subscription) -> Bool {
  (subscription as? any HotSubscription)?.isHot ?? false
}

extension OptionalSubscription {
  var isHot: Bool { content.map { Weir.isHot($0) } ?? false }
}

extension AnyMulticastSubscription: HotSubscription {
  @usableFromInline
  package var isHot: Bool { true }
}

extension OperatorSubscription: HotSubscription {
  @usableFromInline
  package var isHot: Bool { state.withLock { $0.upstream }.isHot }
}

extension TapSubscription: HotSubscription {
  @usableFromInline
  package var isHot: Bool { upstreamSlot.subscription.withLock { $0 }.isHot }
}
