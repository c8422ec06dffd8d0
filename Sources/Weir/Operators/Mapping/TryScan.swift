extension Publisher {
  /// Combines each value with the previous result in a throwing closure, and sends every result.
  ///
  ///     source                               -2-4-(5!)
  ///     .tryScan(0) { $0 + (try half($1)) }  -1-3-#
  ///
  /// - Demand: forwarded unchanged.
  /// - Completion and cancellation: an error that the closure throws cancels the upstream and becomes the failure.
  /// - Threading: the closure runs on the thread on which the upstream delivers.
  @inlinable
  public func tryScan<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T
  ) -> Publishers.TryScan<Self, T> {
    Publishers.TryScan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publishers {
  /// A publisher of the results of combining each value with the previous result in a throwing closure.
  @frozen
  public struct TryScan<Upstream: Publisher, Output>: _DirectPublisher {
    /// Any error that the closure throws or the upstream fails with.
    public typealias Failure = any Error

    /// The upstream publisher.
    public let upstream: Upstream

    /// The result to combine with the first value.
    public let initialResult: Output

    /// The closure that combines a result with a value.
    public let nextPartialResult: (Output, Upstream.Output) throws -> Output

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(
      upstream: Upstream, initialResult: Output,
      nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
    ) {
      self.upstream = upstream
      self.initialResult = initialResult
      self.nextPartialResult = nextPartialResult
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(downstream, through: TryScanOperator(initialResult, nextPartialResult))
    }
  }
}

@usableFromInline
struct TryScanOperator<Input, Output, UpstreamFailure: Error>: ThrowingOperator {
  @usableFromInline
  typealias Path = Throwing<UpstreamFailure>

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
  static var name: StaticString { "TryScan" }

  @inlinable
  static var early: EarlyEvents { EarlyEvents(values: true) }

  @usableFromInline
  static var mirrored: [MirrorPart] { [.downstream, .status, .state("result", Output.self)] }

  @inlinable
  mutating func attempt(_ input: Input) throws -> OperatorResult<Output, any Error> {
    accumulated = try combine(accumulated, input)
    return .emit(accumulated)
  }
}
