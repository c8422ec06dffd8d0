extension Publisher {
  /// Leaves out all values and sends the end alone.
  ///
  ///     source           -1-2-3-|
  ///     asked            ∞
  ///     .ignoreOutput()  -------|
  ///
  /// - Demand: asks for everything, besides what is requested.
  /// - Completion and cancellation: unchanged.
  /// - Threading: runs where the upstream delivers.
  @inlinable
  public func ignoreOutput() -> Publishers.IgnoreOutput<Self> {
    Publishers.IgnoreOutput(upstream: self)
  }
}

extension Publishers {
  /// A publisher of the upstream's end alone.
  @frozen
  public struct IgnoreOutput<Upstream: Publisher>: Publisher {
    /// There are no values.
    public typealias Output = Never

    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The publisher whose end this is.
    public let upstream: Upstream

    @usableFromInline
    package let place = Place()

    /// Makes the operator; the method of the same name is the usual way.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Attaches a subscriber.
    @inlinable
    @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Never, S.Failure == Upstream.Failure {
      upstream.attach(PassThrough(IgnoreOutputWork(), downstream: subscriber))
    }
  }
}

extension Publishers.IgnoreOutput: Equatable where Upstream: Equatable {}

@usableFromInline
@frozen
struct IgnoreOutputWork<Input, UpstreamFailure: Error>: PassThroughOperation {
  @usableFromInline
  typealias Failure = UpstreamFailure

  @usableFromInline
  typealias Output = Never

  @inlinable
  init() {}

  @usableFromInline
  static var name: StaticString { "IgnoreOutput" }

  @inlinable
  func receive<D: Subscriber>(subscription: any Subscription, for downstream: D) {
    downstream.receive(subscription: subscription)
    subscription.request(.unlimited)
  }

  @inlinable
  @inline(__always)
  func receive<D: Subscriber>(_ input: Input, for downstream: D) -> Subscribers.Demand
  where D.Input == Never {
    .none
  }
}

extension Publishers.IgnoreOutput: Sendable where Upstream: Sendable {}
