/// A publisher that sends one value and finishes.
///
///     demand   --1
///     Just(1)  --(1|)
///
/// - Demand: the value is delivered at the first request.
/// - Completion and cancellation: finishes immediately after the value. A cancellation before the value drops it.
/// - Threading: delivers on the thread that requests demand.
@frozen
public struct Just<Output>: _DirectPublisher {
  /// This publisher never fails.
  public typealias Failure = Never

  /// The value.
  public let output: Output

  /// Creates a publisher of one value.
  @inlinable
  public init(_ output: Output) {
    self.output = output
  }

  /// The value.
  @inlinable
  @inline(__always)
  public var _scalarValue: Output? { output }

  /// It is scalar.
  @inlinable
  @inline(__always)
  public var _mayBeScalar: Bool { true }

  /// Attaches a downstream.
  @inlinable
  public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
    Downstream.pull("Just", value: output, to: downstream)
  }
}

extension Just: Equatable where Output: Equatable {}

extension Just: Sendable where Output: Sendable {}
