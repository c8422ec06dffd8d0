extension Publisher {
  /// Transforms each value with a throwing closure, and drops `nil` results.
  ///
  ///     source                 -1-x-(0!)
  ///     .tryCompactMap(digit)  -1---#
  ///
  /// - Demand: requests one more value for each value that it filters out.
  /// - Completion and cancellation: an error that the closure throws cancels the upstream and becomes the failure.
  /// - Threading: the closure runs on the thread on which the upstream delivers.
  @inlinable
  public func tryCompactMap<T>(
    _ transform: @escaping (Output) throws -> T?
  ) -> Publishers.TryCompactMap<Self, T> {
    Publishers.TryCompactMap(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// A publisher of the non-`nil` results of transforming each value with a throwing closure.
  @frozen
  public struct TryCompactMap<Upstream: Publisher, Output>: _DirectPublisher {
    /// Any error that the closure throws or the upstream fails with.
    public typealias Failure = any Error

    /// The upstream publisher.
    public let upstream: Upstream

    /// The closure that transforms each value.
    public let transform: (Upstream.Output) throws -> Output?

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output?) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(downstream, through: TryCompactMapOperator(transform))
    }
  }
}

@usableFromInline
struct TryCompactMapOperator<Input, Output, UpstreamFailure: Error>: ThrowingOperator {
  @usableFromInline
  typealias Path = Throwing<UpstreamFailure>

  @usableFromInline
  let transform: (Input) throws -> Output?

  @inlinable
  init(_ transform: @escaping (Input) throws -> Output?) {
    self.transform = transform
  }

  @usableFromInline
  static var name: StaticString { "TryCompactMap" }

  @usableFromInline
  static var mirrored: [MirrorPart] { [.downstream] }

  @inlinable
  mutating func attempt(_ input: Input) throws -> OperatorResult<Output, any Error> {
    try transform(input).map { .emit($0) } ?? .skip
  }
}

extension Publishers.TryCompactMap {
  /// Composes the closures, so that both operations are one operator.
  @inlinable
  public func compactMap<T>(
    _ transform: @escaping (Output) throws -> T?
  ) -> Publishers.TryCompactMap<Upstream, T> {
    let first = self.transform
    return Publishers.TryCompactMap<Upstream, T>(upstream: upstream) { try first($0).flatMap(transform) }
  }
}
