/// A publisher that is made anew for each subscriber, at the time of its subscription.
///
///     source               --^1-2-|
///     Deferred { source }  --^1-2-|
///
/// - Demand, completion and cancellation: those of the publisher that is made.
/// - Threading: the closure runs where the subscription is made.
@frozen
public struct Deferred<DeferredPublisher: Publisher>: _DirectPublisher {
  /// The values are those of the publisher that is made.
  public typealias Output = DeferredPublisher.Output

  /// The failure is that of the publisher that is made.
  public typealias Failure = DeferredPublisher.Failure

  /// What makes the publisher.
  public let createPublisher: () -> DeferredPublisher

  @usableFromInline
  package let place = Place()

  /// Makes a publisher that puts off making another.
  @inlinable
  public init(createPublisher: @escaping () -> DeferredPublisher) {
    self.createPublisher = createPublisher
  }

  /// Makes a publisher, and attaches a downstream to it.
  @inlinable
  public func _attach(_ downstream: Downstream<Output, Failure>) {
    createPublisher().attach(downstream)
  }
}
