extension Publisher {
  /// Transforms each value with a throwing closure.
  ///
  ///     source         -2-4-(5!)
  ///     .tryMap(half)  -1-2-#
  ///
  /// - Demand: forwarded unchanged.
  /// - Completion and cancellation: an error that the closure throws cancels the upstream and becomes the failure.
  /// - Threading: the closure runs on the thread on which the upstream delivers.
  @inlinable
  public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Self, T> {
    Publishers.TryMap(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// A publisher that transforms each value with a throwing closure.
  @frozen
  public struct TryMap<Upstream: Publisher, Output>: _DirectPublisher {
    /// Any error that the closure throws or the upstream fails with.
    public typealias Failure = any Error

    /// The upstream publisher.
    public let upstream: Upstream

    /// The closure that transforms each value.
    public let transform: (Upstream.Output) throws -> Output

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(downstream, through: TryMapOperator(transform))
    }
  }
}

@usableFromInline
struct TryMapOperator<Input, Output, UpstreamFailure: Error>: ThrowingOperator {
  @usableFromInline
  typealias Path = Throwing<UpstreamFailure>

  @usableFromInline
  let transform: (Input) throws -> Output

  @inlinable
  init(_ transform: @escaping (Input) throws -> Output) {
    self.transform = transform
  }

  @usableFromInline
  static var name: StaticString { "TryMap" }

  @inlinable
  static var early: EarlyEvents { EarlyEvents(values: true) }

  @inlinable
  mutating func attempt(_ input: Input) throws -> OperatorResult<Output, any Error> {
    .emit(try transform(input))
  }
}

extension Publishers.TryMap {
  /// Composes the closures, so that both transformations are one operator.
  @inlinable
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.TryMap<Upstream, T> {
    tryMap(transform)
  }

  /// Composes the closures, so that both transformations are one operator.
  @inlinable
  public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Upstream, T> {
    let first = self.transform
    return Publishers.TryMap<Upstream, T>(upstream: upstream) { try transform(first($0)) }
  }
}
