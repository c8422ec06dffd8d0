/// Where a coordinator's machine stands that announces its subscription first.
@usableFromInline
enum MachinePhase {
  /// The downstream's subscription is about to be delivered.
  case announcing
  /// Values are delivered.
  case running
  /// Finished, failed or cancelled: what is left is in the machine's ``MachineEnd``.
  case over
}

/// How a coordinator's machine ends: the upstreams that are left are cancelled, then the completion goes out.
@usableFromInline
package struct MachineEnd<Failure: Error> {
  @usableFromInline
  package var toCancel: [any Subscription] = []

  @usableFromInline
  package var completion: Subscribers.Completion<Failure>?

  @inlinable
  package init() {}

  /// Has an upstream cancelled, if there is one.
  @inlinable
  package mutating func cancel(_ upstream: SubscriptionSlot) {
    if upstream.isFull { toCancel.append(upstream.content) }
  }

  @inlinable
  package mutating func next<Output, Effect>() -> CoordinatorAction<Output, Failure, Effect>? {
    if let subscription = toCancel.popLast() { return .cancel(subscription) }
    return completion.take().map { .complete($0) }
  }
}
