/// A subscriber by which an operator hears an upstream: not one at the end of a pipeline.
package protocol InnerSubscriber {}

/// A subscriber that stands for that of an operator or for one at the end.
protocol ConditionallyInner: ErasingSubscriber {
  var isInner: Bool { get }
}

extension Driver: InnerSubscriber {}
extension Succession: InnerSubscriber {}
extension Tap: InnerSubscriber {}
extension Resubscribed: InnerSubscriber {}
extension Scanner: InnerSubscriber {}
extension Publishers.SubscribeOn.Inner: InnerSubscriber {}

/// A subscriber at the end that feeds another publisher.
protocol FeedingSubscriber {
  /// The publisher.
  var target: AnyObject { get }
}

extension SubjectSubscriber: FeedingSubscriber {
  var target: AnyObject { subject }
}

/// A publisher that consists of others of this library, which don't concern who looks at a path.
package protocol Composed {}

extension Publishers.Share: Composed {}
