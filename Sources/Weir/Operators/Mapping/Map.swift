// .ci/twins writes TryMap.swift from this file.

extension Publisher {
  /// Transforms each value with a closure.
  ///
  ///     source            -1   -2   -3   -|
  ///     .map { $0 * 10 }  -'10'-'20'-'30'-|
  ///
  /// - Demand: forwarded unchanged.
  /// - Completion and cancellation: forwarded unchanged.
  /// - Threading: the closure runs on the thread on which the upstream delivers.
  @inlinable
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Self, T> {
    Publishers.Map(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// A publisher that transforms each value with a closure.
  @frozen
  public struct Map<Upstream: Publisher, Output>: _DirectPublisher {
    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The closure that transforms each value.
    public let transform: (Upstream.Output) -> Output

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(.mapping(transform, to: downstream))
    }
  }
}

extension Downstream {
  @inlinable
  @inline(never)
  static func mapping<Output>(
    _ transform: @escaping (Input) -> Output, to downstream: consuming Downstream<Output, Failure>
  ) -> Downstream {
    stateless("Map", to: downstream) { [next = downstream.next] in next(transform($0)) }
  }
}

extension Publishers.Map {
  /// Composes the closures, so that both transformations are one operator.
  @inlinable
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Upstream, T> {
    let first = self.transform
    return Publishers.Map<Upstream, T>(upstream: upstream) { transform(first($0)) }
  }

  /// Composes the closures, so that both transformations are one operator.
  @inlinable
  public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Upstream, T> {
    let first = self.transform
    return Publishers.TryMap<Upstream, T>(upstream: upstream) { try transform(first($0)) }
  }
}

extension Publisher {
  /// Replaces each `nil` by a value.
  ///
  ///     source                -1-'nil'-3-|
  ///     .replaceNil(with: 0)  -1-0    -3-|
  ///
  /// - Demand: forwarded unchanged.
  /// - Completion and cancellation: forwarded unchanged.
  /// - Threading: delivers on the thread on which the upstream delivers.
  @inlinable
  public func replaceNil<T>(with output: T) -> Publishers.Map<Self, T> where Output == T? {
    map { $0 ?? output }
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
