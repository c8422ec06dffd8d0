/// A publisher that fails immediately.
///
///     Fail<Int, Oops>(error: Oops())  #
///
/// - Demand: ignored.
/// - Completion and cancellation: fails without waiting for demand.
/// - Threading: delivers on the subscribing thread.
@frozen
public struct Fail<Output, Failure: Error>: _DirectPublisher {
  /// The failure.
  public let error: Failure

  /// Creates a publisher that fails with this error.
  @inlinable
  public init(error: Failure) {
    self.error = error
  }

  /// Creates a publisher of types that can't be inferred, which fails with this error.
  @inlinable
  public init(outputType: Output.Type, failure: Failure) {
    self.init(error: failure)
  }

  /// Attaches a downstream.
  @inlinable
  public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
    Downstream.complete(downstream, with: .failure(error))
  }
}

extension Fail: Equatable where Failure: Equatable {}

extension Fail: Sendable {}
