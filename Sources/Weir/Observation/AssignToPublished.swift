extension Publisher where Failure == Never {
  /// Assigns each value to a published property: `publisher.assign(to: &$property)`.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: lasts until this publisher completes, or until both the object and the property's
  ///   publisher are deallocated. The object is not retained.
  /// - Threading: the property is set on the thread on which this publisher delivers.
  @inlinable
  public func assign(to published: inout Published<Output>.Publisher) {
    attach(PublishedSubscriber(published.storage)) { Downstream($0) }
  }
}

/// A subscriber that sets a published property to the values that it receives.
///
/// The property's storage retains this subscriber, which has only a weak reference to the storage. The storage cancels
/// it when the storage is deallocated.
@usableFromInline
final class PublishedSubscriber<Input>: Subscriber, Cancellable, OperatorReflectable {
  @usableFromInline
  typealias Failure = Never

  // Invariant: written only in the initializer. Reading a weak reference is safe on any thread.
  @usableFromInline
  weak var storage: PublishedStorage<Input>?

  @usableFromInline
  let upstreamSlot = SingleAssignmentSubscription()

  @usableFromInline
  init(_ storage: PublishedStorage<Input>) {
    self.storage = storage
    storage.keep(self)
  }

  @usableFromInline
  var description: String { "PublishedSubscriber" }

  @usableFromInline
  func receive(subscription: any Subscription) {
    if upstreamSlot.attach(subscription) { subscription.request(.unlimited) }
  }

  @inlinable
  func receive(_ value: Input) -> Subscribers.Demand {
    // As in Combine, a value counts that comes before the subscription.
    if !upstreamSlot.isTerminated { storage?.set(value, in: nil) }
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Never>) {
    if upstreamSlot.finish() { storage?.forget(self) }
  }

  @usableFromInline
  func cancel() {
    upstreamSlot.cancel()
  }
}
