extension Publisher {
  /// Sends the first value and finishes.
  ///
  ///     source    -(1!)
  ///     .first()  -(1|)
  ///
  /// - Demand: asks for everything; the value waits for demand.
  /// - Completion and cancellation: cancels the upstream at the first value. Without any it ends as the upstream does.
  /// - Threading: runs where the upstream delivers, or where the demand comes from.
  @inlinable
  public func first() -> Publishers.First<Self> {
    Publishers.First(upstream: self)
  }
}

extension Publishers {
  /// A publisher of the upstream's first value.
  @frozen
  public struct First<Upstream: Publisher>: _DirectPublisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output

    /// The failure is the upstream's.
    public typealias Failure = Upstream.Failure

    /// The publisher whose values these are.
    public let upstream: Upstream

    @usableFromInline
    package let place = Place()

    /// Makes the operator; the method of the same name is the usual way.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(downstream, through: FirstWork())
    }
  }
}

extension Publishers.First: Equatable where Upstream: Equatable {}

@usableFromInline
struct FirstWork<Input, UpstreamFailure: Error>: Operation {
  @usableFromInline
  typealias Failure = UpstreamFailure

  @inlinable
  init() {}

  @usableFromInline
  static var name: StaticString { "First" }

  @inlinable
  static var runsUserCode: Bool { false }

  @usableFromInline
  static var mirrored: [MirrorPart] { .result(Input.self) }

  @inlinable
  var policy: Link.Policy { .unlimited }

  @inlinable
  mutating func next(_ input: Input) -> Step<Input, Failure> {
    .emitAndFinish(input)
  }
}

extension Publishers.First: Sendable where Upstream: Sendable {}
