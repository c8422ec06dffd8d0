// .ci/twins writes TryPrefixWhile.swift from this file.

extension Publisher {
  /// Sends values until a predicate is false for the first time.
  ///
  ///     source                      -1-2-(3!)
  ///     .prefix(while: { $0 < 3 })  -1-2-|
  ///
  /// - Demand: forwarded unchanged.
  /// - Completion and cancellation: the first value for which the predicate is false cancels the upstream, and the
  ///   publisher finishes.
  /// - Threading: the closure runs on the thread on which the upstream delivers.
  @inlinable
  public func prefix(while predicate: @escaping (Output) -> Bool) -> Publishers.PrefixWhile<Self> {
    Publishers.PrefixWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of the values before the first for which a predicate is false.
  @frozen
  public struct PrefixWhile<Upstream: Publisher>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The predicate that a value must satisfy.
    public let predicate: (Upstream.Output) -> Bool

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(downstream, through: PrefixWhileOperator(predicate))
    }
  }
}

@usableFromInline
struct PrefixWhileOperator<Input, Failure: Error>: ForwardingOperator {
  @usableFromInline
  let isIncluded: (Input) -> Bool

  @inlinable
  init(_ isIncluded: @escaping (Input) -> Bool) {
    self.isIncluded = isIncluded
  }

  @usableFromInline
  static var name: StaticString { "PrefixWhile" }

  @usableFromInline
  static var mirrored: [MirrorPart] { [.downstream] }

  @inlinable
  mutating func next(_ input: Input) -> OperatorResult<Input, Failure> {
    isIncluded(input) ? .emit(input) : .finish
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
