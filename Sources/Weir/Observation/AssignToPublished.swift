extension Publisher where Failure == Never {
  /// Assigns each value to a published property: `publisher.assign(to: &$property)`.
  ///
  /// - Demand: unlimited.
  /// - Completion and cancellation: lasts until this publisher ends, or the property goes with its object and nobody
  ///   keeps the property's publisher. The object is not kept.
  /// - Threading: the property is set where this publisher delivers.
  @inlinable
  public func assign(to published: inout Published<Output>.Publisher) {
    attach(PublishedSubscriber(published.storage)) { Downstream($0) }
  }
}

/// Sets a published property to what it receives.
///
/// The property's storage holds this, and this does not hold the storage: so when that goes, it cancels.
@usableFromInline
final class PublishedSubscriber<Input>: Subscriber, Cancellable, Described {
  @usableFromInline
  typealias Failure = Never

  // Written only in the initializer. Reading a weak reference is safe on any thread.
  @usableFromInline
  weak var storage: PublishedStorage<Input>?

  @usableFromInline
  let intake = Intake()

  @usableFromInline
  init(_ storage: PublishedStorage<Input>) {
    self.storage = storage
    storage.keep(self)
  }

  @usableFromInline
  var description: String { "PublishedSubscriber" }

  @usableFromInline
  func receive(subscription: any Subscription) {
    if intake.attach(subscription) { subscription.request(.unlimited) }
  }

  @inlinable
  func receive(_ value: Input) -> Subscribers.Demand {
    // As in Combine, a value counts that comes before the subscription.
    if !intake.isOver { storage?.set(value) }
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Never>) {
    if intake.finish() { storage?.forget(self) }
  }

  @usableFromInline
  func cancel() {
    intake.cancel()
  }
}
