// .ci/twins writes TryFirstWhere.swift from this file.

extension Publisher {
  /// Sends the first value for which a predicate is true, and finishes.
  ///
  ///     source                     -1-(2!)
  ///     .first(where: { $0 > 1 })  ---(2|)
  ///
  /// - Demand: requests unlimited values from the upstream. The value is delivered when there is demand.
  /// - Completion and cancellation: that value cancels the upstream. Without one the upstream's completion is
  ///   forwarded.
  /// - Threading: the closure runs on the thread on which the upstream delivers.
  @inlinable
  public func first(where predicate: @escaping (Output) -> Bool) -> Publishers.FirstWhere<Self> {
    Publishers.FirstWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of the first value for which a predicate is true.
  @frozen
  public struct FirstWhere<Upstream: Publisher>: _DirectPublisher {
    /// The upstream's output type.
    public typealias Output = Upstream.Output

    /// The upstream's failure type.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The predicate.
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
      upstream.attach(downstream, through: FirstWhereOperator<_, NonThrowing<Failure>>(predicate))
    }
  }
}

@usableFromInline
struct FirstWhereOperator<Input, Path: FailureMapping>: ThrowingOperator, ReducingOperator {
  @usableFromInline
  let isMatch: (Input) throws -> Bool

  @inlinable
  init(_ isMatch: @escaping (Input) throws -> Bool) {
    self.isMatch = isMatch
  }

  @usableFromInline
  static var name: StaticString { "TryFirst" }

  @inlinable
  mutating func attempt(_ input: Input) throws -> OperatorResult<Input, Path.Failure> {
    try isMatch(input) ? .emitAndFinish(input) : .skip
  }
}
