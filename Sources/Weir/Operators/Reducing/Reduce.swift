// .ci/twins writes TryReduce.swift from this file.

extension Publisher {
  /// Combines all values into one result, which is sent before the completion.
  ///
  ///     source         -1-2-3-|
  ///     asked          ∞
  ///     demand         --1
  ///     .reduce(0, +)  -------(6|)
  ///
  /// - Demand: requests unlimited values from the upstream. The result is delivered when there is demand.
  /// - Completion and cancellation: without any value the initial result is sent. A failure drops the result.
  /// - Threading: the closure runs on the thread on which the upstream delivers.
  @inlinable
  public func reduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Publishers.Reduce<Self, T> {
    Publishers.Reduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publishers {
  /// A publisher of the result of combining all values.
  @frozen
  public struct Reduce<Upstream: Publisher, Output>: _DirectPublisher {
    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The result to combine with the first value.
    public let initial: Output

    /// The closure that combines a result with a value.
    public let nextPartialResult: (Output, Upstream.Output) -> Output

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, initial: Output, nextPartialResult: @escaping (Output, Upstream.Output) -> Output) {
      self.upstream = upstream
      self.initial = initial
      self.nextPartialResult = nextPartialResult
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(downstream, through: ReduceOperator<_, _, NonThrowing<Failure>>(initial, nextPartialResult))
    }
  }
}

@usableFromInline
struct ReduceOperator<Input, Output, Path: FailureMapping>: ThrowingOperator, ReducingOperator {
  @usableFromInline
  var accumulated: Output

  @usableFromInline
  let combine: (Output, Input) throws -> Output

  @inlinable
  init(_ initial: Output, _ combine: @escaping (Output, Input) throws -> Output) {
    accumulated = initial
    self.combine = combine
  }

  @usableFromInline
  static var name: StaticString { "Reduce" }

  @inlinable
  mutating func attempt(_ input: Input) throws -> OperatorResult<Output, Path.Failure> {
    accumulated = try combine(accumulated, input)
    return .skip
  }

  @inlinable
  var result: Output? { accumulated }
}
