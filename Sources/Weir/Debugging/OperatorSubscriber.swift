/// A subscriber that an operator attaches to its upstream, rather than one at the end of a pipeline.
package protocol OperatorSubscriber {}

/// A wrapper of either an operator's subscriber or a subscriber at the end of a pipeline.
protocol ConditionalOperatorSubscriber: ErasingSubscriber {
  var isInner: Bool { get }
}

extension StatefulSubscriber: OperatorSubscriber {}
extension ArbitratedSubscriber: OperatorSubscriber {}
extension Tap: OperatorSubscriber {}
extension SubscriptionReplacingSubscriber: OperatorSubscriber {}
extension ScanSubscriber: OperatorSubscriber {}
extension Publishers.SubscribeOn.Inner: OperatorSubscriber {}

/// A subscriber at the end of a pipeline that feeds another publisher.
protocol FeedingSubscriber {
  /// The publisher that it feeds.
  var target: AnyObject { get }
}

extension SubjectSubscriber: FeedingSubscriber {
  var target: AnyObject { subject }
}

/// A publisher that consists of other Weir publishers, which are not shown in a path.
package protocol CompositePublisher {}

extension Publishers.Share: CompositePublisher {}
