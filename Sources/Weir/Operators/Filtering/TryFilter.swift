extension Publisher {
  /// Sends the values for which a throwing predicate is true.
  ///
  ///     source              -1-2-3-(0!)
  ///     .tryFilter(isEven)  ---2---#
  ///
  /// - Demand: requests one more value for each value that it filters out.
  /// - Completion and cancellation: an error that the closure throws cancels the upstream and becomes the failure.
  /// - Threading: the closure runs on the thread on which the upstream delivers.
  @inlinable
  public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Self> {
    Publishers.TryFilter(upstream: self, isIncluded: isIncluded)
  }
}

extension Publishers {
  /// A publisher of the upstream's values for which a throwing predicate is true.
  @frozen
  public struct TryFilter<Upstream: Publisher>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// Any error that the closure throws or the upstream fails with.
    public typealias Failure = any Error

    /// The upstream publisher.
    public let upstream: Upstream

    /// The predicate that a value must satisfy.
    public let isIncluded: (Upstream.Output) throws -> Bool

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.isIncluded = isIncluded
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: Downstream<Output, Failure>) {
      upstream.attach(downstream, through: TryFilterOperator(isIncluded))
    }
  }
}

@usableFromInline
struct TryFilterOperator<Input, UpstreamFailure: Error>: ThrowingOperator {
  @usableFromInline
  typealias Path = Throwing<UpstreamFailure>

  @usableFromInline
  let isIncluded: (Input) throws -> Bool

  @inlinable
  init(_ isIncluded: @escaping (Input) throws -> Bool) {
    self.isIncluded = isIncluded
  }

  @usableFromInline
  static var name: StaticString { "TryFilter" }

  @usableFromInline
  static var mirrored: [MirrorPart] { [.downstream] }

  @inlinable
  mutating func attempt(_ input: Input) throws -> OperatorResult<Input, any Error> {
    try isIncluded(input) ? .emit(input) : .skip
  }
}

extension Publishers.TryFilter {
  /// Composes the closures, so that both filters are one operator.
  @inlinable
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.TryFilter<Upstream> {
    tryFilter(isIncluded)
  }

  /// Composes the closures, so that both filters are one operator.
  @inlinable
  public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Upstream> {
    let first = self.isIncluded
    return Publishers.TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
  }
}
