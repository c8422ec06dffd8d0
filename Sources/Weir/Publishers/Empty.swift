/// A publisher that sends no value, and either finishes immediately or never completes.
///
///     Empty<Int, Never>()  |
///
/// - Demand: ignored.
/// - Completion and cancellation: finishes without waiting for demand, unless `completeImmediately` is false.
/// - Threading: delivers on the subscribing thread.
@frozen
public struct Empty<Output, Failure: Error>: _DirectPublisher, Equatable {
  /// Whether the publisher finishes immediately; if not, it never completes.
  public let completeImmediately: Bool

  /// Creates an empty publisher.
  @inlinable
  public init(completeImmediately: Bool = true) {
    self.completeImmediately = completeImmediately
  }

  /// Creates an empty publisher of types that can't be inferred.
  @inlinable
  public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) {
    self.init(completeImmediately: completeImmediately)
  }

  /// Attaches a downstream.
  @inlinable
  public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
    if completeImmediately {
      Downstream.complete(downstream, with: .finished)
    } else {
      downstream.begin(Subscriptions.empty)
    }
  }
}

extension Empty: Sendable {}
