// .ci/twins writes TryLastWhere.swift from this file.

extension Publisher {
  /// Sends the last value for which a predicate is true, before the completion.
  ///
  ///     source                    -1-2-3-|
  ///     .last(where: { $0 < 3 })  -------(2|)
  ///
  /// - Demand: requests unlimited values from the upstream. The value is delivered when there is demand.
  /// - Completion and cancellation: without such a value the publisher only finishes. A failure drops the value.
  /// - Threading: the closure runs on the thread on which the upstream delivers.
  @inlinable
  public func last(where predicate: @escaping (Output) -> Bool) -> Publishers.LastWhere<Self> {
    Publishers.LastWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of the last value for which a predicate is true.
  @frozen
  public struct LastWhere<Upstream: Publisher>: _DirectPublisher {
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
      upstream.attach(downstream, through: LastWhereOperator<_, NonThrowing<Failure>>(predicate))
    }
  }
}

@usableFromInline
struct LastWhereOperator<Input, Path: FailureMapping>: ThrowingOperator, ReducingOperator {
  @usableFromInline
  let isMatch: (Input) throws -> Bool

  @usableFromInline
  var result: Input?

  @inlinable
  init(_ isMatch: @escaping (Input) throws -> Bool) {
    self.isMatch = isMatch
  }

  @usableFromInline
  static var name: StaticString { "LastWhere" }

  @inlinable
  mutating func attempt(_ input: Input) throws -> OperatorResult<Input, Path.Failure> {
    if try isMatch(input) { result = input }
    return .skip
  }
}
