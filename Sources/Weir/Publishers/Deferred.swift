/// A publisher that creates another publisher for each subscriber, at the subscription.
///
///     source               --^1-2-|
///     Deferred { source }  --^1-2-|
///
/// - Demand, completion and cancellation: those of the created publisher.
/// - Threading: the closure runs on the subscribing thread.
@frozen
public struct Deferred<DeferredPublisher: Publisher>: _DirectPublisher {
  /// The output type of the created publisher.
  public typealias Output = DeferredPublisher.Output

  /// The failure type of the created publisher.
  public typealias Failure = DeferredPublisher.Failure

  /// The closure that creates the publisher.
  public let createPublisher: () -> DeferredPublisher

  @usableFromInline
  package let assemblySite = AssemblySite()

  /// Creates a publisher that creates another publisher for each subscriber.
  @inlinable
  public init(createPublisher: @escaping () -> DeferredPublisher) {
    self.createPublisher = createPublisher
  }

  /// Creates a publisher, and attaches a downstream to it.
  @inlinable
  public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
    createPublisher().attach(downstream)
  }
}
