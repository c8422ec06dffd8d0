/// A publisher that sends no value and finishes at once, or never ends.
///
///     Empty<Int, Never>()  |
///
/// - Demand: ignored.
/// - Completion and cancellation: finishes without waiting for demand, unless `completeImmediately` is false.
/// - Threading: delivers on the subscribing thread.
@frozen
public struct Empty<Output, Failure: Error>: _DirectPublisher, Equatable {
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

  /// Attaches a downstream.
  @inlinable
  public func _attach(_ downstream: Downstream<Output, Failure>) {
    downstream.begin(Subscriptions.empty)
    if completeImmediately { downstream.end(.finished) }
  }
}

extension Empty: Sendable {}
