/// A publisher that sends one value and finishes.
///
///     demand   --1
///     Just(1)  --(1|)
///
/// - Demand: the value waits for the first request.
/// - Completion and cancellation: finishes right after the value; a cancel before it drops the value.
/// - Threading: runs where the demand comes from.
@frozen
public struct Just<Output>: Publisher {
  /// It can't fail.
  public typealias Failure = Never

  /// The value.
  public let output: Output

  /// Makes a publisher of one value.
  @inlinable
  public init(_ output: Output) {
    self.output = output
  }

  /// The value.
  @inlinable
  @inline(__always)
  public var _onlyValue: Output? { output }

  /// Attaches a subscriber.
  @inlinable
  @inline(__always)
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    subscriber.pull("Just", from: CollectionOfOne(output).makeIterator())
  }
}

extension Just: Equatable where Output: Equatable {}

extension Just: Sendable where Output: Sendable {}
