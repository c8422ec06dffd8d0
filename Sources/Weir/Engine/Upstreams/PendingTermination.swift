/// The end of a coordinator's machine: the remaining upstreams are cancelled, and then the completion is delivered.
@usableFromInline
package struct PendingTermination<Failure: Error> {
  @usableFromInline
  package var toCancel: [SubscriptionObject] = []

  @usableFromInline
  package var completion: Subscribers.Completion<Failure>?

  @inlinable
  package init() {}

  /// Schedules the cancellation of an upstream, if there is one.
  @inlinable
  package mutating func cancel(_ upstream: OptionalSubscription) {
    if let upstream = upstream.content { toCancel.append(upstream) }
  }

  @inlinable
  package mutating func next<Output, Effect>() -> CoordinatorAction<Output, Failure, Effect>? {
    if let subscription = toCancel.popLast() { return .cancel(subscription) }
    return completion.take().map { .complete($0) }
  }
}
