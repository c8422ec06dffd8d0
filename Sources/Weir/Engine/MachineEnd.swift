/// How a coordinator's machine ends: the upstreams that are left are cancelled, then the completion goes out.
@usableFromInline
struct MachineEnd<Failure: Error> {
  @usableFromInline
  var toCancel: [any Subscription] = []

  @usableFromInline
  var completion: Subscribers.Completion<Failure>?

  @inlinable
  init() {}

  /// Has an upstream cancelled, if there is one.
  @inlinable
  mutating func cancel(_ upstream: SubscriptionSlot) {
    if upstream.isFull { toCancel.append(upstream.content) }
  }

  @inlinable
  mutating func next<Output, Effect>() -> CoordinatorAction<Output, Failure, Effect>? {
    if let subscription = toCancel.popLast() { return .cancel(subscription) }
    return completion.take().map { .complete($0) }
  }
}
