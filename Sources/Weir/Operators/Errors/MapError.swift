extension Publisher {
  /// Turns the failure into another.
  ///
  ///     source                           -1-2-#
  ///     .mapError { _ in URLMissing() }  -1-2-#
  ///
  /// - Demand: unchanged.
  /// - Completion and cancellation: a failure goes through the closure; the rest is unchanged.
  /// - Threading: the closure runs where the upstream delivers.
  @inlinable
  public func mapError<E: Error>(_ transform: @escaping (Failure) -> E) -> Publishers.MapError<Self, E> {
    Publishers.MapError(upstream: self, transform)
  }
}

extension Publishers {
  /// A publisher that turns the upstream's failure into another.
  @frozen
  public struct MapError<Upstream: Publisher, Failure: Error>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output

    /// The publisher whose values these are.
    public let upstream: Upstream

    /// What is done with the failure.
    public let transform: (Upstream.Failure) -> Failure

    @usableFromInline
    package let place = Place()

    /// Makes the operator; the method of the same name is the usual way.
    @inlinable
    public init(upstream: Upstream, _ transform: @escaping (Upstream.Failure) -> Failure) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches a subscriber.
    @inlinable
    @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Upstream.Output, S.Failure == Failure {
      upstream.attach(PassThrough(MapErrorWork(transform: transform), downstream: subscriber))
    }
  }
}

@usableFromInline
@frozen
struct MapErrorWork<Input, Failure: Error, UpstreamFailure: Error>: PassThroughOperation {
  @usableFromInline
  typealias Output = Input

  @usableFromInline
  let transform: (UpstreamFailure) -> Failure

  @inlinable
  init(transform: @escaping (UpstreamFailure) -> Failure) {
    self.transform = transform
  }

  @usableFromInline
  static var name: StaticString { "MapError" }

  @inlinable
  func end(_ completion: Subscribers.Completion<UpstreamFailure>) -> Subscribers.Completion<Failure> {
    completion.mapError(transform)
  }
}
