extension Publisher {
  /// Transforms each value with a closure and leaves out what becomes `nil`.
  ///
  ///     source                   -1-x-3-|
  ///     .compactMap { Int($0) }  -1---3-|
  ///
  /// - Demand: a value that is left out is asked for again.
  /// - Completion and cancellation: unchanged.
  /// - Threading: the closure runs where the upstream delivers.
  @inlinable
  public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Self, T> {
    Publishers.CompactMap(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// A publisher of the values that a closure makes of the upstream's, without `nil`.
  @frozen
  public struct CompactMap<Upstream: Publisher, Output>: Publisher {
    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The publisher whose values these are.
    public let upstream: Upstream

    /// What is done with each value.
    public let transform: (Upstream.Output) -> Output?

    @usableFromInline
    package let place = Place()

    /// Makes the operator; the method of the same name is the usual way.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output?) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches a subscriber.
    @inlinable
    @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Upstream.Failure {
      upstream.attach(PassThrough(CompactMapWork(transform: transform), downstream: subscriber))
    }
  }
}

@usableFromInline
@frozen
struct CompactMapWork<Input, Output, UpstreamFailure: Error>: PassThroughOperation {
  @usableFromInline
  typealias Failure = UpstreamFailure

  @usableFromInline
  let transform: (Input) -> Output?

  @inlinable
  init(transform: @escaping (Input) -> Output?) {
    self.transform = transform
  }

  @usableFromInline
  static var name: StaticString { "CompactMap" }

  @inlinable
  @inline(__always)
  func receive<D: Subscriber>(_ input: Input, for downstream: D) -> Subscribers.Demand
  where D.Input == Output {
    guard let output = transform(input) else { return .max(1) }
    return downstream.receive(output)
  }
}

extension Publishers.CompactMap {
  /// Transforms and filters once more, as one operator: the closures are composed.
  @inlinable
  public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Upstream, T> {
    let first = self.transform
    return Publishers.CompactMap<Upstream, T>(upstream: upstream) { first($0).flatMap(transform) }
  }

  /// Transforms once more, as one operator: the closures are composed.
  @inlinable
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.CompactMap<Upstream, T> {
    compactMap { transform($0) }
  }
}
