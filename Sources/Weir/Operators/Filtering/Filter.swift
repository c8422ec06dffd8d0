// .ci/twins writes TryFilter.swift from this file.

extension Publisher {
  /// Sends the values for which a predicate is true.
  ///
  ///     source                   -1-2-3-4
  ///     asked                    21---1
  ///     demand                   2
  ///     .filter { $0 % 2 == 0 }  ---2---4
  ///
  /// - Demand: requests one more value for each value that it filters out.
  /// - Completion and cancellation: forwarded unchanged.
  /// - Threading: the closure runs on the thread on which the upstream delivers.
  @inlinable
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Self> {
    Publishers.Filter(upstream: self, isIncluded: isIncluded)
  }
}

extension Publishers {
  /// A publisher of the upstream's values for which a predicate is true.
  @frozen
  public struct Filter<Upstream: Publisher>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The predicate that a value must satisfy.
    public let isIncluded: (Upstream.Output) -> Bool

    @usableFromInline
    package let assemblySite = AssemblySite()

    /// Creates the publisher that the method of the same name returns.
    @inlinable
    public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.isIncluded = isIncluded
    }

    /// Attaches a downstream.
    @inlinable
    public func _attach(_ downstream: consuming Downstream<Output, Failure>) {
      upstream.attach(.filtering(isIncluded, to: downstream))
    }
  }
}

extension Downstream {
  @inlinable
  @inline(never)
  static func filtering(_ isIncluded: @escaping (Input) -> Bool, to downstream: consuming Downstream) -> Downstream {
    stateless("Filter", to: downstream) { [next = downstream.next] in isIncluded($0) ? next($0) : .max(1) }
  }
}

extension Publishers.Filter {
  /// Composes the closures, so that both filters are one operator.
  @inlinable
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Upstream> {
    let first = self.isIncluded
    return Publishers.Filter(upstream: upstream) { first($0) && isIncluded($0) }
  }

  /// Composes the closures, so that both filters are one operator.
  @inlinable
  public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Upstream> {
    let first = self.isIncluded
    return Publishers.TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
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
