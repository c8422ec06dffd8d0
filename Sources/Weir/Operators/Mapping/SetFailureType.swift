extension Publisher where Failure == Never {
  /// Changes the type of the failure of a publisher that can't fail.
  ///
  ///     source                          -1-2-3-|
  ///     .setFailureType(to: Oops.self)  -1-2-3-|
  ///
  /// - Demand: unchanged.
  /// - Completion and cancellation: unchanged.
  /// - Threading: runs where the upstream delivers.
  @inlinable
  public func setFailureType<E: Error>(to failureType: E.Type) -> Publishers.SetFailureType<Self, E> {
    Publishers.SetFailureType(upstream: self)
  }
}

extension Publishers {
  /// A publisher that seems to be able to fail, so that it can meet others that are.
  @frozen
  public struct SetFailureType<Upstream: Publisher, Failure: Error>: Publisher where Upstream.Failure == Never {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output

    /// The publisher whose values these are.
    public let upstream: Upstream

    @usableFromInline
    package let place = Place()

    /// Makes the operator; the method of the same name is the usual way.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// The upstream's.
    @inlinable
    @inline(__always)
    public var _onlyValue: Upstream.Output? { upstream._onlyValue }

    /// Attaches a subscriber.
    @inlinable
    @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Upstream.Output, S.Failure == Failure {
      upstream.attach(PassThrough(SetFailureTypeWork(), downstream: subscriber))
    }
  }
}

extension Publishers.SetFailureType: Equatable where Upstream: Equatable {}

@usableFromInline
@frozen
struct SetFailureTypeWork<Input, Failure: Error>: PassThroughOperation {
  @usableFromInline
  typealias Output = Input

  @usableFromInline
  typealias UpstreamFailure = Never

  @inlinable
  init() {}

  @usableFromInline
  static var name: StaticString { "SetFailureType" }

  @inlinable
  func end(_ completion: Subscribers.Completion<Never>) -> Subscribers.Completion<Failure> {
    .finished
  }
}

extension Publishers.SetFailureType {
  /// Changes the type of the failure, in the place of the change before.
  @inlinable
  public func setFailureType<E: Error>(to failure: E.Type) -> Publishers.SetFailureType<Upstream, E> {
    upstream.setFailureType(to: failure)
  }
}

extension Publishers.SetFailureType: Sendable where Upstream: Sendable {}
