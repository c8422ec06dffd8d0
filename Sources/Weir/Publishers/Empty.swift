/// A publisher that sends no value and finishes at once, or never ends.
///
///     Empty<Int, Never>()  |
///
/// - Demand: is ignored.
/// - Completion and cancellation: finishes without waiting for demand, unless `completeImmediately` is false.
/// - Threading: runs where the subscription is made.
@frozen
public struct Empty<Output, Failure: Error>: Publisher, Equatable {
  /// Whether it finishes at once; if not, it never ends.
  public let completeImmediately: Bool

  /// Makes an empty publisher.
  @inlinable
  public init(completeImmediately: Bool = true) {
    self.completeImmediately = completeImmediately
  }

  /// Makes an empty publisher of types that can't be inferred.
  @inlinable
  public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) {
    self.init(completeImmediately: completeImmediately)
  }

  /// Attaches a subscriber.
  @inlinable
  @inline(__always)
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    subscriber.receive(subscription: Subscriptions.empty)
    if completeImmediately { subscriber.receive(completion: .finished) }
  }
}

extension Empty: Sendable {}
