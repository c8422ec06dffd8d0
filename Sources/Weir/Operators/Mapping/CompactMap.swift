// .ci/twins writes TryCompactMap.swift from this file.

extension Publisher {
  /// Transforms each value with a closure, and drops `nil` results.
  ///
  ///     source                   -1-x-3-|
  ///     .compactMap { Int($0) }  -1---3-|
  ///
  /// - Demand: requests one more value for each value that it filters out.
  /// - Completion and cancellation: forwarded unchanged.
  /// - Threading: the closure runs on the thread on which the upstream delivers.
  @inlinable
  public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Self, T> {
    Publishers.CompactMap(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// A publisher of the non-`nil` results of transforming each value.
  @frozen
  public struct CompactMap<Upstream: Publisher, Output>: _DirectPublisher {
    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The closure that transforms each value.
    public let transform: (Upstream.Output) -> Output?

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output?) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(.compactMapping(transform, to: downstream))
    }
  }
}

extension Downstream {
  @inlinable
  @inline(never)
  static func compactMapping<Output>(
    _ transform: @escaping (Input) -> Output?, to downstream: consuming Downstream<Output, Failure>
  ) -> Downstream {
    stateless("CompactMap", to: downstream) { [next = downstream.next] input in
      guard let output = transform(input) else { return .max(1) }
      return next(output)
    }
  }
}

extension Publishers.CompactMap {
  /// Composes the closures, so that both calls form one operator.
  @inlinable
  public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Upstream, T> {
    let first = self.transform
    return Publishers.CompactMap<Upstream, T>(upstream: upstream) { first($0).flatMap(transform) }
  }

  /// Composes the closures, so that both calls form one operator.
  @inlinable
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.CompactMap<Upstream, T> {
    compactMap { transform($0) }
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
  /// Composes the closures, so that both calls form one operator.
  @inlinable
  public func compactMap<T>(
    _ transform: @escaping (Output) throws -> T?
  ) -> Publishers.TryCompactMap<Upstream, T> {
    let first = self.transform
    return Publishers.TryCompactMap<Upstream, T>(upstream: upstream) { try first($0).flatMap(transform) }
  }
}
