extension Publisher {
  /// Combines each value with what came of those before it, and sends every result.
  ///
  ///     source    --1--2--3--|
  ///     scan(0, +)--1--3--6--|
  ///
  /// - Demand: unchanged.
  /// - Completion and cancellation: unchanged. The initial result is not sent.
  /// - Threading: the closure runs where the upstream delivers.
  @inlinable
  public func scan<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Publishers.Scan<Self, T> {
    Publishers.Scan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publishers {
  /// A publisher of all the results of combining each value with those before it.
  @frozen
  public struct Scan<Upstream: Publisher, Output>: Publisher {
    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The publisher whose values these are.
    public let upstream: Upstream

    /// What the first value is combined with.
    public let initialResult: Output

    /// What combines a result and a value.
    public let nextPartialResult: (Output, Upstream.Output) -> Output

    /// Makes the operator; the method of the same name is the usual way.
    @inlinable
    public init(
      upstream: Upstream, initialResult: Output, nextPartialResult: @escaping (Output, Upstream.Output) -> Output
    ) {
      self.upstream = upstream
      self.initialResult = initialResult
      self.nextPartialResult = nextPartialResult
    }

    /// Attaches a subscriber.
    @inlinable
    @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Upstream.Failure {
      upstream.subscribe(Driver(ScanWork(result: initialResult, combine: nextPartialResult), downstream: subscriber))
    }
  }
}

@usableFromInline
struct ScanWork<Input, Output, UpstreamFailure: Error>: Operation {
  @usableFromInline
  typealias Failure = UpstreamFailure

  @usableFromInline
  var result: Output

  @usableFromInline
  let combine: (Output, Input) -> Output

  @inlinable
  init(result: Output, combine: @escaping (Output, Input) -> Output) {
    self.result = result
    self.combine = combine
  }

  @usableFromInline
  static var name: StaticString { "Scan" }

  @inlinable
  static var mayEmitAtEnd: Bool { false }

  @inlinable
  mutating func next(_ input: Input) -> Step<Output, Failure> {
    result = combine(result, input)
    return .emit(result)
  }
}
