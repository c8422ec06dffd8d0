/// A subscriber that an operator attaches to its upstream, rather than one at the end of a pipeline.
package protocol InnerSubscriber {}

/// A wrapper of either an operator's subscriber or a subscriber at the end of a pipeline.
protocol ConditionallyInner: ErasingSubscriber {
  var isInner: Bool { get }
}

extension StatefulSubscriber: InnerSubscriber {}
extension ArbitratedSubscriber: InnerSubscriber {}
extension Tap: InnerSubscriber {}
extension Resubscribed: InnerSubscriber {}
extension Scanner: InnerSubscriber {}
extension Publishers.SubscribeOn.Inner: InnerSubscriber {}

/// A subscriber at the end of a pipeline that feeds another publisher.
protocol FeedingSubscriber {
  /// The publisher that it feeds.
  var target: AnyObject { get }
}

extension SubjectSubscriber: FeedingSubscriber {
  var target: AnyObject { subject }
}

/// A publisher that consists of other Weir publishers, which are not shown in a path.
package protocol Composed {}

extension Publishers.Share: Composed {}
