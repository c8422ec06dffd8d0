extension Publisher {
  /// Combines all values into one result in a throwing closure, and sends it before the completion.
  ///
  ///     source                                 -2-4-(5!)
  ///     .tryReduce(0) { $0 + (try half($1)) }  -----#
  ///
  /// - Demand: requests unlimited values from the upstream. The result is delivered when there is demand.
  /// - Completion and cancellation: without any value the initial result is sent. A failure drops the result. An error
  ///   that the closure throws cancels the upstream and becomes the failure.
  /// - Threading: the closure runs on the thread on which the upstream delivers.
  @inlinable
  public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T
  ) -> Publishers.TryReduce<Self, T> {
    Publishers.TryReduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publishers {
  /// A publisher of the result of combining all values with a throwing closure.
  @frozen
  public struct TryReduce<Upstream: Publisher, Output>: _DirectPublisher {
    /// Any error that the closure throws or the upstream fails with.
    public typealias Failure = any Error

    /// The upstream publisher.
    public let upstream: Upstream

    /// The result to combine with the first value.
    public let initial: Output

    /// The closure that combines a result with a value.
    public let nextPartialResult: (Output, Upstream.Output) throws -> Output

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(
      upstream: Upstream, initial: Output,
      nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
    ) {
      self.upstream = upstream
      self.initial = initial
      self.nextPartialResult = nextPartialResult
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(
        downstream, through: ReduceOperator<_, _, Throwing<Upstream.Failure>>(initial, nextPartialResult),
        named: "TryReduce")
    }
  }
}
