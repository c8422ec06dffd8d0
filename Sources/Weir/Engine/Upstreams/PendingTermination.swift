/// The end of a coordinator's machine: the remaining upstreams are cancelled, and then the completion is delivered.
@usableFromInline
package struct PendingTermination {
  // Performance: usually there is one upstream to cancel. A collection for it would be an allocation.

  @usableFromInline
  var first = OptionalSubscription()

  @usableFromInline
  var others: [SubscriptionObject] = []

  @usableFromInline
  package var completion: AnyCompletion?

  @usableFromInline
  package init() {}

  /// Whether an upstream is still to be cancelled.
  @inlinable
  package var isCancelling: Bool { first.isFull }

  /// Whether an upstream is still to be cancelled, or the completion is still to be delivered.
  @inlinable
  package var isPending: Bool { first.isFull || completion != nil }

  /// Schedules the cancellation of an upstream, before those that were scheduled earlier.
  @usableFromInline
  package mutating func cancel(_ upstream: SubscriptionObject) {
    if let earlier = first.content { others.append(earlier) }
    first = OptionalSubscription(upstream)
  }

  /// Schedules the cancellation of an upstream, if there is one.
  @inlinable
  package mutating func cancel(_ upstream: OptionalSubscription) {
    if let upstream = upstream.content { cancel(upstream) }
  }

  /// Removes and returns the next upstream to cancel.
  @usableFromInline
  package mutating func nextToCancel() -> SubscriptionObject? {
    guard let next = first.take().content else { return nil }
    if others.count > 0 { first = OptionalSubscription(others.removeLast()) }
    return next
  }

  @inlinable
  package mutating func next<Output, Effect>() -> CoordinatorAction<Output, Effect> {
    if first.isFull, let subscription = nextToCancel() { return .cancel(subscription) }
    guard let completion else { return .nothing }
    self.completion = nil
    return .complete(completion)
  }
}
