// .ci/twins writes TryComparison.swift from this file.

extension Publisher where Output: Comparable {
  /// Sends the minimum value before the completion; see ``min(by:)``.
  ///
  ///     source  -2-1-3-|
  ///     .min()  -------(1|)
  @inlinable
  public func min() -> Publishers.Comparison<Self> {
    min(by: <)
  }

  /// Sends the maximum value before the completion; see ``max(by:)``.
  ///
  ///     source  -2-3-1-|
  ///     .max()  -------(3|)
  @inlinable
  public func max() -> Publishers.Comparison<Self> {
    max(by: <)
  }
}

extension Publisher {
  /// Sends the minimum value, in the order of a closure, before the completion.
  ///
  /// - Demand: requests unlimited values from the upstream. The value is delivered when there is demand.
  /// - Completion and cancellation: of equal values, the first is sent. Without any value the publisher only finishes.
  ///   A failure drops the value.
  /// - Threading: the closure runs on the thread on which the upstream delivers.
  @inlinable
  public func min(by areInIncreasingOrder: @escaping (Output, Output) -> Bool) -> Publishers.Comparison<Self> {
    max { areInIncreasingOrder($1, $0) }
  }

  /// Sends the maximum value, in the order of a closure, before the completion.
  ///
  /// - Demand: requests unlimited values from the upstream. The value is delivered when there is demand.
  /// - Completion and cancellation: of equal values, the first is sent. Without any value the publisher only finishes.
  ///   A failure drops the value.
  /// - Threading: the closure runs on the thread on which the upstream delivers.
  @inlinable
  public func max(by areInIncreasingOrder: @escaping (Output, Output) -> Bool) -> Publishers.Comparison<Self> {
    Publishers.Comparison(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
  }
}

extension Publishers {
  /// A publisher of the minimum or the maximum of the upstream's values.
  @frozen
  public struct Comparison<Upstream: Publisher>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The closure that decides whether the second value replaces the first.
    public let areInIncreasingOrder: (Upstream.Output, Upstream.Output) -> Bool

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that `min` and `max` return.
    @inlinable
    public init(upstream: Upstream, areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.areInIncreasingOrder = areInIncreasingOrder
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(downstream, through: ComparisonOperator<_, NonThrowing<Failure>>(areInIncreasingOrder))
    }
  }
}

@usableFromInline
struct ComparisonOperator<Input, Path: FailureMapping>: ThrowingOperator, ReducingOperator {
  @usableFromInline
  let isExceeded: (Input, Input) throws -> Bool

  @usableFromInline
  var result: Input?

  @inlinable
  init(_ isExceeded: @escaping (Input, Input) throws -> Bool) {
    self.isExceeded = isExceeded
  }

  @usableFromInline
  static var name: StaticString { "Comparison" }

  @inlinable
  mutating func attempt(_ input: Input) throws -> OperatorResult<Input, Path.Failure> {
    if let result, try !isExceeded(result, input) { return .skip }
    result = input
    return .skip
  }
}
