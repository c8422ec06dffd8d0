extension Publisher {
  /// Sends values until a throwing predicate is false for the first time.
  ///
  ///     source                     -2-4-(0!)
  ///     .tryPrefix(while: isEven)  -2-4-#
  ///
  /// - Demand: forwarded unchanged.
  /// - Completion and cancellation: the first value for which the predicate is false cancels the upstream, and the
  ///   publisher finishes. An error that the closure throws cancels the upstream and becomes the failure.
  /// - Threading: the closure runs on the thread on which the upstream delivers.
  @inlinable
  public func tryPrefix(while predicate: @escaping (Output) throws -> Bool) -> Publishers.TryPrefixWhile<Self> {
    Publishers.TryPrefixWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of the values before the first for which a throwing predicate is false.
  @frozen
  public struct TryPrefixWhile<Upstream: Publisher>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// Any error that the closure throws or the upstream fails with.
    public typealias Failure = any Error

    /// The upstream publisher.
    public let upstream: Upstream

    /// The predicate that a value must satisfy.
    public let predicate: (Upstream.Output) throws -> Bool

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(downstream, through: TryPrefixWhileOperator(predicate))
    }
  }
}

@usableFromInline
struct TryPrefixWhileOperator<Input, UpstreamFailure: Error>: ThrowingOperator {
  @usableFromInline
  typealias Path = Throwing<UpstreamFailure>

  @usableFromInline
  let isIncluded: (Input) throws -> Bool

  @inlinable
  init(_ isIncluded: @escaping (Input) throws -> Bool) {
    self.isIncluded = isIncluded
  }

  @usableFromInline
  static var name: StaticString { "TryPrefixWhile" }

  @usableFromInline
  static var mirrored: [MirrorPart] { [.downstream] }

  @inlinable
  mutating func attempt(_ input: Input) throws -> OperatorResult<Input, any Error> {
    try isIncluded(input) ? .emit(input) : .finish
  }
}
